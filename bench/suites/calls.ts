// What does a call cost before its work? Small reads, small writes over an existing file, views: checks of arguments,
// locks and steps on disk show here, where a gather of a million rows hides them.
import type { Suite, SuiteTask } from '../src/suite.ts';

const task = (name: string, title: string, { samples = 3, repeat = 500, checks = 20 } = {}): SuiteTask => ({
  name,
  title,
  rounds: 15,
  samples,
  repeat,
  checks,
});
const write = (name: string, title: string): SuiteTask => task(name, title, { repeat: 10, checks: 2 });

export const calls: Suite = {
  name: 'calls',
  title: 'small calls: tables of 100,000 x 5 and x 4 columns, a file of 1,000 rows, 64 items',
  baseline: 'calls/sync',
  tasks: [
    task('column-at', 'colstore: one value by its row number'),
    task('get-1', 'colstore: `get` of one row, 5 columns'),
    task('get-10', 'colstore: `get` of ten rows, 5 columns'),
    task('take-100', 'colstore: 100 random rows, 2 columns'),
    task('rows-10', 'colstore: ten rows as objects'),
    task('view-slice', 'colstore: a slice of 100 rows, viewed'),
    task('view-column', 'colstore: a column, viewed'),
    task('open-colstore', 'colstore: open, one value, close', { repeat: 50 }),
    task('read-small', 'columna: a file of 1,000 rows x 4 columns, from its path', { repeat: 50 }),
    task('scan-small', 'columna: the rows of it that match', { repeat: 50 }),
    task('batches-100', 'columna: 100,000 rows x 4 columns, 100 rows at a time', { repeat: 2, checks: 2 }),
    task('first-matches', 'columna: the first ten rows of them that match', { repeat: 50 }),
    task('open-syrah', 'syrah: open, one item, close', { repeat: 50 }),
    task('item', 'syrah: one item of three arrays'),
    task('array', 'syrah: one array of an item'),
    write('write-colstore', 'colstore: 100 rows x 3 columns over an existing file, on the disk'),
    write('write-colstore-cached', 'the same without waiting for the disk'),
    write('write-columna', 'columna: 100 rows x 4 columns over an existing file, on the disk'),
    write('write-columna-cached', 'the same without waiting for the disk'),
    write('write-syrah', 'syrah: 4 items over an existing file, on the disk'),
    write('write-syrah-cached', 'the same without waiting for the disk'),
  ],
  goals: [],
  data: () => ({
    name: 'small',
    parameters: { rows: 100_000, fileRows: 1000, items: 64, writtenRows: 100, writtenItems: 4 },
  }),
  generate: () => undefined,
};
