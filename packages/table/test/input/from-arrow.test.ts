// Arrow tables in: dictionaries of values that are no text, columns of no type, bytes of one length.
import * as arrow from 'apache-arrow';
import { codeOf } from '@colkit/testkit';
import { expect, it } from 'vitest';
import { toInputColumns } from '../../src/index.ts';
import { readAll } from '../support/inputs.ts';

/** Rows 1 to 5 are of a chunk that was cut: codes 2, null, 0, 1, 2. */
function coded(dictionary: arrow.Vector): arrow.Vector {
  const type = new arrow.Dictionary(dictionary.type, new arrow.Int8());
  const data = arrow.makeData({
    type,
    length: 6,
    nullCount: 1,
    nullBitmap: Uint8Array.of(0b111011),
    data: Int8Array.of(1, 2, 0, 0, 1, 2),
    dictionary,
  });
  return new arrow.Vector([data.slice(1, 5), data.slice(0, 1)]);
}

const numbers = arrow.vectorFromArray([10n, null, -30n], new arrow.Int64());
const floats = arrow.vectorFromArray([0.5, -0, NaN], new arrow.Float64());

it('dictionaries of numbers, moments, days, bools', async () => {
  const days = arrow.vectorFromArray([new Date(86_400_000), null, new Date(-86_400_000)], new arrow.DateDay());
  const micros = arrow.makeVector({
    type: new arrow.TimestampMicrosecond(),
    data: BigInt64Array.of(1n, 2n, -3n),
  } as never) as unknown as arrow.Vector;
  const table = new arrow.Table({
    n: coded(numbers),
    f: coded(floats),
    d: coded(days),
    t: coded(micros),
    b: coded(arrow.vectorFromArray([true, false, null], new arrow.Bool())),
  });
  const input = toInputColumns(table);
  expect(input.columns.map(({ field }) => field.nullable)).toEqual([true, true, true, true, true]);
  expect(input.columns.map(({ field }) => field.dtype)).toEqual([
    'int64',
    'float64',
    'datetime64[D]',
    'datetime64[us]',
    'bool',
  ]);
  expect(await readAll(input)).toEqual({
    n: [-30n, null, 10n, null, -30n, null],
    f: [NaN, null, 0.5, -0, NaN, -0],
    d: [-1n, null, 1n, null, -1n, null],
    t: [-3n, null, 1n, 2n, -3n, 2n],
    b: [null, null, true, false, null, false],
  });
});

it('columns of no type, and bytes of one length', async () => {
  const table = new arrow.Table({
    nothing: arrow.makeVector(arrow.makeData({ type: new arrow.Null(), length: 2 })),
    bytes: arrow.vectorFromArray([Uint8Array.of(1, 2), null], new arrow.FixedSizeBinary(2)),
  });
  expect(await readAll(toInputColumns(table))).toEqual({ nothing: [null, null], bytes: [Uint8Array.of(1, 2), null] });
});

it('codes of 64 bits, without nulls; one beyond the dictionary is told', async () => {
  const flags = arrow.vectorFromArray([true, false], new arrow.Bool());
  const tableOf = (dictionary: arrow.Vector, ...codes: bigint[]): arrow.Table => {
    const type = new arrow.Dictionary(dictionary.type, new arrow.Int64() as never);
    const data = BigInt64Array.from(codes) as never;
    return new arrow.Table({ v: new arrow.Vector([arrow.makeData({ type, length: codes.length, data, dictionary })]) });
  };
  for (const [dictionary, expected] of [
    [numbers, [-30n, 10n]],
    [arrow.vectorFromArray([7, 8, 9], new arrow.Uint8()), [9, 7]],
  ] as const) {
    const input = toInputColumns(tableOf(dictionary, 2n, 0n));
    expect(input.columns[0]?.field.nullable).toBe(false);
    expect(await readAll(input)).toEqual({ v: expected });
  }
  expect(await readAll(toInputColumns(tableOf(flags, 1n, 0n)))).toEqual({ v: [false, true] });
  for (const dictionary of [numbers, flags])
    for (const code of [3n, -1n])
      expect(await codeOf(() => toInputColumns(tableOf(dictionary, 0n, code)))).toBe('ERR_VALUE');
});
