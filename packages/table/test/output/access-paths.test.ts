// Every way to a column's values agrees with the oracle: for each dtype, over several views, and over tables in one
// segment, in several, mapped or not.
import { Float16ArrayOfRuntime, parseDType, typedArrayOver } from '@colkit/io';
import { FIXED_DTYPES, applyAction, createRandom, shuffled } from '@colkit/testkit';
import type { Action, OracleColumn, OracleTable } from '@colkit/testkit';
import { describe, expect, test } from 'vitest';
import { Table, decodeFixedStrings } from '../../src/index.ts';
import type { Column } from '../../src/index.ts';
import { MemoryTable, encodeItems } from '../support/memory-table.ts';
import type { MemoryTableOptions } from '../support/memory-table.ts';
import { act, cells, upTo } from '../support/tables.ts';

const ROWS = 37;
const random = createRandom(2024);
const order = shuffled(random, ROWS);

/** A value of each row that tells it from the others where the dtype can. */
function valueOf(dtype: string, row: number): unknown {
  const info = parseDType(dtype);
  switch (info.kind) {
    case 'bool':
      return row % 3 === 0;
    case 'int':
      return info.itemBytes === 8 ? BigInt(row) * -(2n ** 57n) + 1n : 5 - row;
    case 'uint':
      return info.itemBytes === 8 ? BigInt(row) * 2n ** 58n : row;
    case 'float':
      return row / 4 - 3;
    case 'datetime':
    case 'timedelta':
      return BigInt(row) - 5n;
    case 'bytes':
      return String.fromCharCode(0xff - row).repeat(1 + (row % info.length));
    case 'unicode':
      return String.fromCodePoint(0x1f600 + row);
    default:
      throw new Error(dtype);
  }
}

const columns: readonly OracleColumn[] = FIXED_DTYPES.map((dtype) => ({
  name: dtype,
  dtype,
  nullable: false,
  values: upTo(ROWS).map((row) => valueOf(dtype, row)),
}));
const oracle: OracleTable = { rowCount: ROWS, columns };

const layouts: Readonly<Record<string, MemoryTableOptions>> = {
  'one segment': { mapped: true },
  'three segments': { mapped: true, splits: [5, 30] },
  'many segments, some empty': { splits: [1, 1, 2, 9, 10, 20, 36] },
  'not mapped': {},
};
const views: Readonly<Record<string, readonly Action[]>> = {
  'all rows': [],
  'a slice of a slice': [
    { kind: 'slice', start: 3, end: -2, step: undefined },
    { kind: 'slice', start: 1, end: undefined, step: 4 },
  ],
  'contiguous rows': [
    { kind: 'slice', start: 2, end: 36, step: undefined },
    { kind: 'slice', start: 4, end: 9, step: undefined },
  ],
  backwards: [{ kind: 'slice', start: undefined, end: undefined, step: -1 }],
  'indices, out of order, with repeats and negatives': [{ kind: 'take', indices: [...order, 0, 0, -1, -ROWS, 36] }],
  'a mask': [{ kind: 'filter', mask: upTo(ROWS).map((row) => row % 5 !== 2) }],
  'a mask of a take of a slice': [
    { kind: 'slice', start: 30, end: 2, step: -2 },
    { kind: 'take', indices: [3, -1, 3, 0, 7] },
    { kind: 'filter', mask: [true, false, true, true, false] },
  ],
  'no rows': [{ kind: 'slice', start: 5, end: 5, step: undefined }],
};

/** Whether the rows lie side by side in one segment, so that a view of them is possible. */
function isContiguous(actions: readonly Action[], options: MemoryTableOptions): boolean {
  const rows = actions.reduce(applyAction, {
    rowCount: ROWS,
    columns: [{ name: 'row', dtype: 'int32', nullable: false, values: upTo(ROWS) }],
  }).columns[0]!.values as number[];
  if (
    actions.some(({ kind }) => kind === 'take' || kind === 'filter') ||
    rows.some((row, index) => index > 0 && row !== rows[index - 1]! + 1)
  )
    return false;
  const segment = (row: number): number => (options.splits ?? []).filter((start) => start <= row).length;
  return rows.length === 0 || (options.mapped === true && segment(rows[0]!) === segment(rows.at(-1)!));
}

async function expectEverywhere(column: Column, { dtype, values }: OracleColumn, canView: boolean): Promise<void> {
  const info = parseDType(dtype);
  const isText = info.kind === 'bytes' || info.kind === 'unicode';
  expect(column.length).toBe(values.length);
  expect(cells(dtype, await column.toArray())).toEqual(values);
  expect(cells(dtype, column.toArraySync())).toEqual(values);
  expect([...column]).toEqual(values);
  const streamed: unknown[] = [];
  for await (const value of column) streamed.push(value);
  expect(streamed).toEqual(values);
  for (const row of [0, values.length - 1, Math.floor(values.length / 2)].filter(
    (index) => index >= 0 && index < values.length,
  )) {
    expect(await column.at(row)).toEqual(values[row]);
    expect(column.atSync(row - values.length)).toEqual(values[row]);
  }
  const packed = encodeItems(info, values);
  const out =
    dtype === 'float16'
      ? new Float16ArrayOfRuntime(new ArrayBuffer(2 * values.length), 0, values.length)
      : typedArrayOver(info, new Uint8Array(packed.length));
  for (const filled of [
    await column.toArray({ out, strings: 'bytes' }),
    column.toArraySync({ out, strings: 'bytes' }),
  ]) {
    expect(filled).toBe(out);
    expect(new Uint8Array(out.buffer, out.byteOffset, out.byteLength)).toEqual(packed);
  }
  if (canView) {
    const view = column.viewArray() as Uint8Array;
    expect(isText ? decodeFixedStrings(view, column.dtype) : cells(dtype, view)).toEqual(values);
  } else if (values.length > 0)
    expect(() => column.viewArray()).toThrow(expect.objectContaining({ name: 'CannotViewError' }));
}

for (const [layout, options] of Object.entries(layouts)) {
  describe(layout, () => {
    for (const [what, actions] of Object.entries(views)) {
      test(what, async () => {
        const view = actions.reduce(act, new Table(new MemoryTable(oracle, options)));
        const expected = actions.reduce(applyAction, oracle);
        const canView = isContiguous(actions, options);
        for (const column of expected.columns) await expectEverywhere(view.column(column.name), column, canView);
      });
    }
  });
}
