// The tasks that W2 and the cross-format suites share, in the order of their tables.
import type { SuiteTask } from '../../src/suite.ts';

const task = (name: string, title: string, { rounds = 9, samples = 2, repeat = 1 } = {}): SuiteTask => ({
  name,
  title,
  rounds,
  samples,
  repeat,
  checks: 1,
});

/** Of the suites that have a CSV file to read in. */
export const CSV_TASK: SuiteTask = task(
  'csv',
  'the CSV file -> a file in the own format (hyparquet: columns in memory -> file)',
  { rounds: 3, samples: 1 },
);

/** Of the suites that have a file of JSON lines, too. */
export const TEXT_TASKS: readonly SuiteTask[] = [
  CSV_TASK,
  task('csv-out', 'the file in the own format -> a CSV file', { rounds: 3, samples: 1 }),
  task('json', 'the file of JSON lines -> a file in the own format', { rounds: 3, samples: 1 }),
  task('json-out', 'the file in the own format -> a file of JSON lines', { rounds: 3, samples: 1 }),
];

export const TABLE_TASKS: readonly SuiteTask[] = [
  task('write', 'columns in memory -> a file, not waiting for the disk where that can be told', {
    rounds: 3,
    samples: 1,
  }),
  task('open', 'open the file, tell its rows and columns', { samples: 5 }),
  task('pair', 'two columns into typed arrays'),
  task('all', 'all columns into JavaScript values: typed arrays (or values) and strings', { rounds: 3, samples: 3 }),
  task('dense', 'all columns as numbers and codes: Arrow in Python, typed arrays here', { rounds: 5 }),
  task('slice', 'a fiftieth of the rows in a row, all columns, as values'),
  task('take', '10,000 random rows, all columns, as values', { rounds: 5 }),
  task('filter', 'rows with a number above a bound and a text equal to another (some 0.5 %), two columns of them'),
  task('group', 'the sum of a column for each text of another'),
];
