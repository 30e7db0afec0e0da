// Columns of strings by way of UTF-8: the same column as by way of the strings themselves.
import { describe, expect, test } from 'vitest';
import { columnType } from '../../src/layout/column-type.ts';
import { textColumn } from '../../src/write/values/column-values.ts';
import { stringColumn } from '../../src/write/values/string-column.ts';

const type = columnType('string');
const ROWS = 5000;

describe('stringColumn', () => {
  const validity = Uint8Array.from({ length: ROWS / 8 }, (_, i) => (i % 9 === 0 ? 0 : 0b1101_1111));
  test.each<[string, (row: number) => string]>([
    ['all different', (row) => `text ${row}`],
    ['most of them different', (row) => `${(row * 7919) % 4001}`],
    ['half of them different, at the limit', (row) => `${(row * 7919) % (ROWS / 2)}`],
    ['some thousand', (row) => `${(row * 7919) % 1500} \u0000`],
    ['few', (row) => 'abc'.slice(row % 3)],
    ['beyond ASCII', (row) => `é😀${row}\uFEFF`.slice(row % 2)],
    ['ASCII and more, and empty', (row) => (row % 700 === 1 ? `${row}é` : row % 5 === 0 ? '' : `${row}`)],
    ['long ones', (row) => (row % 1000 === 0 ? 'x'.repeat(70_000) + String(row) : `${row}`)],
  ])('%s', (_, text) => {
    const values = Array.from({ length: ROWS }, (_value, row) => text(row));
    expect(plain(stringColumn(type, values, null))).toEqual(plain(textColumn(type, values, null)));
    expect(plain(stringColumn(type, values, validity))).toEqual(plain(textColumn(type, values, validity)));
  });

  test('refuses halves of surrogate pairs, also where two of them stand side by side', () => {
    const values = Array.from({ length: ROWS }, (_, row) => `text ${row}`);
    for (const [first, second] of [
      ['\uD83D', 'x'],
      ['x\uD83D', '\uDE00'],
    ] as const) {
      const broken = values.with(2500, first).with(2501, second);
      expect(() => stringColumn(type, broken, null)).toThrow(expect.objectContaining({ code: 'ERR_VALUE' }) as Error);
    }
  });
});

/** Without where in memory it lies. */
function plain({ entries, codes, validity, rowCount }: ReturnType<typeof stringColumn>): unknown {
  const bytes = entries.bytes.subarray(entries.start, entries.ends.at(-1) ?? entries.start);
  return { bytes: Buffer.from(bytes).toString('hex'), ends: [...entries.ends], codes, validity, rowCount };
}
