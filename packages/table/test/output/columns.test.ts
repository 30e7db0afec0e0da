// toColumns and toArray: every form of every dtype, `out`, memory, names, errors.
import { codeOf } from '@colkit/testkit';
import { describe, expect, test } from 'vitest';
import { Table } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, tableFrom } from '../support/tables.ts';
import { plain } from './plain-table.ts';

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
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
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
