// W3: how fast do training items come out of a file, one by one, in batches and through a loader? Sets A (few large
// items), B (many small ones) and M (opening a million).
import type { Goal, Suite, SuiteTask } from '../src/suite.ts';
import { generateW3 } from './w3-data.ts';

const OURS = 'syrah/sync';
const LMDB = 'lmdb/binary';
const PYTHON = 'python-syrah/file';
/** A few lines of Python that do what the original does at least, for where the original cannot be had. */
const ITS_WAY = 'python-bson-numpy/file';

const task = (name: string, title: string, { rounds = 15, samples = 3, repeat = 1, checks = 1 } = {}): SuiteTask => ({
  name,
  title,
  rounds,
  samples,
  repeat,
  checks,
});
const ratio = (name: string, subject: string, against: string, atMost: number): Goal => ({
  kind: 'ratio',
  task: name,
  subject,
  against,
  atMost,
});

const TASKS: readonly SuiteTask[] = [
  task('view', 'the arrays of a random item, without a copy where that is offered', { repeat: 2000, checks: 200 }),
  task('get', "the arrays of a random item, as copies of one's own", { repeat: 2000, checks: 200 }),
  task('sum', 'the same without need of a copy, and every number read', { repeat: 2000, checks: 200 }),
  task('label', 'only the label of a random item', { repeat: 2000, checks: 200 }),
  task('batch-new', 'the largest array of 32 random items, stacked into a new array', { repeat: 100, checks: 30 }),
  task('batch-into', 'the same into a reused array', { repeat: 100, checks: 30 }),
  task('open', 'open the file and count its items', { samples: 10 }),
  task('write', 'write all items, not waiting for the disk', { rounds: 7, samples: 1 }),
  task('epoch', 'an epoch of shuffled batches of 32 (workers run since an earlier one), a consumer that does nothing', {
    rounds: 7,
    samples: 1,
  }),
];

const GOALS: readonly Goal[] = [
  ratio('view', OURS, LMDB, 1 / 8),
  ratio('view', OURS, PYTHON, 1 / 30),
  ratio('view', OURS, ITS_WAY, 1 / 30),
  ratio('get', OURS, LMDB, 1 / 2),
  ratio('batch-new', OURS, LMDB, 1 / 3),
  ratio('batch-into', OURS, LMDB, 1 / 3),
  ratio('write', OURS, LMDB, 1 / 1.6),
  ratio('epoch', 'syrah/loader-w0', OURS, 1.2),
];

export const w3a: Suite = {
  name: 'w3a',
  title: 'items: 10,000 x { features f64[1000], label i64[1] }',
  baseline: OURS,
  tasks: [...TASKS, task('epoch-5ms', 'the same, a consumer that computes 5 ms a batch', { rounds: 5, samples: 1 })],
  goals: [...GOALS, ratio('epoch-5ms', 'syrah/loader-w2', 'syrah/resident', 1.02)],
  data: (quick) => ({ name: quick ? 'a-1k' : 'a-10k', parameters: { items: quick ? 1000 : 10_000 } }),
  generate: (parameters, directory, progress) => generateW3('a', parameters, directory, progress),
};

export const w3b: Suite = {
  name: 'w3b',
  title: 'items: 200,000 x { label i32[1], fixed f32[100], var i32[10..100] }',
  baseline: OURS,
  tasks: TASKS,
  goals: GOALS,
  data: (quick) => ({ name: quick ? 'b-20k' : 'b-200k', parameters: { items: quick ? 20_000 : 200_000 } }),
  generate: (parameters, directory, progress) => generateW3('b', parameters, directory, progress),
};

export const w3m: Suite = {
  name: 'w3m',
  title: 'opening a million items of six arrays (96 MB of ranges)',
  baseline: OURS,
  tasks: [
    task('open', 'open the file and count its items', { samples: 10 }),
    task('first', 'open it and read one item', { samples: 10, checks: 10 }),
  ],
  goals: [
    ratio('open', OURS, PYTHON, 1 / 30),
    ratio('open', OURS, ITS_WAY, 1 / 30),
    { kind: 'time', task: 'open', subject: OURS, atMostNs: 5e6 },
  ],
  data: (quick) => ({ name: quick ? 'm-100k' : 'm-1m', parameters: { items: quick ? 100_000 : 1_000_000 } }),
  generate: () => undefined,
};
