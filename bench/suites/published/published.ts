// The benchmark that Python's colstore publishes, over one record, a thousand records and a thousand files; and small
// records as they come. Goals are for a machine of two cores.
import type { Goal, Suite, SuiteTask } from '../../src/suite.ts';
import { generatePublished, publishedParameters } from './data.ts';

const OURS = 'colstore/one-x2';
const task = (name: string, title: string): SuiteTask => ({ name, title, rounds: 9, samples: 3, repeat: 1, checks: 1 });
const ratio = (name: string, subject: string, against: string, atMost: number): Goal => ({
  kind: 'ratio',
  task: name,
  subject,
  against,
  atMost,
});

const READS = ['columns', 'records', 'random'];

export const published: Suite = {
  name: 'published',
  title: 'a fifth of the rows of 5 M x 8 float64, in one record, 1,000 records, 1,000 files',
  baseline: OURS,
  tasks: [
    task('columns', '1 M rows by sorted, distinct numbers, all columns'),
    task('records', 'the same as packed records'),
    task('random', '1 M random rows, all columns'),
    task('write-small', '1,000 records of 50 rows, one after another, into a new file'),
  ],
  goals: [
    ...READS.map((name) => ratio(name, OURS, 'python-colstore/one-x2', 0.75)),
    ...['records-x2', 'files-x2'].flatMap((cut) => READS.map((name) => ratio(name, `colstore/${cut}`, OURS, 1.3))),
    ratio('write-small', OURS, 'python-colstore/one-x2', 1),
  ],
  data(quick) {
    const rows = quick ? 500_000 : 5_000_000;
    return { name: `${String(rows / 1e6)}m`, parameters: publishedParameters(rows) };
  },
  generate: generatePublished,
};
