// The corpus: real tables of different kinds, each a suite of the same tasks. corpus/prepare.py makes them, with what
// is asked of each.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_FOLDER } from '../../src/cache-folder.ts';
import { PACKAGE_FOLDER } from '../../src/checkouts/package-folder.ts';
import type { Suite, SuiteTask } from '../../src/suite.ts';
import { flightsParquetPath } from '../flights.ts';

export const CORPUS: Readonly<Record<string, string>> = {
  flights: '3 M flights: date, delay, distance, two airports',
  lines: "the lines of Python's library, with path and number",
  nyc: '337 thousand flights in 19 columns, numbers with nulls and texts',
  weather: 'hourly weather of three airports',
  cities: '145 thousand cities with coordinates',
  soldiers: '1.4 M soldiers: a few classes in each of six columns',
  survey: 'a survey of 18 columns, a fifth of it null',
  values: '349 thousand answers by country and year',
  laboratory: '400 thousand laboratory values of 18 thousand patients',
  ratings: '100 thousand ratings of movies, with titles and genres',
  tweets: '21 thousand short messages with counters',
  stocks: 'daily prices of stocks',
  log: 'an access log (synthetic): addresses, paths, agents',
  words: 'the 236 thousand words of a dictionary, sorted',
  trades: 'a million trades in the order of their time (synthetic)',
  documents: '67 thousand JSON documents',
  genes: 'expression of 6,830 genes in 64 columns of floats',
  wide: 'a survey of 789 columns, a third of it null',
};

/** At most 236 thousand rows, which most tasks read in a millisecond or two: a sample is the mean of some calls. */
const SMALL: ReadonlySet<string> = new Set([
  'weather',
  'cities',
  'ratings',
  'tweets',
  'stocks',
  'words',
  'documents',
  'genes',
]);
const CALLS_OF_SMALL = 16;
/** Before a reading task is timed: a service has asked some hundred times before. */
const WARM_UP_MS = 1000;

const task = (name: string, title: string, rounds = 7, samples = 2): SuiteTask => ({
  name,
  title,
  rounds,
  samples,
  repeat: 1,
  checks: 1,
});

export const CORPUS_TASKS: readonly SuiteTask[] = [
  task('write', 'an Arrow table in memory -> a file', 3, 1),
  task('open', 'open the file, tell its rows and columns'),
  task('pair', 'two columns, as Arrow'),
  task('dense', 'all columns, as Arrow'),
  task('slice', 'a fiftieth of the rows in a row, all columns, as Arrow'),
  task('take', '1,000 random rows, in order, all columns, as Arrow'),
  task('filter', 'rows with a number beyond nine tenths of them: two columns, as Arrow'),
  task('text', 'rows with a text equal to another: two columns, as Arrow'),
  task('group', 'the sum of a column by another of few values'),
];

const callsOf = (table: string, { name }: SuiteTask): number =>
  name === 'write' || !SMALL.has(table) ? 1 : CALLS_OF_SMALL;

export const suiteName = (table: string): string => `corpus-${table}`;
export const corpusSuite = (table: string): Suite => ({
  name: suiteName(table),
  title: CORPUS[table] ?? '',
  baseline: 'vortex-file/default',
  tasks: CORPUS_TASKS.map((task) => ({
    ...task,
    repeat: callsOf(table, task),
    ...(task.name === 'write' ? {} : { warmUpMs: WARM_UP_MS }),
  })),
  goals: [],
  data: () => ({ name: 'whole', parameters: {} }),
  generate: (_, directory) => generate(table, directory),
});

function generate(table: string, directory: string): void {
  const python = process.env['COLKIT_PYTHON'];
  if (python === undefined || python === '')
    throw new Error('the corpus is made by a Python with pyarrow, pandas and pip: set COLKIT_PYTHON to one');
  const flights = flightsParquetPath();
  const { status } = spawnSync(
    python,
    [join(PACKAGE_FOLDER, 'corpus/prepare.py'), table, directory, join(CACHE_FOLDER, 'packages')],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...(existsSync(flights) ? { COLKIT_FLIGHTS: flights } : {}) },
    },
  );
  if (status !== 0) throw new Error(`corpus/prepare.py failed for ${table}`);
}
