// toColumns and toArray: every form of every dtype, `out`, memory, names, errors.
import { codeOf } from '@colkit/testkit';
import { describe, expect, test } from 'vitest';
import { Table } from '../../src/index.ts';
import type { ColumnsOptions, OutArrays } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, tableFrom } from '../support/tables.ts';

const plain = tableFrom({
  b: ['bool', [true, false, true]],
  i8: ['int8', [-128, 0, 127]],
  u16: ['uint16', [0, 1, 65535]],
  i32: ['int32', [-1, 0, 1]],
  i64: ['int64', [-(2n ** 63n), 0n, 2n ** 63n - 1n]],
  u64: ['uint64', [0n, 1n, 2n ** 64n - 1n]],
  f16: ['float16', [0.5, -0, Number.NaN]],
  f32: ['float32', [0.5, -0, Infinity]],
  f64: ['float64', [0.1, Number.NaN, -0]],
  t: ['datetime64[us]', [0n, -1n, -(2n ** 63n)]],
  d: ['timedelta64[s]', [1n, 2n, 3n]],
  s: ['S3', ['a', '', 'abc']],
  u: ['U2', ['é', '😀x', '']],
  str: ['string', ['x', '', 'zz']],
  bin: ['binary', [Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 3)]],
});

async function messageOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
}

describe('default forms', () => {
  test('are the typed arrays of the dtypes, strings and bytes', async () => {
    const columns = await plain.toColumns();
    expect(Object.entries(columns).map(([name, column]) => [name, (column as object).constructor.name])).toEqual([
      ['b', 'Uint8Array'],
      ['i8', 'Int8Array'],
      ['u16', 'Uint16Array'],
      ['i32', 'Int32Array'],
      ['i64', 'BigInt64Array'],
      ['u64', 'BigUint64Array'],
      ['f16', 'Float16Array'],
      ['f32', 'Float32Array'],
      ['f64', 'Float64Array'],
      ['t', 'BigInt64Array'],
      ['d', 'BigInt64Array'],
      ['s', 'Array'],
      ['u', 'Array'],
      ['str', 'Array'],
      ['bin', 'Array'],
    ]);
    expect(columns['b']).toEqual(Uint8Array.of(1, 0, 1));
    expect(columns['u64']).toEqual(BigUint64Array.of(0n, 1n, 2n ** 64n - 1n));
    expect([...(columns['f16'] as Iterable<number>)]).toEqual([0.5, -0, Number.NaN]);
    expect(columns['s']).toEqual(['a', '', 'abc']);
    expect(columns['u']).toEqual(['é', '😀x', '']);
    expect(plain.toColumnsSync()).toEqual(columns);
  });

  test('null-prototype objects in schema order, whatever the names', async () => {
    const table = new Table(
      new MemoryTable({
        rowCount: 1,
        columns: ['z', '__proto__', 'constructor', 'toString', ''].map((name, value) => ({
          name,
          dtype: 'int8',
          nullable: false,
          values: [value],
        })),
      }),
    );
    for (const columns of [await table.toColumns(), table.toColumnsSync()]) {
      expect(Object.getPrototypeOf(columns)).toBeNull();
      expect(Object.keys(columns)).toEqual(['z', '__proto__', 'constructor', 'toString', '']);
      expect(columns['__proto__']).toEqual(Int8Array.of(1));
    }
    const [row] = await table.toRows();
    expect(Object.getPrototypeOf(row)).toBeNull();
    expect(Object.entries(row!)).toEqual([
      ['z', 0],
      ['__proto__', 1],
      ['constructor', 2],
      ['toString', 3],
      ['', 4],
    ]);
    expect(Object.entries((await table.toRecords()).at(0))).toEqual(Object.entries(row!));
  });

  test('a Map keeps the order that an object cannot', async () => {
    const table = new Table(
      new MemoryTable({
        rowCount: 0,
        columns: ['b', '10', '2'].map((name) => ({ name, dtype: 'int8', nullable: false, values: [] })),
      }),
    );
    expect(table.columnNames).toEqual(['b', '10', '2']);
    expect([...(await table.toColumnMap()).keys()]).toEqual(['b', '10', '2']);
    expect([...table.toColumnMapSync().keys()]).toEqual(['b', '10', '2']);
  });

  test('float128 comes as its raw items', async () => {
    const source = new MemoryTable(oracleOf({ x: ['float128', [1n, 2n]] }));
    const view = new Table(source).column('x');
    const raw = await view.toArray();
    expect((raw as Uint8Array).length).toBe(32);
    expect(await view.at(1)).toEqual(Uint8Array.of(2, ...new Uint8Array(15)));
    expect(new Table(source).toRowsSync()[0]).toEqual({ x: Uint8Array.of(1, ...new Uint8Array(15)) });
  });

  test('a table without rows, and one without columns', async () => {
    const empty = plain.slice(0, 0);
    expect((await empty.toColumns())['i64']).toEqual(new BigInt64Array(0));
    expect(await empty.toRows()).toEqual([]);
    const bare = plain.select();
    expect([bare.rowCount, await bare.toColumns(), (await bare.toRows()).length]).toEqual([3, {}, 3]);
    expect((await bare.toRecords()).byteStride).toBe(0);
  });
});

describe('int64', () => {
  const table = (values: readonly bigint[], dtype = 'int64') => tableFrom({ x: [dtype, values] }).column('x');

  test("'number' gives Float64Array, exact up to 2^53 both ways", async () => {
    const values = [
      0n,
      -1n,
      1n,
      2n ** 32n,
      -(2n ** 32n) - 1n,
      2n ** 53n,
      -(2n ** 53n),
      2n ** 53n - 1n,
      4294967295n,
      -4294967296n,
    ];
    const array = await table(values).toArray({ int64: 'number' });
    expect(array).toEqual(Float64Array.from(values, Number));
    expect(table([2n ** 53n, 7n], 'uint64').toArraySync({ int64: 'number' })).toEqual(Float64Array.of(2 ** 53, 7));
  });

  test.each([
    [2n ** 53n + 1n, 'int64'],
    [-(2n ** 53n) - 1n, 'int64'],
    [2n ** 63n - 1n, 'int64'],
    [-(2n ** 63n), 'int64'],
    [2n ** 64n - 1n, 'uint64'],
    [2n ** 53n + 1n, 'uint64'],
  ])('%s is refused by column and row', async (value, dtype) => {
    const column = table([1n, 2n, value], dtype);
    expect(await codeOf(() => column.toArray({ int64: 'number' }))).toBe('ERR_UNSAFE_INTEGER');
    expect(await messageOf(() => column.toArraySync({ int64: 'number' }))).toBe(
      `column "x": expected integers within +-2^53 but found ${String(value)} at row 2`,
    );
  });

  test('narrower integers and datetimes are not touched', async () => {
    const columns = await tableFrom({ i: ['int32', [1]], t: ['datetime64[s]', [2n ** 60n]] }).toColumns({
      int64: 'number',
    });
    expect(columns).toEqual({ i: Int32Array.of(1), t: BigInt64Array.of(2n ** 60n) });
  });

  test('rows have numbers too', async () => {
    expect(await tableFrom({ x: ['int64', [5n]] }).toRows({ int64: 'number' })).toEqual([{ x: 5 }]);
  });
});

describe('nulls', () => {
  const options = {
    i: ['int16?', [1, null, 3]],
    w: ['int64?', [1n, null, -3n]],
    f: ['float32?', [0.5, null, Number.NaN]],
    d: ['float64?', [null, 1, 2]],
    h: ['float16?', [0.5, 1, null]],
    b: ['bool?', [true, null, false]],
    t: ['datetime64[s]?', [null, 7n, 8n]],
    s: ['S2?', ['a', null, '']],
    v: ['string?', [null, 'x', '']],
    y: ['binary?', [null, Uint8Array.of(1), new Uint8Array(0)]],
    full: ['int32?', [1, 2, 3]],
    sure: ['int32', [1, 2, 3]],
  } as const;
  const table = tableFrom(options);

  test('as lists, by the schema and not by what is met', async () => {
    const columns = await table.toColumns();
    for (const [name, [, values]] of Object.entries(options))
      if (name !== 'sure') expect([name, columns[name]]).toEqual([name, values]);
    expect(columns['full']).toEqual([1, 2, 3]);
    expect(columns['sure']).toEqual(Int32Array.of(1, 2, 3));
    expect(await table.toColumns({ int64: 'number' })).toMatchObject({ w: [1, null, -3] });
  });

  test('as bitmaps', async () => {
    const columns = await table.toColumns({ nulls: 'bitmap' });
    expect(columns['i']).toEqual({ values: Int16Array.of(1, 0, 3), validity: Uint8Array.of(0b101) });
    expect(columns['b']).toEqual({ values: Uint8Array.of(1, 0, 0), validity: Uint8Array.of(0b101) });
    expect(columns['s']).toEqual({ values: ['a', '', ''], validity: Uint8Array.of(0b101) });
    expect(columns['v']).toEqual({ values: ['', 'x', ''], validity: Uint8Array.of(0b110) });
    expect(columns['full']).toEqual({ values: Int32Array.of(1, 2, 3), validity: Uint8Array.of(0b111) });
    expect(columns['sure']).toEqual(Int32Array.of(1, 2, 3));
    expect(await table.toColumns({ nulls: 'bitmap', int64: 'number' })).toMatchObject({
      w: { values: Float64Array.of(1, 0, -3) },
    });
    expect(await table.toColumns({ nulls: 'bitmap', strings: 'bytes' })).toMatchObject({
      s: { values: Uint8Array.of(97, 0, 0, 0, 0, 0), validity: Uint8Array.of(0b101) },
    });
  });

  test('as NaN and NaT', async () => {
    const columns = await table.toColumns({ nulls: 'nan' });
    expect(columns['i']).toEqual(Float64Array.of(1, Number.NaN, 3));
    expect(columns['w']).toEqual(Float64Array.of(1, Number.NaN, -3));
    expect(columns['f']).toEqual(Float32Array.of(0.5, Number.NaN, Number.NaN));
    expect(columns['d']).toEqual(Float64Array.of(Number.NaN, 1, 2));
    expect([...(columns['h'] as Iterable<number>)]).toEqual([0.5, 1, Number.NaN]);
    expect(columns['b']).toEqual(Float64Array.of(1, Number.NaN, 0));
    expect(columns['t']).toEqual(BigInt64Array.of(-(2n ** 63n), 7n, 8n));
    expect(columns['s']).toEqual(['a', null, '']);
    expect(columns['v']).toEqual([null, 'x', '']);
    expect(columns['full']).toEqual(Float64Array.of(1, 2, 3));
    const wide = tableFrom({ x: ['int64?', [2n ** 60n, null]] });
    expect(await codeOf(() => wide.toColumns({ nulls: 'nan' }))).toBe('ERR_UNSAFE_INTEGER');
  });

  test('at() gives null, and values around it', async () => {
    for (const [name, [, values]] of Object.entries(options))
      for (const [row, value] of values.entries()) expect(await table.column(name).at(row)).toEqual(value);
  });
});

describe('strings', () => {
  for (const strings of ['values', 'dictionary'] as const) {
    test(`whatever way the source gives them (${strings})`, async () => {
      const table = tableFrom(
        {
          v: ['string?', ['a', null, 'b', 'a', '']],
          s: ['S1', ['x', 'y', 'x', '', 'x']],
          u: ['U1?', ['é', null, 'é', '', '😀']],
        },
        { strings },
      );
      expect(await table.toColumns()).toEqual({
        v: ['a', null, 'b', 'a', ''],
        s: ['x', 'y', 'x', '', 'x'],
        u: ['é', null, 'é', '', '😀'],
      });
      expect(await table.toColumns({ strings: 'dictionary' })).toEqual({
        v: { codes: Int32Array.of(0, -1, 1, 0, 2), dictionary: ['a', 'b', ''] },
        s: { codes: Int32Array.of(0, 1, 0, 2, 0), dictionary: ['x', 'y', ''] },
        u: { codes: Int32Array.of(0, -1, 0, 1, 2), dictionary: ['é', '', '😀'] },
      });
      expect(await table.toColumns({ nulls: 'bitmap' })).toMatchObject({
        v: { values: ['a', '', 'b', 'a', ''], validity: Uint8Array.of(0b11101) },
      });
    });
  }

  test("'bytes' gives packed raw items of S and U", async () => {
    expect(await plain.toColumns({ strings: 'bytes' })).toMatchObject({
      s: Uint8Array.of(97, 0, 0, 0, 0, 0, 97, 98, 99),
      u: Uint8Array.of(0xe9, 0, 0, 0, 0, 0, 0, 0, 0x00, 0xf6, 1, 0, 0x78, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      str: ['x', '', 'zz'],
    });
  });
});

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

  test('at any place of a larger buffer; other columns get new arrays', async () => {
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
