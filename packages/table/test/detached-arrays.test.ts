// Arrays whose buffers went to another thread have no elements any more: taken for empty ones they would lose rows, so
// each place that takes an array says what happened.
import { perform, runSync } from '@colkit/io/effects';
import { codeOf } from '@colkit/testkit';
import { describe, expect, test } from 'vitest';
import { Table, col, decodeFixedStrings, toInputColumns, typed } from '../src/index.ts';
import type { TableInput } from '../src/index.ts';
import { MemoryTable } from './support/memory-table.ts';
import { oracleOf } from './support/tables.ts';

const open = (rows = 3): Table => new Table(new MemoryTable(oracleOf({ x: ['float64', [1, 2, 3].slice(0, rows)] })));

function detached<A extends { readonly buffer: ArrayBufferLike }>(array: A): A {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

/** An array over all of a buffer that can be cut. */
function resizable(length: number): { array: Float64Array; resize: (byteLength: number) => void } {
  const Resizable = ArrayBuffer as new (byteLength: number, options: { maxByteLength: number }) => ArrayBuffer;
  const buffer = new Resizable(8 * length, { maxByteLength: 8 * length });
  const { resize } = buffer as unknown as { resize: (byteLength: number) => void };
  return { array: new Float64Array(buffer, 0, length), resize: resize.bind(buffer) };
}

describe('a buffer that was transferred', () => {
  test.each<[string, () => unknown]>([
    ['take', () => open().take(detached(Int32Array.of(0)))],
    ['take of bytes', () => open().take(detached(Uint8Array.of(0)))],
    [
      'take behind a predicate',
      () =>
        open()
          .where('x > 0')
          .take(detached(Int32Array.of(0))),
    ],
    ['filter', () => open().filter(detached(Uint8Array.of(1, 0, 1)))],
    ['isIn', () => col('x').isIn(detached(Float64Array.of(1)))],
    ['a list of a parameter', () => open().where('x in @list', { list: detached(Float64Array.of(1)) })],
    ['out', () => open().toColumnsSync({ out: { x: detached(new Float64Array(3)) } })],
    ['out of no rows', () => open(0).toColumnsSync({ out: { x: detached(new Float64Array(3)) } })],
    ['decodeFixedStrings', () => decodeFixedStrings(detached(Uint8Array.of(1, 2)), 'S2')],
    ['a record', () => detached(open().toRecordsSync({ transferable: true })).at(0)],
    ['records', () => detached(open().toRecordsSync({ transferable: true })).bytes],
  ])('%s', async (_, call) => {
    expect(await codeOf(call)).toBe('ERR_DETACHED');
  });

  test.each<[string, () => TableInput]>([
    ['values', () => ({ a: detached(Float64Array.of(1)) })],
    ['values of another type', () => ({ a: typed('float32', detached(Float64Array.of(1))) })],
    ['raw items', () => ({ a: typed('S2', detached(Uint8Array.of(1, 2))) })],
    ['bytes', () => ({ a: [detached(Uint8Array.of(1))] })],
    ['bytes of a width', () => ({ a: typed('S2', [detached(Uint8Array.of(1))]) })],
    ['codes', () => ({ a: { codes: detached(Int32Array.of(0)), dictionary: ['x'] } })],
    ['values beside a bitmap', () => ({ a: { values: detached(Float64Array.of(1)), validity: Uint8Array.of(1) } })],
  ])('that a writer is given: %s', (_, input) => {
    expect(() => toInputColumns(input())).toThrow('write: the buffer of column "a" was detached');
  });

  test.each<[string, (array: Float64Array) => unknown]>([
    ['values', (array) => toInputColumns({ a: array })],
    ['values of another type', (array) => toInputColumns({ a: typed('float32', array) })],
    ['row numbers', (array) => open().take(array)],
    ['a list', (array) => col('x').isIn(array)],
    ['out', (array) => open(0).toColumnsSync({ out: { x: array } })],
  ])('nor an array in a buffer that was cut before its end: %s', async (_, call) => {
    const { array, resize } = resizable(3);
    resize(16);
    expect(await codeOf(() => call(array))).toBe('ERR_DETACHED');
  });

  test('nor what a writer is given where its buffer is cut later', async () => {
    const { array, resize } = resizable(3);
    const { columns } = toInputColumns({ a: array });
    resize(16);
    for (const column of columns) expect(await codeOf(() => runSync(perform(column.read(0, 3))))).toBe('ERR_DETACHED');
  });

  test('after the view was made', async () => {
    const rows = Int32Array.of(0, 1);
    const taken = open().take(rows);
    const mask = Uint8Array.of(0, 1, 1);
    const filtered = open().filter(mask);
    const counted = open().filter(mask);
    expect([taken.rowCount, counted.rowCount]).toEqual([2, 2]);
    const behind = open().where('x > 0');
    const views = [taken, filtered, counted, taken.slice(0, 1), counted.head(1), filtered.where('x > 0')];
    views.push(behind.take(rows), behind.filter(mask));
    detached(rows);
    detached(mask);
    for (const view of views)
      expect([await codeOf(() => view.toColumnsSync()), await codeOf(() => view.toColumns())]).toEqual(
        Array(2).fill('ERR_DETACHED'),
      );
    expect(await codeOf(() => taken.countSync())).toBe('ERR_DETACHED');
    expect(await codeOf(() => filtered.countSync())).toBe('ERR_DETACHED');
  });

  test('is not taken for an array without elements', () => {
    expect(open().take(new Int32Array(0)).countSync()).toBe(0);
    expect(open(0).filter(new Uint8Array(0)).countSync()).toBe(0);
    expect(
      open()
        .take(new Int32Array(new ArrayBuffer(8), 8))
        .countSync(),
    ).toBe(0);
    expect(toInputColumns({ a: new Float64Array(0) }).rowCount).toBe(0);
    const { array, resize } = resizable(0);
    resize(0);
    expect(toInputColumns({ a: array }).rowCount).toBe(0);
  });

  test('after a writer was given it', async () => {
    const values = Float64Array.of(1);
    const validity = Uint8Array.of(0);
    const { columns } = toInputColumns({ a: values, b: { values: [1], validity } });
    detached(values);
    detached(validity);
    for (const column of columns) expect(await codeOf(() => runSync(perform(column.read(0, 1))))).toBe('ERR_DETACHED');
  });
});
