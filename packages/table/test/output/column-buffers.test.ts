// Memory of columns: buffers of the caller, how results share theirs, and arguments that are refused.
import { codeOf } from '@colkit/testkit';
import { describe, expect, test } from 'vitest';
import { Table } from '../../src/index.ts';
import type { ColumnsOptions, OutArrays } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, tableFrom } from '../support/tables.ts';
import { plain } from './plain-table.ts';

describe('out', () => {
  const table = tableFrom({
    price: ['float64', [1, 2, 3]],
    qty: ['int32', [4, 5, 6]],
    n: ['int16?', [1, null, 3]],
    id: ['int64', [7n, 8n, 9n]],
    s: ['S2', ['a', 'b', 'c']],
    ok: ['bool', [true, false, true]],
  });

  test('is filled and given back, by object or Map, by table and column', async () => {
    const [price, qty] = [new Float64Array(3), new Int32Array(3)];
    for (const out of [
      { price, qty },
      new Map<string, Float64Array | Int32Array>([
        ['price', price],
        ['qty', qty],
      ]),
    ]) {
      price.fill(0);
      qty.fill(0);
      const columns = await table.select('price', 'qty').take([2, 0, 0]).toColumns({ out });
      expect(columns['price']).toBe(price);
      expect(columns['qty']).toBe(qty);
      expect([...price, ...qty]).toEqual([3, 1, 1, 6, 4, 4]);
    }
    expect(table.column('price').toArraySync({ out: price })).toBe(price);
    expect([...price]).toEqual([1, 2, 3]);
  });

  test('at any offset of a larger buffer; other columns get new arrays', async () => {
    const memory = new ArrayBuffer(64);
    const price = new Float64Array(memory, 8, 3);
    const columns = table.select('price', 'qty').toColumnsSync({ out: { price } });
    expect([...new Float64Array(memory)]).toEqual([0, 1, 2, 3, 0, 0, 0, 0]);
    expect(columns['qty']).toEqual(Int32Array.of(4, 5, 6));
  });

  test('of the type of the result that was asked for', async () => {
    const [id, n, ok] = [new Float64Array(3), new Float64Array(3), new Uint8Array(3)];
    const numbers = table.select('id', 'n', 'ok').toColumnsSync({ int64: 'number', nulls: 'nan', out: { id, n, ok } });
    expect([numbers['id'], numbers['n'], numbers['ok']]).toEqual([id, n, ok]);
    expect([...id, ...n, ...ok]).toEqual([7, 8, 9, 1, Number.NaN, 3, 1, 0, 1]);
    const [raw, values] = [new Uint8Array(6), new Int16Array(3)];
    const columns = await table
      .select('s', 'n')
      .toColumns({ strings: 'bytes', nulls: 'bitmap', out: { s: raw, n: values } });
    expect(columns).toEqual({
      s: Uint8Array.of(97, 0, 98, 0, 99, 0),
      n: { values: Int16Array.of(1, 0, 3), validity: Uint8Array.of(0b101) },
    });
    expect((columns['n'] as { values: unknown }).values).toBe(values);
  });

  const price = new Float64Array(3);
  test.each<[string, OutArrays, ColumnsOptions]>([
    ['length', { price: new Float64Array(2) }, {}],
    ['type', { price: new Float32Array(3) }, {}],
    ['type of a bool', { ok: new Int8Array(3) }, {}],
    ['name', { cost: price }, {}],
    ['a list', { qty: [1, 2, 3] as never }, {}],
    ['a DataView', { qty: new DataView(new ArrayBuffer(12)) as never }, {}],
    ['nullable lists', { n: new Int16Array(3) }, {}],
    ['nan of integers', { n: new Int16Array(3) }, { nulls: 'nan' }],
    ['text', { s: new Uint8Array(6) }, {}],
    ['int64 as numbers', { id: new BigInt64Array(3) }, { int64: 'number' }],
    ['the same array twice', { price, id: new BigInt64Array(price.buffer) }, {}],
  ])('of the wrong %s is refused before anything is read', async (_what, out, options) => {
    const source = new MemoryTable(
      oracleOf({
        price: ['float64', [1, 2, 3]],
        qty: ['int32', [4, 5, 6]],
        n: ['int16?', [1, null, 3]],
        id: ['int64', [7n, 8n, 9n]],
        s: ['S2', ['a', 'b', 'c']],
        ok: ['bool', [true, false, true]],
      }),
    );
    expect(await codeOf(() => new Table(source).toColumns({ ...options, out }))).toBe('ERR_OUT_BUFFER');
    expect(await codeOf(() => new Table(source).toColumnsSync({ ...options, out }))).toBe('ERR_OUT_BUFFER');
    expect(source.requests).toEqual([]);
  });

  test('keeps its values where an index is refused', async () => {
    const out = new Float64Array(3).fill(-1);
    expect(await codeOf(() => table.column('price').take([0, 1, 3]).toArray({ out }))).toBe('ERR_INDEX_OUT_OF_RANGE');
    expect([...out]).toEqual([-1, -1, -1]);
  });
});

describe('memory', () => {
  test('small results share a buffer, transferable ones do not', async () => {
    const table = tableFrom({ a: ['float64', [1]], b: ['int32', [2]] });
    const shared = await table.toColumns();
    expect((shared['a'] as Float64Array).buffer).toBe((shared['b'] as Int32Array).buffer);
    const own = await table.toColumns({ transferable: true });
    const [a, b] = [own['a'] as Float64Array, own['b'] as Int32Array];
    expect([a.buffer.byteLength, b.buffer.byteLength]).toEqual([8, 4]);
    const moved = structuredClone(a, { transfer: [a.buffer as ArrayBuffer] });
    expect([moved[0], a.length, b[0]]).toEqual([1, 0, 2]);
  });

  test('results are copies: a write into one is not seen by the next read', async () => {
    const table = tableFrom({ a: ['float64', [1, 2]] });
    ((await table.toColumns())['a'] as Float64Array).fill(9);
    expect(await table.toColumns()).toEqual({ a: Float64Array.of(1, 2) });
  });
});

describe('arguments', () => {
  test.each([[{ int64: 'bigInt' }], [{ nulls: 'none' }], [{ strings: true }], [{ workers: -1 }], [{ workers: 1.5 }]])(
    '%j is refused',
    async (options) => {
      expect(await codeOf(() => plain.toColumns(options as never))).toBe('ERR_ARGUMENT');
      expect(await codeOf(() => plain.toColumnsSync(options as never))).toBe('ERR_ARGUMENT');
      for (const option of ['int64', 'nulls', 'strings'])
        expect(await codeOf(() => plain.toColumnsSync({ [option]: 5n } as never))).toBe('ERR_ARGUMENT');
    },
  );

  test('unknown names, and names that come twice', async () => {
    expect(await codeOf(() => plain.select('nope'))).toBe('ERR_UNKNOWN_COLUMN');
    expect(await codeOf(() => plain.drop('i8', 'nope'))).toBe('ERR_UNKNOWN_COLUMN');
    expect(await codeOf(() => plain.column('toString'))).toBe('ERR_UNKNOWN_COLUMN');
    expect(await codeOf(() => plain.select('i8', 'i8'))).toBe('ERR_ARGUMENT');
  });

  test('head and tail take counts', async () => {
    for (const bad of [-1, 1.5, Number.NaN])
      for (const run of [() => plain.head(bad), () => plain.tail(bad), () => plain.column('b').head(bad)])
        expect(await codeOf(run)).toBe('ERR_ARGUMENT');
    expect([plain.head(0).rowCount, plain.tail(2).rowCount, plain.head().rowCount]).toEqual([0, 2, 3]);
  });

  test('indices out of range reject, and the Sync forms throw', async () => {
    for (const indices of [[3], [-4], Int32Array.of(0, 99)]) {
      const view = plain.take(indices);
      for (const run of [
        () => view.toColumns(),
        () => view.toColumnsSync(),
        () => view.drop('str', 'bin').toRecords(),
        () => view.toRows(),
        () => view.column('b').toArray(),
        () => view.batchesSync().next(),
        () => view.column('i32').sum(),
      ]) {
        expect(await codeOf(run)).toBe('ERR_INDEX_OUT_OF_RANGE');
      }
    }
    expect(await codeOf(() => plain.column('b').at(3))).toBe('ERR_INDEX_OUT_OF_RANGE');
    expect(await codeOf(() => plain.column('b').atSync(-4))).toBe('ERR_INDEX_OUT_OF_RANGE');
    expect(await codeOf(() => plain.column('b').atSync(0.5))).toBe('ERR_ARGUMENT');
  });

  test('workers and signal reach the source', async () => {
    const source = new MemoryTable(oracleOf({ a: ['int8', [1]] }));
    const { signal } = new AbortController();
    await new Table(source).toColumns({ workers: 3, signal });
    expect(source.contexts[0]).toMatchObject({ workers: 3, signal });
  });
});
