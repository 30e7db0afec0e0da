// Everything that a writer may be handed, brought into one form; and everything that it may not.
import { Readable } from 'node:stream';
import { WorkContext } from '@colkit/io/effects';
import { ArgumentError, Float16ArrayOfRuntime, UnsupportedError } from '@colkit/io';
import type { DType } from '@colkit/io';
import { describe, expect, test } from 'vitest';
import { toInputColumns, typed } from '../../src/index.ts';
import type { PlainValues, TableInput } from '../../src/index.ts';
import { readAll } from '../support/inputs.ts';
import { tableFrom } from '../support/tables.ts';
import { refusal, types } from './refusal.ts';

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
      const chunk = toInputColumns(input).columns[0]!.read(1, 3).runSync(new WorkContext());
      expect(chunk.kind === 'fixed' && [chunk.bytes.buffer, chunk.bytes.byteOffset, chunk.bytes.length]).toEqual([
        values.buffer,
        4,
        8,
      ]);
    }
    const zero = Int32Array.of(1, 0, 3);
    const nulls = toInputColumns({ x: { values: zero, validity: Uint8Array.of(0b101) } });
    const zeros = nulls.columns[0]!.read(0, 3).runSync(new WorkContext());
    expect(zeros.kind === 'fixed' && zeros.bytes.buffer).toBe(zero.buffer);
    const ticks = BigInt64Array.of(1n);
    const chunk = toInputColumns({ x: typed('datetime64[us]', ticks) })
      .columns[0]!.read(0, 1)
      .runSync(new WorkContext());
    expect(chunk.kind === 'fixed' && chunk.bytes.buffer).toBe(ticks.buffer);
  });
});

// Readers may see what a column stores in a null row: zeros, whatever the caller left there.
describe('what stands in null rows does not leave the column', () => {
  const ROWS = 29;
  const isNull = (row: number): boolean => row % 3 === 1 || (row > 15 && row < 25);
  const validity = Uint8Array.from({ length: 4 }, (_, byte) =>
    [0, 1, 2, 3, 4, 5, 6, 7].reduce((bits, bit) => bits | (isNull(8 * byte + bit) ? 0 : 1 << bit), 0),
  );
  const text = Uint8Array.from({ length: 1 + ROWS * 8 }, (_, at) => 1 + (at % 90));

  test.each<[string, PlainValues, number]>([
    ['int8', new Int8Array(ROWS).fill(-1), 1],
    ['uint16', new Uint16Array(ROWS).fill(7), 2],
    ['float32', new Float32Array(ROWS).fill(-0), 4],
    ['float64', new Float64Array(ROWS).fill(NaN), 8],
    ['int64', new BigInt64Array(ROWS).fill(1n << 40n), 8],
    ['S3', text.subarray(1, 1 + 3 * ROWS), 3],
    ['S8', text.subarray(1), 8],
    ['S6', text.subarray(0, 6 * ROWS), 6],
  ])('%s', (dtype, values, itemBytes) => {
    const before = bytesOf(values as Uint8Array).slice();
    const { columns } = toInputColumns({ x: { values: typed(dtype as DType, values), validity } });
    const chunk = columns[0]!.read(0, ROWS).runSync(new WorkContext());
    const expected = before.map((byte, at) => (isNull(Math.floor(at / itemBytes)) ? 0 : byte));
    expect(chunk.kind === 'fixed' && [...chunk.bytes]).toEqual([...expected]);
    expect(bytesOf(values as Uint8Array)).toEqual(before);
  });
});

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

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
    ['timedelta64[s]', [-3n, 'NaT'], [-3n, -(2n ** 63n)]],
    ['float32', Int32Array.of(16777216, -16777218), [16777216, -16777218]],
    ['float32', [16777217], [16777216]],
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
    ['float64', BigInt64Array.of(2n ** 53n + 1n), 0],
    ['float32', Int32Array.of(5, 16777217), 1],
    ['float32', Uint32Array.of(2 ** 32 - 1), 0],
    ['float16', Int16Array.of(2048, 2049), 1],
    ['float16', Uint16Array.of(65535), 0],
    ['timedelta64[s]', ['nat'], 0],
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
    ['Maps as rows', [new Map([['a', 1]])], 'ERR_SCHEMA', /row objects but found an object \(Map\) at position 0/],
    ['a stream', Readable.from([{ a: [1] }]), 'ERR_SCHEMA', /columns by name .* but found an object \(Readable\)/],
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
    expect(
      refusal(() => toInputColumns({ x: [1] }, { nulls, schema: { x: { dtype: 'float64', nullable: true } } })).code,
    ).toBe('ERR_SCHEMA');
    expect(types({ x: { values: Int8Array.of(1, 2), validity: Uint8Array.of(3) } }, { nulls })).toEqual(['x: int8']);
  });

  test('of a table, only its values tell whether there are nulls', async () => {
    const whole = toInputColumns(tableFrom({ x: ['int8?', [1, 2, 3, 4]] }), { nulls: 'refuse' });
    expect(whole.fields).toEqual([{ name: 'x', dtype: 'int8', nullable: false }]);
    expect(await readAll(whole)).toEqual({ x: [1, 2, 3, 4] });
    const holed = toInputColumns(tableFrom({ x: ['int8?', [1, 2, 3, null]] }), { nulls: 'refuse' });
    await expect(readAll(holed)).rejects.toMatchObject({
      code: 'ERR_VALUE',
      argument: 'column "x"',
      found: 'null at row 3',
    });
  });
});
