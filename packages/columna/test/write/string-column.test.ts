// Columns of strings, and of packed texts, by way of UTF-8: the same column as by way of the strings themselves.
import { parseDType } from '@colkit/io';
import { decodeFixedStrings } from '@colkit/table';
import type { Utf8Chunk } from '@colkit/table';
import { describe, expect, test } from 'vitest';
import { columnType } from '../../src/layout/column-type.ts';
import { encoderValues, planColumn } from '../../src/write/values/column-plan.ts';
import { textColumn } from '../../src/write/values/column-values.ts';
import type { StringColumn } from '../../src/write/values/column-values.ts';
import { stringColumn } from '../../src/write/values/string-column.ts';
import { utf8Column } from '../../src/write/values/utf8-column.ts';

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

describe('blocks of UTF-8, with codes and without', () => {
  const SHORT = 700;
  /** Rows of a block; with codes: into the texts that they have, and one that no row has. */
  const blockOf = (texts: readonly (string | null)[], isCoded: boolean): Utf8Chunk => {
    const stored = isCoded ? ['nobody has this', ...new Set(texts.filter((text) => text !== null))] : texts;
    const validity = new Uint8Array(Math.ceil(texts.length / 8));
    for (const [row, text] of texts.entries())
      if (text !== null) validity[row >> 3] = (validity[row >> 3] as number) | (1 << (row & 7));
    const codeOf = new Map(stored.map((text, code) => [text, code]));
    let end = 0;
    return {
      kind: 'utf8',
      rowCount: texts.length,
      bytes: Buffer.from(stored.map((text) => text ?? '').join('')),
      ends: Uint32Array.from(stored, (text) => (end += Buffer.byteLength(text ?? ''))),
      codes: isCoded ? Uint16Array.from(texts, (text) => codeOf.get(text ?? '') ?? 0) : null,
      validity: texts.includes(null) ? validity : null,
    };
  };
  test.each<[string, (row: number) => string | null]>([
    ['few texts', (row) => 'abc'.slice(row % 3)],
    ['few texts and nulls', (row) => (row % 7 === 0 ? null : `é${row % 50}`)],
    ['texts that differ', (row) => `text ${row}`],
    ['long texts that differ, and nulls', (row) => (row % 5 === 0 ? null : `${row} ${'x'.repeat(row % 200)}`)],
    ['half of them different, at the limit', (row) => `${(row * 7919) % (2 * SHORT)}`],
    ['nulls alone', () => null],
  ])('of %s are one column', (_, text) => {
    for (const coded of [[true], [false], [true, false], [false, true, true]]) {
      const values = Array.from({ length: 4 * SHORT }, (_value, row) => text(row));
      const chunks = Array.from({ length: 5 }, (_chunk, number) => {
        // The last one is short.
        const end = number === 4 ? values.length : number * (SHORT - 3) + SHORT - 3;
        return blockOf(values.slice(number * (SHORT - 3), end), coded[number % coded.length] as boolean);
      });
      const whole = blockOf(values, false);
      const { validity } = whole;
      const present = values.map((value) => value ?? '');
      expect(plain(utf8Column(type, chunks))).toEqual(plain(textColumn(type, present, validity)));
    }
  });
});

describe('packed texts', () => {
  const points = [
    0x41, 0x7f, 0x80, 0xff, 0x100, 0x7ff, 0x800, 0xd83d, 0xfffd, 0xffff, 0x1_0000, 0x10_ffff, 0x11_0000, 0,
  ];
  test.each(['S1', 'S3', 'S17', 'U1', 'U3', 'U17'] as const)('of %s are written as their strings are', (dtype) => {
    const { store } = planColumn({ name: 't', dtype, nullable: true }, parseDType(dtype));
    const { itemBytes } = parseDType(dtype);
    // Beyond one piece of the conversion, and with more rows than texts that differ.
    for (const rowCount of [0, 1, 16_385, 40_000]) {
      const bytes = new Uint8Array(rowCount * itemBytes);
      if (dtype.startsWith('U')) {
        const items = new Uint32Array(bytes.buffer);
        for (let i = 0; i < items.length; i += 1) items[i] = points[(i * i + (i >> 5)) % points.length] as number;
      } else for (let i = 0; i < bytes.length; i += 1) bytes[i] = points[(i * i + (i >> 5)) % points.length] as number;
      const validity = Uint8Array.from({ length: Math.ceil(rowCount / 8) }, (_, i) => (i % 9 === 0 ? 0 : 0b1101_1111));
      const strings = decodeFixedStrings(bytes, dtype);
      for (const nulls of [null, validity]) {
        const chunk = store({ kind: 'fixed', rowCount, bytes, validity: nulls }, rowCount, 0);
        expect(plain(encoderValues(type, chunk) as StringColumn)).toEqual(plain(stringColumn(type, strings, nulls)));
      }
    }
  });
});

/** Without where in memory it lies. */
function plain({ entries, codes, validity, rowCount }: StringColumn): unknown {
  const bytes = entries.bytes.subarray(entries.start, entries.ends.at(-1) ?? entries.start);
  return { bytes: Buffer.from(bytes).toString('hex'), ends: [...entries.ends], codes, validity, rowCount };
}
