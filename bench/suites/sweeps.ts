// The sizes that suites are swept over, and who takes part: few candidates, the best of each kind.
import type { Suite, Sweep, SweepPoint } from '../src/suite.ts';
import { tableParameters } from './table/files.ts';
import { w1Parameters } from './w1-data.ts';
import { wideData } from './wide.ts';

const same = (...candidates: string[]): SweepPoint['candidates'] =>
  Object.fromEntries(candidates.map((candidate) => [candidate, candidate]));

/** W1: rows of the table (a twentieth is taken), how many rows are taken of the same table, and threads. */
const W1_COMMON = same('colstore/sync-x2', 'colstore/async-x2', 'plain-js/loop', 'numpy-memmap/take');
const W1_SWEEP_ROWS = 5_000_000;

function w1Of(rows: number, gatherRows: number): SweepPoint['data'] {
  return { name: `sweep-${String(rows)}-${String(gatherRows)}`, parameters: { ...w1Parameters(rows), gatherRows } };
}

export const W1_SWEEPS: readonly Sweep[] = [
  {
    name: 'rows',
    title: 'cost over the rows of the table; a twentieth of them is taken, a quarter sliced',
    unit: 'rows',
    tasks: ['a-new', 'c-copy', 'f-open', 'g-mask'],
    points: [500_000, 1_000_000, 2_000_000, 5_000_000].map((rows) => ({
      x: rows,
      data: w1Of(rows, rows / 20),
      candidates: W1_COMMON,
    })),
  },
  {
    name: 'selectivity',
    title: 'cost over the rows that are taken of a table of 5 M rows',
    unit: 'rows taken',
    tasks: ['a-new', 'b-new'],
    points: [1000, 10_000, 100_000, 1_000_000].map((taken) => ({
      x: taken,
      data: w1Of(W1_SWEEP_ROWS, taken),
      candidates: W1_COMMON,
    })),
  },
  {
    name: 'threads',
    title: 'cost over threads, a twentieth of 5 M rows',
    unit: 'threads',
    tasks: ['a-new', 'b-new', 'g-mask'],
    points: [1, 2].map((threads) => ({
      x: threads,
      data: w1Of(W1_SWEEP_ROWS, W1_SWEEP_ROWS / 20),
      candidates: {
        [`colstore/sync-x${String(threads)}`]: 'colstore/sync',
        [`colstore/async-x${String(threads)}`]: 'colstore/async',
        [`python-colstore/x${String(threads)}`]: 'python-colstore',
      },
    })),
  },
];

const W2_COMMON = same(
  'columna/default',
  'columna-js/default',
  'hyparquet/snappy',
  'duckdb/parquet-zstd',
  'pyarrow-parquet/zstd',
  'vortex-file/default',
);

function w2Of(rows: number, takeRows: number): SweepPoint['data'] {
  return {
    name: `sweep-${String(rows)}-${String(takeRows)}`,
    parameters: { ...tableParameters(rows), takeRows, csv: 1 },
  };
}

export const W2_SWEEPS: readonly Sweep[] = [
  {
    name: 'rows',
    title: 'cost over the rows of the file',
    unit: 'rows',
    tasks: ['csv', 'open', 'pair', 'filter', 'group'],
    points: [100_000, 300_000, 1_000_000, 3_000_000].map((rows) => ({
      x: rows,
      data: w2Of(rows, 1000),
      candidates: W2_COMMON,
    })),
  },
  {
    name: 'selectivity',
    title: 'cost over the random rows that are taken of 1 M',
    unit: 'rows taken',
    tasks: ['take'],
    points: [10, 100, 1000, 10_000, 100_000].map((taken) => ({
      x: taken,
      data: w2Of(1_000_000, taken),
      candidates: W2_COMMON,
    })),
  },
  {
    name: 'memory',
    title: 'the same 1,000 rows of files that grow: memory follows what is asked for',
    unit: 'rows',
    tasks: ['take', 'stream'],
    points: [100_000, 300_000, 1_000_000, 3_000_000].map((rows) => ({
      x: rows,
      data: w2Of(rows, 1000),
      candidates: same('columna/default', 'columna-js/default', 'hyparquet/snappy'),
    })),
  },
];

export const WIDE_SWEEPS: readonly Sweep[] = [
  {
    name: 'columns',
    title: 'cost over the columns of a table of 10 row groups',
    unit: 'columns',
    tasks: ['open', 'two'],
    points: [100, 300, 1000, 3000].map((columns) => ({
      x: columns,
      data: wideData(columns, 10),
      candidates: same('columna/default', 'columna/default-sync', 'hyparquet/snappy'),
    })),
  },
  {
    name: 'groups',
    title: 'cost over the row groups of a table of 100 columns',
    unit: 'row groups',
    tasks: ['open', 'two'],
    points: [10, 30, 100, 300].map((groups) => ({
      x: groups,
      data: wideData(100, groups),
      candidates: same('columna/default', 'columna/default-sync', 'hyparquet/snappy'),
    })),
  },
];

const W3_COMMON = same(
  'syrah/sync',
  'lmdb/binary',
  'read-sync/array',
  'limit/memory',
  'python-bson-numpy/file',
  'python-syrah/file',
);

/** Over the number of items. */
function itemsSweep(counts: readonly number[], tasks: readonly string[]): Sweep {
  return {
    name: 'items',
    title: 'cost over the number of items',
    unit: 'items',
    tasks,
    points: counts.map((items) => ({
      x: items,
      data: { name: `sweep-${String(items)}`, parameters: { items } },
      candidates: W3_COMMON,
    })),
  };
}

const ITEM_TASKS = ['get', 'batch-new', 'open', 'write'];

export const W3A_SWEEPS: readonly Sweep[] = [
  itemsSweep([300, 1000, 3000, 10_000], ITEM_TASKS),
  {
    name: 'item-size',
    title: 'cost over the size of an item, 1,000 items',
    unit: 'numbers in the large array of an item',
    tasks: ['view', 'get', 'batch-new', 'write'],
    points: [10, 100, 1000, 10_000].map((features) => ({
      x: features,
      data: { name: `sweep-1000-${String(features)}`, parameters: { items: 1000, features } },
      candidates: W3_COMMON,
    })),
  },
];
export const W3B_SWEEPS: readonly Sweep[] = [itemsSweep([3000, 10_000, 30_000, 100_000], ITEM_TASKS)];
export const W3M_SWEEPS: readonly Sweep[] = [itemsSweep([10_000, 100_000, 300_000, 1_000_000], ['open', 'first'])];

/** The same tasks over files of more and more rows; `most` is all that there are. */
export function formatSweeps(most: number): readonly Sweep[] {
  return [
    {
      name: 'rows',
      title: 'cost over the rows of the file',
      unit: 'rows',
      tasks: ['write', 'open', 'pair', 'slice', 'take', 'filter', 'group'],
      points: [most / 30, most / 10, most / 3, most].map((rows) => ({
        x: rows,
        data: { name: `sweep-${String(rows)}`, parameters: tableParameters(rows) },
        candidates: same(
          'colstore-table/flat',
          'columna/default',
          'arrow-table/file',
          'syrah-items/items',
          'hyparquet/snappy',
          'pyarrow-parquet/zstd',
          'vortex-file/default',
        ),
      })),
    },
  ];
}

export function withSweeps(suite: Suite, sweeps: readonly Sweep[]): Suite {
  return { ...suite, sweeps };
}
