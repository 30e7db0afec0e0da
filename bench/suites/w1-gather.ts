// W1: how fast do rows come out of a table of 20 million rows and five columns (500 MB) that nobody has loaded? Goals
// are for a machine of two cores.
import type { Goal, Suite, SuiteTask } from '../src/suite.ts';
import { generateW1, w1Parameters } from './w1-data.ts';

const OURS = 'colstore/sync-x2';
const LOOP = 'plain-js/loop';
const NUMPY = 'numpy-memmap/take';
const PYTHON = 'python-colstore/x2';

const task = (name: string, title: string, { samples = 3, repeat = 1, checks = 1 } = {}): SuiteTask => ({
  name,
  title,
  rounds: 15,
  samples,
  repeat,
  checks,
});
const ratio = (name: string, against: string, atMost: number): Goal => ({
  kind: 'ratio',
  task: name,
  subject: OURS,
  against,
  atMost,
});
const time = (name: string, atMostNs: number): Goal => ({ kind: 'time', task: name, subject: OURS, atMostNs });

export const w1: Suite = {
  name: 'w1',
  title: 'gather rows of 20 M x (price f64, qty i32, ts i64, score f32, flag u8)',
  baseline: OURS,
  tasks: [
    task('a-new', '1 row in 20, random order, 2 columns, new arrays'),
    task('a-into', 'the same into reused arrays'),
    task('b-new', 'the same rows sorted, 2 columns, new arrays'),
    task('b-into', 'the same into reused arrays'),
    task('c-copy', 'a slice of a quarter of the rows, 2 columns, copied'),
    task('c-view', 'the same without a copy', { repeat: 20 }),
    task('d-copy', 'all of price, copied'),
    task('d-view', 'the same without a copy', { repeat: 20 }),
    task('e-small', '100 random rows, other ones each time, 5 columns', { repeat: 256, checks: 64 }),
    task('f-open', 'open the file and read its metadata', { samples: 10 }),
    task('g-mask', 'a mask of 10 %, 2 columns, new arrays'),
  ],
  goals: [
    ratio('a-new', LOOP, 1 / 8),
    ratio('a-new', NUMPY, 1 / 3),
    ratio('a-new', PYTHON, 0.75),
    ratio('b-new', NUMPY, 1 / 2.7),
    ratio('g-mask', PYTHON, 1 / 2),
    ratio('e-small', LOOP, 1 / 2),
    ratio('e-small', PYTHON, 1 / 10),
    time('d-view', 100e3),
    time('f-open', 200e3),
  ],
  data(quick) {
    const rows = quick ? 2_000_000 : 20_000_000;
    return { name: `${String(rows / 1e6)}m`, parameters: w1Parameters(rows) };
  },
  generate: generateW1,
};
