// Results -> tables for people: one of everything, one for each task with ratios against the baseline, the candidates'
// memory, the goals. The same lines go to the terminal and into Markdown.
import { assertNever } from '@colkit/io';
import type { GoalResult } from './results.ts';
import type { Measurement, SuiteResults } from './results.ts';

/** The harness's own requests are read by calls too: fewer bytes than this are nobody's data. */
const READ_SHOWN_BYTES = 2000;

/** The whole report as Markdown, readable as plain text. */
export function report(results: SuiteResults): string {
  return [
    head(results),
    summaryTable(results),
    ...Object.keys(results.tasks).map((task) => taskTable(results, task)),
    candidatesTable(results),
    goalsTable(results),
    missingPeers(results),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** All candidates and all tasks in one table, medians only: what a user chooses by. */
export function summaryTable({ tasks, candidates }: SuiteResults): string {
  const names = Object.keys(tasks);
  const everyone = [
    ...new Set([...Object.keys(candidates), ...names.flatMap((name) => Object.keys(tasks[name]?.measurements ?? {}))]),
  ];
  if (names.length < 2) return '';
  const rows = everyone.map((candidate) => {
    const bytes = candidates[candidate]?.fileBytes ?? null;
    const medians = names.map((name) => {
      const found = tasks[name]?.measurements[candidate];
      return found?.kind === 'measured' ? formatTime(found.median) : found?.kind === 'failed' ? 'failed' : '';
    });
    return [candidate, bytes === null || bytes === 0 ? '' : formatBytes(bytes), ...medians];
  });
  return `### All tasks, medians\n\n${table(['candidate', 'size', ...names], rows)}`;
}

/** One task's table: who, the median, the spread, the ratio to the baseline. */
function taskTable(results: SuiteResults, name: string): string {
  const task = results.tasks[name];
  if (task === undefined) return '';
  const baseline = task.measurements[results.baseline];
  const base = baseline?.kind === 'measured' ? baseline.median : null;
  const order = (measurement: Measurement): number => (measurement.kind === 'measured' ? measurement.median : Infinity);
  const rows = Object.entries(task.measurements)
    .sort(([, a], [, b]) => order(a) - order(b))
    .map(([candidate, measurement]) => [candidate, ...measurementCells(measurement, base, baseline)]);
  const failures = Object.entries(task.measurements).flatMap(([candidate, found]) =>
    found.kind === 'failed' ? [`- ${candidate} failed: ${firstLine(found.reason)}`] : [],
  );
  return [
    `### ${name}: ${task.title}`,
    table(
      ['candidate', 'median', 'p10 - p90', 'min', `x ${results.baseline}`, 'loop delay max', 'read by calls'],
      rows,
    ),
    failures.join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function measurementCells(measurement: Measurement, base: number | null, baseline: Measurement | undefined): string[] {
  switch (measurement.kind) {
    case 'measured': {
      const otherRun = baseline?.kind === 'measured' && baseline.run !== measurement.run;
      return [
        formatTime(measurement.median),
        `${formatTime(measurement.p10)} - ${formatTime(measurement.p90)}`,
        formatTime(measurement.min),
        base === null ? '' : `${formatRatio(measurement.median / base)}${otherRun ? ' (another run)' : ''}`,
        measurement.eventLoopDelay === null ? '' : `${measurement.eventLoopDelay.maxMs.toFixed(1)} ms`,
        measurement.readBytes === null || measurement.readBytes < READ_SHOWN_BYTES
          ? ''
          : formatBytes(measurement.readBytes),
      ];
    }
    case 'not offered':
      return ['not offered', '', '', '', '', ''];
    case 'failed':
      return ['failed', '', '', '', '', ''];
  }
}

function candidatesTable(results: SuiteResults): string {
  const rows = Object.entries(results.candidates).map(
    ([candidate, { loadNs, fileBytes, hugePages, peakRssBytes, peakAnonymousBytes }]) => [
      candidate,
      (fileBytes ?? 0) === 0 ? '' : formatBytes(fileBytes ?? 0),
      formatTime(loadNs),
      formatBytes(peakRssBytes),
      peakAnonymousBytes === null ? '' : formatBytes(peakAnonymousBytes),
      hugePages === null ? '' : formatBytes(hugePages.fileBytes),
    ],
  );
  return rows.length === 0
    ? ''
    : `### Files and memory\n\n` +
        table(['candidate', 'files', 'open or load', 'peak RSS', 'peak anonymous', 'file pages of 2 MiB'], rows);
}

function goalsTable(results: SuiteResults): string {
  if (results.goals.length === 0) return '';
  const heading = results.quick || results.cold ? '### Goals (they are meant for the full, warm run)' : '### Goals';
  return `${heading}\n\n${table(['task', 'goal', 'measured', ''], results.goals.map(goalCells))}`;
}

function goalCells({ goal, value, reached, note }: GoalResult): string[] {
  const shown = (format: (value: number) => string): string => (value === null ? '' : format(value));
  const verdict = reached === null ? 'not measured' : reached ? 'reached' : 'missed';
  const cells = (task: string, wanted: string, measured: string): string[] => [
    task,
    `${goal.subject} <= ${wanted}`,
    measured,
    note === null ? verdict : `${verdict}: ${note}`,
  ];
  switch (goal.kind) {
    case 'time':
      return cells(goal.task, formatTime(goal.atMostNs), shown(formatTime));
    case 'ratio':
      return cells(goal.task, `${formatShare(goal.atMost)} x ${goal.against}`, shown(formatShare));
    case 'size':
      return cells('size', formatBytes(goal.atMostBytes), shown(formatBytes));
    case 'size-ratio':
      return cells('size', `${formatShare(goal.atMost)} x ${goal.against}`, shown(formatShare));
    default:
      return assertNever(goal);
  }
}

function missingPeers(results: SuiteResults): string {
  if (results.missing.length === 0) return '';
  const lines = results.missing.map(({ peer, reason }) => `- ${peer}: ${firstLine(reason)}`);
  return `### Not measured\n\n${lines.join('\n')}`;
}

function head(results: SuiteResults): string {
  const run = results.runs.at(-1);
  const versions = Object.entries(results.versions).map(
    ([peer, found]) =>
      `${peer} (${Object.entries(found)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')})`,
  );
  const lines = [`## ${results.suite}: ${results.title}`];
  if (run !== undefined) {
    const { machine, revision, cache } = run;
    const seen =
      cache.cachedShare === null
        ? ''
        : `, ${(cache.cachedShare * 100).toFixed(0)} % of the files' bytes cached at the start`;
    lines.push(
      `${machine.cpu}, ${machine.cores} cores, ${formatBytes(machine.memoryBytes)}, ${machine.platform}, kernel ` +
        `${machine.kernel}, huge pages ${machine.transparentHugePages ?? 'unknown'}, Node ${machine.node}`,
      `data ${results.data.name}${results.quick ? ' (quick)' : ''}, page cache ${cache.asked}${seen}, load ` +
        `${run.loadAverage.toFixed(2)}, ${run.date}, commit ` +
        `${revision.commit?.slice(0, 12) ?? 'unknown'}${revision.modified ? ' + changes' : ''}`,
    );
  }
  if (versions.length > 0) lines.push(versions.join('; '));
  return lines.join('\n\n');
}

/** Rows as an aligned Markdown table. Empty columns are left out. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = header.map((_, column) => column).filter((column) => rows.some((row) => (row[column] ?? '') !== ''));
  const picked = [header, ...rows].map((row) => used.map((column) => row[column] ?? ''));
  const widths = used.map((_, i) => picked.reduce((widest, row) => Math.max(widest, (row[i] ?? '').length), 3));
  const padded = (cell: string, i: number): string =>
    i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0);
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, i) => padded(cell, i)).join(' | ')} |`;
  const ruled = widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`));
  const rule = `|${ruled.join('|')}|`;
  return [line(picked[0] ?? []), rule, ...picked.slice(1).map(line)].join('\n');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Nanoseconds with three digits and a unit. */
export function formatTime(ns: number): string {
  if (ns < 1e3) return `${ns.toPrecision(3)} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toPrecision(3)} us`;
  if (ns < 999.5e6) return `${(ns / 1e6).toPrecision(3)} ms`;
  return `${(ns / 1e9).toFixed(2)} s`;
}

function formatRatio(ratio: number): string {
  return `${ratio < 0.995 ? ratio.toPrecision(2) : ratio < 99.5 ? ratio.toPrecision(3) : ratio.toFixed(0)}x`;
}

function formatShare(share: number): string {
  return share < 0.6 ? `1/${(1 / share).toPrecision(3).replace(/\.?0+$/, '')}` : share.toFixed(2);
}

export function formatBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(2)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
