// All tables of the corpus on one page: bytes of each candidate's file, and a table of times for each candidate of
// ours beside the quickest way of the others.
import { formatBytes, formatTime, table } from '../../src/report/report.ts';
import type { SuiteResults } from '../../src/report/results.ts';
import type { Clock } from '../../src/run/protocol.ts';
import { CORPUS, CORPUS_TASKS } from './corpus.ts';

const PEER = 'vortex-file/default';

/** How it was measured, a section of sizes, and one of times for each candidate. */
export function corpusSummary(found: ReadonlyMap<string, SuiteResults>, clock: Clock): string {
  const candidates = [...new Set([...found.values()].flatMap((results) => Object.keys(results.candidates)))];
  return [
    conditions([...found.values()], clock),
    '## Bytes',
    sizes(found, candidates),
    ...candidates.flatMap((candidate) => [
      `## ${candidate}: times`,
      candidate === PEER ? 'Medians.' : `Medians, and in brackets how many times those of ${PEER}.`,
      times(found, candidate),
    ]),
  ].join('\n\n');
}

const CLOCKS: Readonly<Record<Clock, string>> = {
  wall: 'Times by the clock',
  cpu: "Times of the processor, of all of a candidate's threads together",
};

function conditions(results: readonly SuiteResults[], clock: Clock): string {
  const { cpu, cores, node } = results[0]?.runs[0]?.machine ?? { cpu: 'unknown', cores: 0, node: '' };
  const versions = new Map(results.flatMap(({ versions: all }) => Object.values(all)).flatMap(Object.entries<string>));
  const named = [...versions].map(([name, version]) => `${name} ${version}`).join(', ');
  return `${CLOCKS[clock]}; ${cpu}, ${String(cores)} cores, Node ${node}; ${named}.`;
}

function sizes(found: ReadonlyMap<string, SuiteResults>, candidates: readonly string[]): string {
  return table(
    ['table', ...candidates],
    [...found].map(([name, results]) => [
      `${name}: ${CORPUS[name] ?? ''}`,
      ...candidates.map((candidate) => {
        const bytes = results.candidates[candidate]?.fileBytes;
        return bytes === undefined || bytes === null ? '' : formatBytes(bytes);
      }),
    ]),
  );
}

function times(found: ReadonlyMap<string, SuiteResults>, candidate: string): string {
  return table(
    ['table', ...CORPUS_TASKS.map(({ name }) => name)],
    [...found].map(([name, results]) => [
      name,
      ...CORPUS_TASKS.map((task) => {
        const own = medianOf(results, task.name, candidate);
        const peer = medianOf(results, task.name, PEER);
        if (own === null) return '';
        return candidate === PEER || peer === null
          ? formatTime(own)
          : `${formatTime(own)} (${(own / peer).toFixed(2)})`;
      }),
    ]),
  );
}

function medianOf(results: SuiteResults, task: string, candidate: string): number | null {
  const measured = results.tasks[task]?.measurements[candidate];
  return measured?.kind === 'measured' ? measured.median : null;
}

/** Names of tables; none: all. @throws Error for one that there is not. */
export function corpusTables(names: readonly string[]): readonly string[] {
  for (const name of names)
    if (!Object.hasOwn(CORPUS, name))
      throw new Error(`unknown table ${name}; there are ${Object.keys(CORPUS).join(', ')}`);
  return names.length === 0 ? Object.keys(CORPUS) : names;
}
