// Each public function that takes options refuses those that it does not know. A new one must come here.
import { runSync } from '@colkit/io/effects';
import { functionsWithOptions } from '@colkit/testkit/functions-with-options';
import { acceptedOptions } from '@colkit/testkit/refused-options';
import type { CallWithOptions } from '@colkit/testkit/refused-options';
import { describe, expect, test } from 'vitest';
import * as csv from '../src/csv/index.ts';
import {
  Dataset,
  batchesOfTask,
  columnsOfSource,
  columnsOfView,
  commitTo,
  decodeFixedStrings,
  editTable,
  openDatasetOf,
  openDatasetOfSync,
  partialOf,
  tableOfTask,
  settleInput,
  toDate,
  toInputColumns,
  vacuum,
} from '../src/index.ts';
import { tableFrom } from './support/tables.ts';

const table = tableFrom({ x: ['int32', [1, 2, 3]] });
const column = table.column('x');
const change = editTable(table, { write: () => Promise.resolve(0), writeSync: () => 0 });
/** Options are looked at before the files. */
const dataset = Object.create(Dataset.prototype) as Dataset;
const task = { split: {} as never };
const text = new TextEncoder().encode('a\n1\n');

const CALLS: Readonly<Record<string, CallWithOptions>> = {
  'Column#count': (options) => column.count(options),
  'Column#countSync': (options) => column.countSync(options),
  'Column#countDistinct': (options) => column.countDistinct(options),
  'Column#countDistinctSync': (options) => column.countDistinctSync(options),
  'Column#first': (options) => column.first(options),
  'Column#firstSync': (options) => column.firstSync(options),
  'Column#last': (options) => column.last(options),
  'Column#lastSync': (options) => column.lastSync(options),
  'Column#std': (options) => column.std(options),
  'Column#stdSync': (options) => column.stdSync(options),
  'Column#var': (options) => column.var(options),
  'Column#varSync': (options) => column.varSync(options),
  'Dataset#splits': (options) => dataset.splits(options),
  'Dataset#splitsSync': (options) => dataset.splitsSync(options),
  'GroupedTable#agg': (options) => table.groupBy('x').agg({ n: 'count' }, options),
  'Table#agg': (options) => table.agg({ n: 'count' }, options),
  'Table#resolve': (options) => table.resolve(options),
  'GroupedTable#aggSync': (options) => table.groupBy('x').aggSync({ n: 'count' }, options),
  'Table#aggSync': (options) => table.aggSync({ n: 'count' }, options),
  'Table#resolveSync': (options) => table.resolveSync(options),
  'Column#max': (options) => column.max(options),
  'Column#maxSync': (options) => column.maxSync(options),
  'Column#mean': (options) => column.mean(options),
  'Column#meanSync': (options) => column.meanSync(options),
  'Column#min': (options) => column.min(options),
  'Column#minSync': (options) => column.minSync(options),
  'Column#sum': (options) => column.sum(options),
  'Column#sumSync': (options) => column.sumSync(options),
  'Column#toArray': (options) => column.toArray(options),
  'Column#toArraySync': (options) => column.toArraySync(options),
  'Table#batches': (options) => table.batches(options),
  'Table#batchesSync': (options) => table.batchesSync(options),
  'Table#count': (options) => table.count(options),
  'Table#countSync': (options) => table.countSync(options),
  'Table#preview': (options) => table.preview(options),
  'Table#previewSync': (options) => table.previewSync(options),
  'Table#rows': (options) => table.rows(options),
  'Table#rowsSync': (options) => table.rowsSync(options),
  'Table#toArrow': (options) => table.toArrow(options),
  'Table#toColumnMap': (options) => table.toColumnMap(options),
  'Table#toColumnMapSync': (options) => table.toColumnMapSync(options),
  'Table#toColumns': (options) => table.toColumns(options),
  'Table#toColumnsSync': (options) => table.toColumnsSync(options),
  'Table#toRecords': (options) => table.toRecords(options),
  'Table#toRecordsSync': (options) => table.toRecordsSync(options),
  'Table#toRows': (options) => table.toRows(options),
  'Table#toRowsSync': (options) => table.toRowsSync(options),
  'TableEdit#apply': (options) => change.apply('y', ['x'], (x: Int32Array) => x, options),
  'TableEdit#filter': (options) => change.filter([true, false, true], options),
  'TableEdit#report': (options) => change.report(options),
  'TableEdit#reportSync': (options) => change.reportSync(options),
  'TableEdit#where': (options) => change.where('x > 1', options),
  batchesOfTask: (options) => batchesOfTask(task, options, []).next(),
  columnsOfSource: (options) => runSync(columnsOfSource(table.view.source, {}, 'columnsOfSource', options as object)),
  columnsOfView: (options) => runSync(columnsOfView(table.view, 'columnsOfView', options)),
  commitTo: (options) => commitTo('nowhere', [], options as never),
  decodeFixedStrings: (options) => decodeFixedStrings(new Uint8Array(2), 'S2', options),
  openDatasetOf: (options) => openDatasetOf([], options, []),
  openDatasetOfSync: (options) => openDatasetOfSync([], options, []),
  tableOfTask: (options) => tableOfTask(task, options, []),
  partialOf: (options) => partialOf({ ...task, aggregates: { n: 'count' } }, options, []),
  settleInput: (options) => settleInput(table, options),
  toDate: (options) => toDate(0n, 'datetime64[ms]', options),
  toInputColumns: (options) => toInputColumns({ x: [1] }, options),
  vacuum: (options) => vacuum('nowhere', options),
};

const CSV_CALLS: Readonly<Record<string, CallWithOptions>> = {
  openCsv: (options) => csv.openCsv(text, options),
  readCsv: (options) => csv.readCsv(text, options),
  toCsv: (options) => csv.toCsv(table, { write: () => Promise.resolve() }, options),
};

describe('functions that take options', () => {
  test('are these', () => {
    expect(functionsWithOptions(new URL('../src/index.ts', import.meta.url))).toEqual(Object.keys(CALLS).sort());
    expect(functionsWithOptions(new URL('../src/csv/index.ts', import.meta.url))).toEqual(
      Object.keys(CSV_CALLS).sort(),
    );
  });

  test.each([...Object.entries(CALLS), ...Object.entries(CSV_CALLS)])('%s', async (_, call) => {
    expect(await acceptedOptions(call)).toEqual([]);
  });
});

test.each<[string, () => unknown, RegExp]>([
  [
    'a misspelt dtype in a schema',
    () => toInputColumns({ x: [1] }, { schema: { x: { dtype: 'float64', nulable: true } as never } }),
    /unknown option "nulable"; did you mean "nullable"/,
  ],
  [
    'a misspelt one in a list',
    () => toInputColumns({ x: [1] }, { schema: [{ name: 'x', dType: 'float64' } as never] }),
    /unknown option "dType"; did you mean "dtype"/,
  ],
  [
    'a schema of nothing',
    () => toInputColumns({ x: [1] }, { schema: [null as never] }),
    /schema\[0\]: expected a dtype/,
  ],
  [
    'a wrong word',
    () => table.toColumnsSync({ nulls: 'none' as never }),
    /^nulls: expected one of array, bitmap, nan but found "none"$/,
  ],
  [
    'a count as text',
    () => table.batchesSync({ rows: '3' as never }),
    /^rows: expected a count of rows, an integer from 1 on but found "3"$/,
  ],
])('%s is refused', (_, call, text) => {
  expect(call).toThrow(
    expect.objectContaining({ code: 'ERR_ARGUMENT', message: expect.stringMatching(text) as string }) as Error,
  );
});
