// The results of bench/results -> Markdown with charts. What is not there is said to be not there; tables and
// conditions are those of the harness's own report.
import { formatTime, report } from '../../../bench/src/report/report.ts';
import type { Measurement, SuiteResults, TaskResults } from '../../../bench/src/report/results.ts';
import { sweepReport } from '../../../bench/src/report/sweep-report.ts';
import { sweepSvg } from '../../../bench/src/report/sweep-svg.ts';
import type { SweepResults } from '../../../bench/src/sweep.ts';
import { escapeHtml } from '../html.ts';
import { barsOf } from './bars.ts';
import type { Bar } from './bars.ts';
import { readResultFiles } from './results.ts';

export const NONE =
  '> No measured run is committed in `bench/results/` at this revision, so there is no figure to show.';

/** In place of a task's name: the table of all of them. */
const MEDIANS = 'medians';
/** In place of a task's name: how large the files are. */
const SIZES = 'sizes';

/**
 * All suites, one suite (with all of its machines), one task of it, or the table of its tasks. The names are those of
 * the harness.
 */
export function chartsFor(suite: string | null, task: string | null): string {
  const files = readResultFiles();
  const known = files.flatMap(({ results }) =>
    results !== null && (suite === null || results.suite === suite) ? [results] : [],
  );
  // Figures by themselves do not tell their conditions: those of files that are not cached are on the suite's page.
  const warm = known.filter(({ cold }) => !cold);
  if (task === MEDIANS) return warm.length === 0 ? NONE : warm.map(mediansOf).join('\n\n');
  if (task === SIZES) return warm.flatMap(sizesOf).join('\n\n') || NONE;
  if (task !== null) {
    const parts = warm.flatMap((results) => {
      const found = results.tasks[task];
      return found === undefined
        ? []
        : [`**${plain(found.title)}** (${plain(results.suite)}, ${plain(task)})`, ...taskChart(found)];
    });
    return parts.length === 0 ? NONE : parts.join('\n\n');
  }
  const sweeps = files.flatMap(({ sweep }) =>
    sweep !== null && (suite === null || sweep.suite === suite) ? [sweepCharts(sweep)] : [],
  );
  const others =
    suite === null
      ? files
          .filter(({ results, sweep }) => results === null && sweep === null)
          .map(({ file }) => `\`${file}\` is not a record of the harness and is not drawn.`)
      : [];
  const parts = [...known.map(suiteCharts), ...sweeps, ...others];
  return parts.length === 0 ? NONE : parts.join('\n\n');
}

/** The suites that were run or swept, in the order of their names. */
export function suiteNames(): readonly string[] {
  const found = readResultFiles().flatMap(({ results, sweep }) => results?.suite ?? sweep?.suite ?? []);
  return [...new Set(found)].sort((a, b) => a.localeCompare(b, 'en'));
}

/** A line for each suite, with the way to its page. */
export function overview(): string {
  const files = readResultFiles();
  const rows = suiteNames().map((suite) => {
    const run = files.find(({ results }) => results?.suite === suite)?.results ?? null;
    const sweeps = files.flatMap(({ sweep }) => (sweep?.suite === suite ? [plain(sweep.title)] : []));
    const asked = run === null ? [] : [plain(run.title)];
    const tasks = run === null ? '' : String(Object.keys(run.tasks).length);
    const peers = new Set(Object.keys(run?.candidates ?? {}).map((name) => name.replace(/\/.*/, '')));
    const cells = [
      `[${suite}](/figures/${suite})`,
      [...asked, ...sweeps].join('; '),
      tasks,
      [...peers].map(plain).join(', '),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  if (rows.length === 0) return NONE;
  return ['| suite | what is asked | tasks | who answers |', '|---|---|--:|---|', ...rows].join('\n');
}

/** How times and memory grow: the harness's own drawing, in the site's colours, and its tables. */
function sweepCharts(sweep: SweepResults): string {
  const [head = '', ...tables] = sweepReport(sweep).split(/\n\n(?=### )/);
  return [
    escapeProse(head),
    `<figure class="figure curves" v-pre>${sweepSvg(sweep).trim().replace(/\{\{/g, '&#123;&#123;')}</figure>`,
    ...tables.map(escapeProse),
  ].join('\n\n');
}

function suiteCharts(results: SuiteResults): string {
  const tasks = Object.entries(results.tasks).flatMap(([name, task]) => [
    `### ${plain(name)}: ${plain(task.title)}`,
    ...taskChart(task),
  ]);
  const [head = '', ...sections] = report(results).split(/\n\n(?=### )/);
  const tables = sections.filter((section) => !isOfTask(section, results)).map((section) => escapeProse(section));
  return [escapeProse(head), ...sizesChart(results), ...tasks, ...tables].join('\n\n');
}

/** What was asked of which candidates, in one table. */
function mediansOf(results: SuiteResults): string {
  const table =
    report(results)
      .split(/\n\n(?=### )/)
      .find((section) => section.startsWith('### All tasks')) ?? '';
  return `**${plain(results.title)}**\n\n${escapeProse(table.replace(/^### .*\n+/, ''))}`;
}

function taskChart(task: TaskResults): string[] {
  const bars = Object.entries(task.measurements).flatMap(([name, found]) =>
    found.kind === 'measured' ? [barOf(name, found)] : [],
  );
  const left = Object.entries(task.measurements)
    .filter(([, { kind }]) => kind !== 'measured')
    .map(([candidate, { kind }]) => `${escapeHtml(candidate)} (${kind})`);
  const chart = barsOf(task.title, bars);
  return [
    chart === '' ? 'Not measured.' : chart,
    ...(left.length === 0 ? [] : [`<p class="figure-note" v-pre>Without a bar: ${left.join(', ')}.</p>`]),
  ];
}

function barOf(name: string, { median, p10, p90 }: Extract<Measurement, { kind: 'measured' }>): Bar {
  return { name, value: median, text: formatTime(median), spread: [p10, p90] };
}

/** With a heading, where the sizes are not the same for all. */
function sizesChart(results: SuiteResults): string[] {
  const chart = sizesOf(results);
  return chart.length === 0 ? [] : ['### Sizes of the files', ...chart];
}

/** How large the candidates' files are, where that is known and not the same for all. */
function sizesOf(results: SuiteResults): string[] {
  const bars = Object.entries(results.candidates).flatMap(([name, { fileBytes }]) => {
    const bytes = fileBytes ?? 0;
    return bytes === 0 ? [] : [{ name, value: bytes, text: `${(bytes / 1e6).toPrecision(4)} MB`, spread: null }];
  });
  return new Set(bars.map(({ value }) => value)).size < 2 ? [] : [barsOf('Sizes of the files', bars)];
}

/** Whether a section of the report is the table of one task: charts stand for those. */
function isOfTask(section: string, { tasks }: SuiteResults): boolean {
  return Object.keys(tasks).some((name) => section.startsWith(`### ${name}: `));
}

/** Markdown of the harness, fit for a Vue template; numbers stay with their units. */
function escapeProse(markdown: string): string {
  return markdown
    .replace(/</g, '&lt;')
    .replace(/\{\{/g, '&#123;&#123;')
    .replace(/(\d) (?=[kMG]?B\b|[mun]?s\b)/g, '$1\u00a0');
}

function plain(text: string): string {
  return escapeHtml(text).replace(/([*_`[\]])/g, '\\$1');
}
