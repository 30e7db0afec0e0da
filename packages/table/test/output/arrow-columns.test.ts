// Columns of many rows as Arrow's: more than are looked at in one go, with values from the ends of their types.
import * as arrow from 'apache-arrow';
import { expect, test } from 'vitest';
import { tableFrom } from '../support/tables.ts';

const NAT = -(2n ** 63n);

test('days as far as Arrow has them, over many rows', async () => {
  const [least, most] = [-(2n ** 31n), 2n ** 31n - 1n];
  const pool = [0n, -1n, 1n, least, most, NAT, null, 19_782n];
  const days = Array.from({ length: 40_000 }, (_, row) => pool[(row * 7) % pool.length] as bigint | null);
  const made = await tableFrom({ x: ['datetime64[D]?', days] }).toArrow<arrow.Table>();
  const data = made.getChild('x')!.data[0]!;
  const found = Array.from(data.values as Int32Array, (day, row) => (data.getValid(row) ? BigInt(day) : null));
  expect(found).toEqual(days.map((day) => (day === NAT ? null : day)));
  for (const [unit, tick] of [
    ['D', most + 1n],
    ['D', least - 1n],
    ['W', 2n ** 30n],
    ['D', 2n ** 32n],
  ] as const)
    await expect(tableFrom({ x: [`datetime64[${unit}]`, [0n, tick]] }).toArrow()).rejects.toThrow(
      `column "x": expected moments within the range of Arrow but found ${String(tick)} ticks at row 1`,
    );
});

test.each(['S9', 'U9', 'U9?'])('packed texts that become longer, of %s', async (dtype) => {
  // More rows than are looked at in one go, of which the last ones have the most bytes.
  const rows = 40_000;
  const values = Array.from({ length: rows }, (_, row) =>
    row % 7 === 0 ? '' : (dtype === 'S9' ? 'é' : '\u{1F600}\0a').repeat(row < rows / 2 ? 1 : 3),
  );
  const given = dtype.endsWith('?') ? values.map((value, row) => (row % 5 === 0 ? null : value)) : values;
  for (const table of [tableFrom({ x: [dtype, given] }), tableFrom({ x: [dtype, given] }).slice(16_384, 16_384)]) {
    const made = await table.toArrow<arrow.Table>();
    const read = arrow.tableFromIPC(arrow.tableToIPC(made));
    expect([...(read.getChild('x') as arrow.Vector)]).toEqual(table.rowCount === 0 ? [] : given);
  }
});
