// W2: how small is a table of five million orders in each format, and how fast do columns, matching rows and sums come
// out of it? Goals are for a machine of two cores.
import type { Goal, Suite, SuiteTask } from '../src/suite.ts';
import { generateOrders } from './orders-files.ts';
import { tableParameters } from './table/files.ts';
import { CSV_TASK, TABLE_TASKS } from './table/tasks.ts';

const OURS = 'columna/default';
const SMALLEST = 'columna/smallest';
const VORTEX = 'vortex-file/default';
const COMPACT = 'vortex-file/compact';
const DUCKDB = ['duckdb/parquet-snappy', 'duckdb/parquet-zstd'];
const HYPARQUET = 'hyparquet/snappy';
const PARQUET_WASM = 'parquet-wasm/zstd';

const ratio = (name: string, against: string, atMost: number): Goal => ({
  kind: 'ratio',
  task: name,
  subject: OURS,
  against,
  atMost,
});
const duckdb = (name: string, atMost: number): Goal[] => DUCKDB.map((against) => ratio(name, against, atMost));
const size = (subject: string, atMostBytes: number): Goal => ({ kind: 'size', subject, atMostBytes });
const sizeRatio = (subject: string, against: string, atMost: number): Goal => ({
  kind: 'size-ratio',
  subject,
  against,
  atMost,
});

function asked(name: string, title: string, samples: number): SuiteTask {
  return { name, title, rounds: 5, samples, repeat: 1, checks: 1 };
}

/** Sizes that are promised are promised of the full data: a tenth of it has another trend. */
export const w2: Suite = {
  name: 'w2',
  title: 'orders: 5 M x (order_id i64, ts, region, status, amount f64, quantity i32, note: 70 % null)',
  baseline: OURS,
  tasks: [
    CSV_TASK,
    ...TABLE_TASKS,
    asked('stream', 'every row once, two columns, a batch at a time: one of them is summed', 1),
    asked('match', 'some half of the rows, by a bound, two columns, a batch at a time: one of them is summed', 1),
    asked('computed', 'how many rows a predicate leaves that computes', 3),
    asked('either', 'how many rows one of two terms leaves', 3),
    asked('month', 'how many rows are of a month', 3),
    asked('parts', 'sums of one column by a text and a part of moments', 3),
    asked('product', 'the sum of a product of two columns', 3),
    asked('order', 'two columns in the order of two', 1),
  ],
  goals: [
    size(OURS, 17.8e6),
    sizeRatio(OURS, VORTEX, 0.64),
    sizeRatio(OURS, COMPACT, 1.06),
    size(SMALLEST, 16.9e6),
    sizeRatio(SMALLEST, COMPACT, 1.01),
    ratio('pair', VORTEX, 1),
    ratio('filter', VORTEX, 1),
    ...duckdb('filter', 1 / 3),
    ratio('all', PARQUET_WASM, 1 / 7),
    ratio('all', HYPARQUET, 1 / 7),
    ratio('dense', COMPACT, 1),
    ...duckdb('group', 1 / 2),
    ...duckdb('csv', 0.5),
    ratio('csv', HYPARQUET, 1 / 5),
    ratio('take', HYPARQUET, 1 / 10),
    ratio('take', PARQUET_WASM, 1 / 10),
    ratio('take', 'pyarrow-parquet/zstd', 1 / 10),
  ],
  data(quick) {
    return ordersData(quick ? 500_000 : 5_000_000, true);
  },
  generate: ({ rows = 0, takeRows = 0 }, directory, progress) =>
    generateOrders(rows, takeRows, true, directory, progress),
};

/** `withCsv`: there is a CSV file to read in. */
export function ordersData(rows: number, withCsv = false): ReturnType<Suite['data']> {
  return { name: `${String(rows / 1000)}k`, parameters: { ...tableParameters(rows), csv: withCsv ? 1 : 0 } };
}
