// Everything that a writer may be handed, brought into one form; and everything that it may not.
import { ArgumentError, ColkitError, Float16ArrayOfRuntime, UnsupportedError } from '@colkit/io';
import { ALL_DTYPES, tableArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordBatch, Table, toInputColumns, typed } from '../../src/index.ts';
import type { InputOptions, TableInput } from '../../src/index.ts';
import { readAll } from '../support/inputs.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, tableFrom } from '../support/tables.ts';

const types = (input: TableInput, options?: InputOptions) =>
  toInputColumns(input, options).fields.map(({ name, dtype, nullable }) => `${name}: ${dtype}${nullable ? '?' : ''}`);

function refusal(run: () => unknown): ColkitError {
  try {
    run();
  } catch (error) {
    if (error instanceof ColkitError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('what values say', () => {
  test('typed arrays, and arrays of one kind', async () => {
    const half = new Float16ArrayOfRuntime(new ArrayBuffer(4), 0, 2);
    half.set([0.5, -1]);
    const input = toInputColumns({
      i8: Int8Array.of(1, -1),
      u8: Uint8Array.of(1, 255),
      c8: Uint8ClampedArray.of(1, 2),
      i16: Int16Array.of(1, -1),
      u16: Uint16Array.of(1, 2),
      i32: Int32Array.of(1, -1),
      u32: Uint32Array.of(1, 2),
      i64: BigInt64Array.of(1n, -1n),
      u64: BigUint64Array.of(1n, 2n),
      f16: half,
      f32: Float32Array.of(0.5, 1),
      f64: Float64Array.of(0.1, -0),
      b: [true, false],
      n: [1, 0.5],
      big: [1n, -(2n ** 63n)],
      d: [new Date(5), new Date(-1)],
      s: ['a', '😀'],
      y: [Uint8Array.of(1), Buffer.from('ab')],
    });
    expect(input.fields.map(({ dtype }) => dtype)).toEqual([
      'int8',
      'uint8',
      'uint8',
      'int16',
      'uint16',
      'int32',
      'uint32',
      'int64',
      'uint64',
      'float16',
      'float32',
      'float64',
      'bool',
      'float64',
      'int64',
      'datetime64[ms]',
      'string',
      'binary',
    ]);
    expect(input.fields.some(({ nullable }) => nullable)).toBe(false);
    expect(await readAll(input)).toMatchObject({
      i8: [1, -1],
      u8: [1, 255],
      f16: [0.5, -1],
      f64: [0.1, -0],
      b: [true, false],
      n: [1, 0.5],
      big: [1n, -(2n ** 63n)],
      d: [5n, -1n],
      s: ['a', '😀'],
    });
  });

  test('null makes a column nullable', async () => {
    const input = toInputColumns({
      n: [null, 1, null],
      s: ['a', null, ''],
      b: [true, null, false],
      d: [null, new Date(1), null],
      t: typed('int32', [null, null, 7]),
      y: [null, new Uint8Array(1), null],
      f: typed('S2', ['a', null, 'b']),
    });
    expect(input.fields.every(({ nullable }) => nullable)).toBe(true);
    expect(await readAll(input)).toEqual({
      n: [null, 1, null],
      s: ['a', null, ''],
      b: [true, null, false],
      d: [null, 1n, null],
      t: [null, null, 7],
      y: [null, new Uint8Array(1), null],
      f: ['a', null, 'b'],
    });
  });

  test('Maps and pairs keep the order of every name, objects give their own order', () => {
    const pairs = [
      ['b', [1]],
      ['10', [2]],
      ['__proto__', [3]],
    ] as const;
    for (const input of [pairs, new Map<string, readonly number[]>(pairs)])
      expect(types(input)).toEqual(['b: float64', '10: float64', '__proto__: float64']);
    expect(types(Object.fromEntries<readonly number[]>(pairs))).toEqual([
      '10: float64',
      'b: float64',
      '__proto__: float64',
    ]);
    expect(types(Object.assign(Object.create({ inherited: [1] }) as object, { own: [1] }) as never)).toEqual([
      'own: float64',
    ]);
  });

  test('typed arrays are not copied', () => {
    const values = Int32Array.of(1, 2, 3, 4);
    for (const input of [
      { x: values },
      { x: typed('int32', values) },
      { x: { values, validity: Uint8Array.of(0xff) } },
    ]) {
      const chunk = toInputColumns(input).columns[0]!.readSync(1, 3);
      expect(chunk.kind === 'fixed' && [chunk.bytes.buffer, chunk.bytes.byteOffset, chunk.bytes.length]).toEqual([
        values.buffer,
        4,
        8,
      ]);
    }
    const ticks = BigInt64Array.of(1n);
    const chunk = toInputColumns({ x: typed('datetime64[us]', ticks) }).columns[0]!.readSync(0, 1);
    expect(chunk.kind === 'fixed' && chunk.bytes.buffer).toBe(ticks.buffer);
  });
});

describe('typed', () => {
  test.each<[string, Parameters<typeof typed>[1], readonly unknown[]]>([
    ['bool', Uint8Array.of(1, 0), [true, false]],
    ['bool', [false, true], [false, true]],
    ['int8', [-128, 127n], [-128, 127]],
    ['uint16', Float64Array.of(65535, -0), [65535, 0]],
    ['int32', Int8Array.of(-5), [-5]],
    ['int64', [1, 1 - 2 ** 53, -(2n ** 53n), 2n ** 63n - 1n], [1n, 1n - 2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n]],
    ['uint64', [2n ** 64n - 1n, 0], [2n ** 64n - 1n, 0n]],
    ['int64', Int32Array.of(-7), [-7n]],
    ['float32', [0.1, Number.NaN, -Infinity], [Math.fround(0.1), Number.NaN, -Infinity]],
    ['float16', [0.1, 65504], [0.0999755859375, 65504]],
    ['float16', Float32Array.of(0.5), [0.5]],
    ['float16', Uint16Array.of(3), [3]],
    ['float64', Float32Array.of(0.5), [0.5]],
    ['datetime64[us]', [new Date(1), 'NaT'], [1000n, -(2n ** 63n)]],
    ['datetime64[D]', ['1970-01-03', 'NaT'], [2n, -(2n ** 63n)]],
    ['datetime64[25s]', [3n], [3n]],
    ['datetime64', [5n], [5n]],
    ['datetime64[ns]', BigInt64Array.of(9n), [9n]],
    ['timedelta64[s]', [-3n], [-3n]],
    ['S3', ['é', 'abc', ''], ['é', 'abc', '']],
    ['S3', [Uint8Array.of(1, 0), Uint8Array.of(65, 0, 66)], ['\x01', 'A\0B']],
    ['S2', Uint8Array.of(97, 0, 98, 99), ['a', 'bc']],
    ['U2', ['😀x', 'é'], ['😀x', 'é']],
    ['U1', Uint8Array.of(0xe9, 0, 0, 0), ['é']],
    ['string', ['a'], ['a']],
    ['binary', [Uint8Array.of(1)], [Uint8Array.of(1)]],
  ])('%s', async (dtype, values, expected) => {
    const input = toInputColumns({ x: typed(dtype as 'int32', values) });
    expect(input.fields).toEqual([{ name: 'x', dtype, nullable: false }]);
    expect(await readAll(input)).toEqual({ x: expected });
  });

  test.each<[string, Parameters<typeof typed>[1], number]>([
    ['bool', [true, 1], 1],
    ['bool', Uint8Array.of(1, 2), 1],
    ['int8', [0, 128], 1],
    ['int8', [-129], 0],
    ['uint8', [-1], 0],
    ['uint32', [2 ** 32], 0],
    ['int32', [1.5], 0],
    ['int32', [Number.NaN], 0],
    ['int32', ['1'], 0],
    ['int32', [true], 0],
    ['int64', [2 ** 53 + 2], 0],
    ['int64', [2 ** 53], 0],
    ['uint64', [5, 2 ** 53], 1],
    ['int64', [-(2 ** 53)], 0],
    ['int64', [2n ** 63n], 0],
    ['uint64', [-1n], 0],
    ['uint64', [0, -1], 1],
    ['uint8', [2n ** 70n], 0],
    ['int8', Float32Array.of(1, 0.5), 1],
    ['int32', BigInt64Array.of(0n, 2n ** 40n), 1],
    ['float32', [1e300], 0],
    ['float16', [0, 65520], 1],
    ['float64', [1n], 0],
    ['float64', ['1'], 0],
    ['datetime64[s]', [new Date(1500)], 0],
    ['datetime64[D]', ['2024-01-01', '2024-01-01T01'], 1],
    ['datetime64[s]', [5], 0],
    ['datetime64[s]', ['yesterday'], 0],
    ['datetime64[s]', [2n ** 63n], 0],
    ['datetime64', [new Date(0)], 0],
    ['timedelta64[s]', [new Date(0)], 0],
    ['timedelta64[s]', [-(2n ** 63n) - 1n], 0],
    ['S2', ['abc'], 0],
    ['S2', ['ok', '€'], 1],
    ['S2', ['a\0'], 0],
    ['S2', [Uint8Array.of(1, 2, 3)], 0],
    ['S2', [5], 0],
    ['U1', ['ab'], 0],
    ['U1', ['\ud800'], 0],
    ['U1', [Uint8Array.of(1)], 0],
    ['string', ['a', 'x\udc00'], 1],
    ['string', [1], 0],
    ['binary', ['a'], 0],
    ['int32', [undefined as never], 0],
    ['string', [undefined as never], 0],
    ['S1', [undefined as never], 0],
  ])('%s refuses case %#, by column and row', (dtype, values, row) => {
    const error = refusal(() =>
      toInputColumns({ fine: [1, 2].slice(0, values.length), bad: typed(dtype as 'int32', values) }),
    );
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error).toMatchObject({
      code: 'ERR_VALUE',
      argument: 'column "bad"',
      found: expect.stringMatching(new RegExp(`at row ${String(row)}$`)) as string,
    });
  });

  test('raw items must be whole', () => {
    for (const values of [
      typed('S3', new Uint8Array(4)),
      typed('float128', new Uint8Array(15)),
      typed('float128', [1]),
    ])
      expect(refusal(() => toInputColumns({ x: values })).code).toBe('ERR_VALUE');
    expect(toInputColumns({ x: typed('float128', new Uint8Array(32)) }).rowCount).toBe(2);
  });

  test('unknown dtypes and values that are no array are refused at once', () => {
    expect(() => typed('complex64' as 'int8', [])).toThrow(UnsupportedError);
    for (const values of ['abc', 5, null, {}, new DataView(new ArrayBuffer(4)), new ArrayBuffer(4)])
      expect(() => typed('int8', values as never)).toThrow(ArgumentError);
  });

  test('arrays with holes are refused', () => {
    const holes = new Array<string>(3);
    holes[0] = 'a';
    for (const dtype of ['string', 'S1', 'U1'] as const)
      expect(refusal(() => toInputColumns({ x: typed(dtype, holes) }))).toMatchObject({
        code: 'ERR_VALUE',
        found: 'undefined at row 1',
      });
  });
});

describe('what is refused', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['mixed kinds', { x: [1, 'a'] }, 'ERR_VALUE', /column "x": .*"a" at row 1/],
    ['numbers among bigints', { x: [1n, 2] }, 'ERR_VALUE', /./],
    ['bigints among numbers', { x: [2, 1n] }, 'ERR_VALUE', /1n at row 1/],
    ['bigints beyond 64 bits', { x: [2n ** 63n] }, 'ERR_VALUE', /at row 0/],
    ['dates among text', { x: ['a', new Date(0)] }, 'ERR_VALUE', /a Date \(1970-01-01T00:00:00.000Z\) at row 1/],
    ['undefined', { x: [undefined] }, 'ERR_VALUE', /undefined at row 0/],
    ['undefined after null', { x: [null, undefined] }, 'ERR_VALUE', /undefined at row 1/],
    ['objects', { x: [{}] }, 'ERR_VALUE', /object/],
    ['functions', { x: [() => 1] }, 'ERR_VALUE', /function/],
    ['nested arrays', { x: [[1], [2]] }, 'ERR_VALUE', /an array \(\[1\]\) at row 0/],
    ['an empty list', { x: [] }, 'ERR_SCHEMA', /typed\(dtype, values\) or \{ schema \} but found an empty array/],
    ['only nulls', { x: [null, null] }, 'ERR_SCHEMA', /only nulls/],
    [
      'ragged columns',
      { a: [1, 2], b: Int8Array.of(1) },
      'ERR_SCHEMA',
      /column "b": expected 2 rows, as column "a" has but found 1 rows/,
    ],
    ['no columns', {}, 'ERR_SCHEMA', /at least one column/],
    ['no rows', [], 'ERR_SCHEMA', /at least one column/],
    [
      'a name twice',
      [
        ['a', [1]],
        ['a', [2]],
      ],
      'ERR_SCHEMA',
      /"a" twice/,
    ],
    ['a name that is no text', [[1, [1]]], 'ERR_SCHEMA', /text/],
    ['a pair of three', [['a', [1], 2]], 'ERR_SCHEMA', /pairs/],
    ['text', 'abc', 'ERR_SCHEMA', /columns by name/],
    ['null', null, 'ERR_SCHEMA', /columns by name/],
    ['a typed array', Int8Array.of(1), 'ERR_SCHEMA', /columns by name/],
    ['a number as column', { x: 5 }, 'ERR_SCHEMA', /5/],
    ['a DataView as column', { x: new DataView(new ArrayBuffer(8)) }, 'ERR_SCHEMA', /DataView/],
    ['null as column', { x: null }, 'ERR_SCHEMA', /null/],
    ['rows that lack a name', [{ a: 1, b: 2 }, { a: 1 }], 'ERR_SCHEMA', /row 1: expected a value for "b"/],
    ['rows with another name', [{ a: 1 }, { a: 2, c: 3 }], 'ERR_SCHEMA', /row 1: .*"c"/],
    ['rows with an inherited name', [{ a: 1 }, Object.create({ a: 2 })], 'ERR_SCHEMA', /row 1/],
    ['rows that are no objects', [{ a: 1 }, null], 'ERR_SCHEMA', /null at position 1/],
    ['numbers as rows', [1, 2], 'ERR_SCHEMA', /1 at position 0/],
    ['codes without text', { x: { codes: Int32Array.of(0, 3), dictionary: ['a'] } }, 'ERR_VALUE', /3 at row 1/],
    [
      'a validity that is too short',
      { x: { values: new Int8Array(9), validity: new Uint8Array(1) } },
      'ERR_ARGUMENT',
      /9 rows/,
    ],
  ])('%s', (_what, input, code, message) => {
    const error = refusal(() => toInputColumns(input as TableInput));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test('nulls, for a format without them, by column and row', () => {
    const nulls = 'refuse';
    expect(
      refusal(() =>
        toInputColumns({ a: [1], b: [null, 2].slice(0, 1) }, { nulls, schema: { a: 'float64', b: 'float64' } }),
      ),
    ).toMatchObject({ code: 'ERR_VALUE', argument: 'column "b"', found: 'null at row 0' });
    expect(refusal(() => toInputColumns([{ s: 'x' }, { s: null }], { nulls }))).toMatchObject({
      code: 'ERR_VALUE',
      found: 'null at row 1',
    });
    expect(
      refusal(() =>
        toInputColumns({ x: { values: new Int8Array(12), validity: Uint8Array.of(255, 0b1101) } }, { nulls }),
      ),
    ).toMatchObject({ code: 'ERR_VALUE', found: 'null at row 9' });
    expect(refusal(() => toInputColumns(tableFrom({ x: ['int8?', [1]] }), { nulls }))).toMatchObject({
      code: 'ERR_SCHEMA',
      argument: 'column "x"',
    });
    expect(
      refusal(() => toInputColumns({ x: [1] }, { nulls, schema: { x: { dtype: 'float64', nullable: true } } })).code,
    ).toBe('ERR_SCHEMA');
    expect(types({ x: { values: Int8Array.of(1, 2), validity: Uint8Array.of(3) } }, { nulls })).toEqual(['x: int8']);
  });
});

describe('schema', () => {
  test('fixes names, order and types, in every form', async () => {
    const input = { b: [1, 2], a: [true, false], when: ['2024-01-01', '2024-01-02'] };
    for (const schema of [
      { when: 'datetime64[D]', a: 'bool', b: 'int16' },
      new Map([
        ['when', 'datetime64[D]'],
        ['a', 'bool'],
        ['b', 'int16'],
      ] as const),
      [
        { name: 'when', dtype: 'datetime64[D]' },
        { name: 'a', dtype: 'bool' },
        { name: 'b', dtype: 'int16' },
      ] as const,
    ] as const) {
      expect(types(input, { schema })).toEqual(['when: datetime64[D]', 'a: bool', 'b: int16']);
      expect(await readAll(toInputColumns(input, { schema }))).toEqual({
        when: [19723n, 19724n],
        a: [true, false],
        b: [1, 2],
      });
    }
  });

  test('gives types to what says none, and tables without rows', () => {
    expect(types({ x: [] }, { schema: { x: 'uint8' } })).toEqual(['x: uint8']);
    expect(types([], { schema: { x: 'uint8', y: 'string' } })).toEqual(['x: uint8', 'y: string']);
    expect(types({ x: [null] }, { schema: { x: 'uint8' } })).toEqual(['x: uint8?']);
    expect(types({ x: [1] }, { schema: { x: { dtype: 'uint8', nullable: true } } })).toEqual(['x: uint8?']);
    expect(types(tableFrom({ x: ['int8', [1]] }), { schema: { x: { dtype: 'int8', nullable: true } } })).toEqual([
      'x: int8?',
    ]);
  });

  test.each<[string, TableInput, InputOptions['schema'], string]>([
    ['a missing column', { a: [1] }, { a: 'float64', b: 'int8' }, 'ERR_SCHEMA'],
    ['a column too many', { a: [1], b: [2] }, { a: 'float64' }, 'ERR_SCHEMA'],
    ['typed values of another type', { a: typed('int8', [1]) }, { a: 'int16' }, 'ERR_SCHEMA'],
    ['a table of another type', tableFrom({ a: ['int8', [1]] }), { a: 'int16' }, 'ERR_SCHEMA'],
    ['nulls that it rules out', { a: [null] }, { a: { dtype: 'int8', nullable: false } }, 'ERR_VALUE'],
    [
      'a nullable column that it rules out',
      tableFrom({ a: ['int8?', [1]] }),
      { a: { dtype: 'int8', nullable: false } },
      'ERR_SCHEMA',
    ],
    ['values that do not fit', { a: [300] }, { a: 'uint8' }, 'ERR_VALUE'],
    ['an unknown dtype', { a: [1] }, { a: 'decimal' as 'int8' }, 'ERR_DTYPE'],
    [
      'a name twice',
      { a: [1] },
      [
        { name: 'a', dtype: 'int8' },
        { name: 'a', dtype: 'int8' },
      ],
      'ERR_SCHEMA',
    ],
    ['rows with more names', [{ a: 1, b: 2 }], { a: 'int8' }, 'ERR_SCHEMA'],
  ])('refuses %s', (_what, input, schema, code) => {
    expect(refusal(() => toInputColumns(input, { schema: schema! })).code).toBe(code);
  });
});

describe('other sources', () => {
  test('row objects', async () => {
    const rows = [
      { id: 1n, name: 'a', ok: true },
      { ok: false, name: null, id: 2n },
    ];
    expect(types(rows)).toEqual(['id: int64', 'name: string?', 'ok: bool']);
    expect(await readAll(toInputColumns(rows))).toEqual({ id: [1n, 2n], name: ['a', null], ok: [true, false] });
    expect(
      await readAll(toInputColumns([Object.assign(Object.create(null) as object, { ['__proto__']: 5 })] as never)),
    ).toEqual(Object.assign(Object.create(null) as object, { ['__proto__']: [5] }));
  });

  test('packed records', async () => {
    const table = tableFrom({
      flag: ['bool', [true, false, true, true]],
      x: ['float64', [0.5, 1, 2, 3]],
      s: ['S3', ['a', '', 'abc', 'é']],
      n: ['int16?', [1, null, 3, null]],
      h: ['float16', [1, 2, 3, 4]],
    });
    expect(await readAll(toInputColumns(await table.toRecords()))).toEqual(
      Object.fromEntries((['flag', 'x', 's', 'n', 'h'] as const).map((name) => [name, [...table.column(name)]])),
    );
    const gaps = new RecordBatch({
      fields: [{ name: 'a', dtype: 'int16', nullable: false, byteOffset: 1 }],
      rowCount: 2,
      byteStride: 4,
      bytes: Uint8Array.of(9, 1, 0, 9, 9, 2, 0, 9),
    });
    expect(await readAll(toInputColumns(gaps))).toEqual({ a: [1, 2] });
  });

  test('what toColumns gives, in every form', async () => {
    const table = tableFrom({
      i: ['int16?', [1, null, 3]],
      s: ['string?', ['a', null, 'a']],
      f: ['float64', [1, 2, 3]],
      u: ['S2', ['x', 'yy', '']],
    });
    expect(await readAll(toInputColumns((await table.toColumns()) as never))).toEqual({
      i: [1, null, 3],
      s: ['a', null, 'a'],
      f: [1, 2, 3],
      u: ['x', 'yy', ''],
    });
    const forms = await table.toColumns({ nulls: 'bitmap', strings: 'dictionary' });
    expect(types(forms as never)).toEqual(['i: int16?', 's: string?', 'f: float64', 'u: string']);
    expect(await readAll(toInputColumns(forms as never))).toEqual({
      i: [1, null, 3],
      s: ['a', null, 'a'],
      f: [1, 2, 3],
      u: ['x', 'yy', ''],
    });
  });

  test('a bitmap wins over what lies in null rows', async () => {
    const input = toInputColumns({
      x: { values: Int8Array.of(1, 2, 3), validity: Uint8Array.of(0b101) },
      s: { values: ['a', 'b', 'c'], validity: Uint8Array.of(0b011) },
      f: { values: typed('S1', ['a', 'b', 'c']), validity: Uint8Array.of(0b110) },
    });
    expect(await readAll(input)).toEqual({ x: [1, null, 3], s: ['a', 'b', null], f: [null, 'b', 'c'] });
  });

  test('columns of a lazy table beside others, under other names', async () => {
    const table = tableFrom({ x: ['int32', [1, 2, 3, 4]], s: ['string', ['a', 'b', 'c', 'd']] });
    const input = toInputColumns({
      picked: table.column('x').take([3, 0]),
      text: table.column('s').slice(1, 3),
      own: [0.5, 1.5],
    });
    expect(input.fields.map(({ name, dtype }) => `${name}: ${dtype}`)).toEqual([
      'picked: int32',
      'text: string',
      'own: float64',
    ]);
    expect(await readAll(input)).toEqual({ picked: [4, 1], text: ['b', 'c'], own: [0.5, 1.5] });
  });

  test('any lazy table, as it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        tableArbitrary({ dtypes: ALL_DTYPES, nullable: true }),
        fc.boolean(),
        async (oracle, dictionary) => {
          const table = new Table(new MemoryTable(oracle, dictionary ? { strings: 'dictionary' } : {}));
          const input = toInputColumns(table.slice(undefined, undefined, -1));
          expect(input.fields).toEqual(table.schema);
          const found = await readAll(input);
          for (const { name, values } of oracle.columns)
            expect([name, found[name]]).toEqual([name, [...values].reverse()]);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a lazy table on the way in', () => {
  const oracle = oracleOf({
    x: ['int32', Array.from({ length: 1000 }, (_, row) => row)],
    y: ['uint8', Array.from({ length: 1000 }, (_, row) => row % 256)],
  });

  test('is read range by range, one column at a time', async () => {
    const source = new MemoryTable(oracle);
    const input = toInputColumns(new Table(source).filter(Uint8Array.from({ length: 1000 }, (_, row) => row % 2)));
    expect([input.rowCount, source.requests]).toEqual([500, []]);
    await input.columns[1]!.read(100, 150);
    input.columns[0]!.readSync(499, 500);
    expect(
      source.requests.map(({ columns, rows }) => [columns, rows.kind === 'indices' && rows.indices.length]),
    ).toEqual([
      [[1], 50],
      [[0], 1],
    ]);
  });

  test('is checked before the first read: its indices, and whether it is open', () => {
    const source = new MemoryTable(oracle);
    const table = new Table(source);
    expect(refusal(() => toInputColumns(table.take([1, 1000])))).toMatchObject({
      code: 'ERR_INDEX_OUT_OF_RANGE',
      position: 1,
    });
    expect(source.requests).toEqual([]);
    table.close();
    expect(refusal(() => toInputColumns(table)).code).toBe('ERR_CLOSED');
  });

  test('stops for a signal', async () => {
    const input = toInputColumns(new Table(new MemoryTable(oracle)));
    await expect(input.columns[0]!.read(0, 10, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
