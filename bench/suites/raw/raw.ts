// What is asked of columns as they lie: which rows match, how many, and what they add up to. Goals are for a machine of
// two cores.
import type { Goal, Suite, SuiteTask } from '../../src/suite.ts';
import { generateRaw } from './data.ts';

const OURS = 'colstore/sync-x2';
const NUMPY = 'numpy-memmap/take';

/** A few milliseconds each: by itself, a call after a pause is half of it the time that sleeping cores take to wake. */
const SHORT = { repeat: 16 };

const task = (name: string, title: string, { rounds = 9, repeat = 1 } = {}): SuiteTask => ({
  name,
  title,
  rounds,
  samples: 3,
  repeat,
  checks: 1,
});
const ratio = (name: string, atMost: number): Goal => ({
  kind: 'ratio',
  task: name,
  subject: OURS,
  against: NUMPY,
  atMost,
});
const plain = (name: string): Goal => ({
  kind: 'ratio',
  task: name,
  subject: 'colstore-js/sync',
  against: 'plain-js/loop',
  atMost: 1,
});

export const raw: Suite = {
  name: 'raw',
  title: 'questions to 5 M rows of raw columns (f8, f4, f2, i8, i4, a text of 8 bytes)',
  baseline: OURS,
  tasks: [
    task('sum-f8', 'the sum of float64', SHORT),
    task('sum-f4', 'the sum of float32', SHORT),
    task('sum-f2', 'the sum of float16, as float64', SHORT),
    task('sum-i8', 'the sum of int64', SHORT),
    task('sum-i4', 'the sum of int32', SHORT),
    task('max-f8', 'the largest float64', SHORT),
    task('max-f4', 'the largest float32', SHORT),
    task('min-i8', 'the smallest int64', SHORT),
    task('below-i8', 'how many int64 are below a number, one in two', SHORT),
    task('two-terms', 'how many rows match a float64 above a number and an int32 that equals one', SHORT),
    task('arithmetic', 'how many rows have f8 * 2 + i4 above a number'),
    task('text', 'how many texts equal one of 300'),
    task('text-below', 'how many texts are below one of 300'),
    task('max-text', 'the largest text'),
    task('max-text-by-i4', 'the largest text by an int32 of 7 values', { rounds: 3 }),
    task('sum-where', 'the sum of float64 where a float32 is above 0'),
    task('by-i4', 'the sums of float64 by an int32 of 7 values'),
    task('by-text', 'the sums of float64 by a text of 300 values', { rounds: 3 }),
  ],
  goals: [
    ...['sum-f8', 'sum-f4', 'sum-i8', 'sum-i4', 'max-f8', 'max-f4', 'min-i8', 'below-i8', 'by-i4'].map((name) =>
      ratio(name, 1),
    ),
    ...['sum-f2', 'two-terms', 'arithmetic', 'text', 'text-below', 'sum-where', 'by-text'].map((name) =>
      ratio(name, 0.5),
    ),
    { kind: 'ratio', task: 'max-text-by-i4', subject: OURS, against: 'colstore-js/sync', atMost: 0.5 },
    ...['sum-f8', 'max-f8', 'sum-i4', 'by-i4'].map(plain),
  ],
  data(quick) {
    const rows = quick ? 500_000 : 5_000_000;
    return { name: `${String(rows / 1e6)}m`, parameters: { rows } };
  },
  generate: generateRaw,
};
