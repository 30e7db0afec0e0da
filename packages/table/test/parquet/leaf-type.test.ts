// What becomes of a value that Parquet stores: decimals against exact arithmetic, INT96 byte by byte, and what is
// refused.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyPages, leafType, parquetFault, storedMetadata, textOrBytes } from '../../src/parquet/index.ts';
import type { ParquetElement } from '../../src/parquet/index.ts';

const REMEDY = 'leave it out';

function taken(element: Omit<ParquetElement, 'name'>, stored: unknown): unknown {
  const leaf = leafType({ name: 'x', ...element }, REMEDY);
  return leaf?.take?.(stored, 5) ?? stored;
}

/** Of a finite double: an integer times a power of two. */
function exactly(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0]!;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = (bits & (2n ** 52n - 1n)) | (exponent === 0 ? 0n : 2n ** 52n);
  return { mantissa: value < 0 ? -mantissa : mantissa, exponent: Math.max(1, exponent) - 1075 };
}

/** |value - unscaled / 10^scale| times 2^1080 * 10^scale, an integer. */
function distance(value: number, unscaled: bigint, scale: number): bigint {
  const { mantissa, exponent } = exactly(value);
  const difference = mantissa * 2n ** BigInt(exponent + 1080) * 10n ** BigInt(scale) - unscaled * 2n ** 1080n;
  return difference < 0n ? -difference : difference;
}

function neighbours(value: number): readonly number[] {
  const bits = new BigInt64Array(Float64Array.of(value).buffer)[0]!;
  return [bits - 1n, bits + 1n].map((each) => new Float64Array(BigInt64Array.of(each).buffer)[0]!);
}

function bigEndian(value: bigint, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => Number(BigInt.asUintN(8, value >> BigInt(8 * (length - 1 - i)))));
}

describe('DECIMAL', () => {
  const magnitude = fc.oneof(
    fc.bigInt({ min: 1n, max: 10n ** 38n - 1n }),
    fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 5n }),
    fc
      .integer({ min: 0, max: 70 })
      .chain((shift) =>
        fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n }).map((half) => ((2n * half + 1n) << BigInt(shift)) % 10n ** 38n),
      ),
    fc.bigInt({ min: 1n, max: 100_000n }),
  );

  it('is the nearest float64, ties to even, from integers and from bytes', () => {
    fc.assert(
      fc.property(magnitude, fc.boolean(), fc.integer({ min: 0, max: 38 }), (size, negative, scale) => {
        const unscaled = negative ? -size : size;
        const element = {
          type: 'FIXED_LEN_BYTE_ARRAY',
          type_length: 16,
          converted_type: 'DECIMAL',
          precision: 38,
          scale,
        };
        const value = taken(element, bigEndian(unscaled, 16)) as number;
        expect(taken(element, unscaled)).toBe(value);
        if (value === 0) return expect(unscaled).toBe(0n);
        const own = distance(value, unscaled, scale);
        for (const other of neighbours(value)) {
          const its = distance(other, unscaled, scale);
          expect(own <= its).toBe(true);
          if (own === its) expect(exactly(value).mantissa % 2n).toBe(0n);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    [59_031n * 10n ** 16n, 18, 590.31],
    [1n, 38, 1e-38],
    [2n ** 53n + 1n, 0, 2 ** 53],
    [2n ** 53n + 3n, 0, 2 ** 53 + 4],
    [-25n, 1, -2.5],
    [0n, 5, 0],
  ])('%s with %s digits behind the point is %s', (unscaled, scale, value) => {
    expect(taken({ type: 'INT64', logical_type: { type: 'DECIMAL', precision: 38, scale } }, unscaled)).toBe(value);
  });
});

describe('INT96', () => {
  const stored = (nanos: bigint, day: number): Uint8Array => {
    const bytes = new Uint8Array(14);
    const view = new DataView(bytes.buffer, 1, 12);
    view.setBigInt64(0, nanos, true);
    view.setInt32(8, day, true);
    return bytes.subarray(1, 13);
  };
  it.each([
    ['1970-01-01', 0n, 2_440_588, 0n],
    ['a microsecond before, its nanoseconds below zero', -1000n, 2_440_588, -1n],
    ['a microsecond before, of the day before', 86_399_999_999_000n, 2_440_587, -1n],
    ['the year 1', 0n, 1_721_426, -62_135_596_800_000_000n],
    ['the end of 9999', 86_399_999_999_000n, 5_373_484, 253_402_300_799_999_999n],
    ['the largest int64', 14_454_775_807_000n, 2_440_588 + 106_751_991, 2n ** 63n - 1n],
  ] as [string, bigint, number, bigint][])('%s', (_, nanos, day, micros) => {
    expect(taken({ type: 'INT96' }, stored(nanos, day))).toBe(micros);
  });

  it('takes a sum that overflowed where it was written for what it was', () => {
    // 290000-12-31T01:00:00: the sum of it and the Julian day of 1970, in microseconds, is beyond int64.
    const micros = 9_089_380_393_200_000_000n;
    const sum = BigInt.asIntN(64, micros + 2_440_588n * 86_400_000_000n);
    expect(taken({ type: 'INT96' }, stored((sum % 86_400_000_000n) * 1000n, Number(sum / 86_400_000_000n)))).toBe(
      micros,
    );
  });

  it('refuses nanoseconds and days that int64 microseconds do not hold, naming column, row and remedy', () => {
    expect(() => taken({ type: 'INT96' }, stored(1n, 2_440_588))).toThrow(
      'column "x": expected whole microseconds but found 1 nanoseconds at row 5 (leave it out)',
    );
    expect(() => taken({ type: 'INT96' }, stored(0n, 2 ** 31 - 1))).toThrow(/moments that int64 microseconds reach/);
  });
});

it('times of a day are microseconds, whatever their unit', () => {
  const time = (unit: string, value: unknown): unknown =>
    taken({ type: 'INT64', logical_type: { type: 'TIME', unit, isAdjustedToUTC: false } }, value);
  expect([
    time('MILLIS', 86_399_999),
    time('MICROS', 7n),
    time('NANOS', 3_000n),
    taken({ type: 'INT32', converted_type: 'TIME_MILLIS' }, 1),
  ]).toEqual([86_399_999_000n, 7n, 3n, 1000n]);
  expect(() => time('NANOS', 3_001n)).toThrow(/whole microseconds but found 3001 nanoseconds/);
});

it('says of each type what becomes of it', () => {
  const told = (element: Omit<ParquetElement, 'name'>): unknown => {
    const leaf = leafType({ name: 'x', ...element }, REMEDY);
    return leaf === null ? null : [leaf.dtype, leaf.note?.split(' became')[0] ?? null];
  };
  expect(told({ type: 'INT64', logical_type: { type: 'TIMESTAMP', unit: 'MICROS', isAdjustedToUTC: true } })).toEqual([
    'datetime64[us]',
    'TIMESTAMP in UTC',
  ]);
  expect(told({ type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' })).toEqual(['datetime64[ms]', 'TIMESTAMP in UTC']);
  expect(
    told({
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', unit: 'MICROS', isAdjustedToUTC: false },
      converted_type: 'TIMESTAMP_MICROS',
    }),
  ).toEqual(['datetime64[us]', null]);
  expect(told({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } })).toEqual([
    'string',
    'UUID',
  ]);
  expect(told({ type: 'BYTE_ARRAY', converted_type: 'JSON' })).toEqual(['string', 'JSON']);
  expect(told({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, logical_type: { type: 'FLOAT16' } })).toEqual([
    'float32',
    'FLOAT16',
  ]);
  expect(told({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 5 })).toEqual(['binary', 'FIXED_LEN_BYTE_ARRAY(5)']);
  expect(told({ type: 'INT32', logical_type: { type: 'NULL' } })).toEqual([
    'int32',
    'a column of nulls alone (UNKNOWN)',
  ]);
  expect(told({ type: 'BYTE_ARRAY', converted_type: 'UTF8' })).toEqual(['string', null]);
  expect(told({ type: 'INT32', logical_type: { type: 'INTEGER', bitWidth: 16, isSigned: false } })).toEqual([
    'uint16',
    null,
  ]);
  expect(told({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12, converted_type: 'INTERVAL' })).toBe(null);
  expect(told({ type: 'INT32', logical_type: { type: 'INTEGER', bitWidth: 24, isSigned: false } })).toBe(null);
});

it('hyparquet is told to give INT96 as bytes and decimals as stored', () => {
  const metadata = {
    schema: [
      { name: 'root' },
      { name: 'a', type: 'INT96', repetition_type: 'OPTIONAL' },
      { name: 'd', type: 'INT64', converted_type: 'DECIMAL', scale: 2 },
      { name: 's', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    ],
    row_groups: [{ columns: [{ meta_data: { type: 'INT96', codec: 'ZSTD', path_in_schema: ['a'] } }] }],
  };
  const stored = storedMetadata(metadata);
  expect(stored.schema).toEqual([
    { name: 'root' },
    { name: 'a', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12, repetition_type: 'OPTIONAL' },
    { name: 'd', type: 'INT64', scale: 2 },
    metadata.schema[3],
  ]);
  expect(stored.row_groups[0]?.columns[0]?.meta_data?.type).toBe('FIXED_LEN_BYTE_ARRAY');
});

it('nothing is not decompressed; text that is none stays bytes; what hyparquet does not know is no damage', () => {
  const refuses = (): Uint8Array => {
    throw new Error('asked');
  };
  expect(emptyPages({ SNAPPY: refuses })['SNAPPY']?.(new Uint8Array(0), 0)).toEqual(new Uint8Array(0));
  expect(() => emptyPages({ SNAPPY: refuses })['SNAPPY']?.(new Uint8Array(1), 1)).toThrow('asked');
  expect([textOrBytes(Uint8Array.of(0xc5, 0xbc)), textOrBytes(Uint8Array.of(0xc5))]).toEqual([
    'ż',
    Uint8Array.of(0xc5),
  ]);
  expect(parquetFault('a.parquet', new Error('parquet unsupported encoding: BIT_PACKED'))).toMatchObject({
    name: 'UnsupportedError',
    code: 'ERR_ENCODING',
  });
  expect(parquetFault('a.parquet', new Error('parquet byte_stream_split unsupported type: INT96'))).toMatchObject({
    code: 'ERR_ENCODING',
  });
  expect(parquetFault('a.parquet', new Error('parquet unsupported page type: undefined'))).toMatchObject({
    code: 'ERR_METADATA',
  });
  expect(parquetFault('a.parquet', new Error('thrift struct ended without STOP'))).toMatchObject({
    name: 'CorruptFileError',
    code: 'ERR_METADATA',
  });
});
