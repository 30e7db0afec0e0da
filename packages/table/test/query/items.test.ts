// Packed items that are one of many texts, or match a pattern: those whose strings do, whatever units they hold.
import { createRandom } from '@colkit/testkit';
import { describe, expect, test } from 'vitest';
import { ItemList } from '../../src/query/kernels/item-list.ts';
import { ItemPattern } from '../../src/query/kernels/item-pattern.ts';
import { selectItems } from '../../src/query/kernels/items.ts';
import type { ItemMatcher } from '../../src/query/kernels/items.ts';
import { likeTest, parseLike } from '../../src/query/kernels/like.ts';
import { decodeFixedStrings } from '../../src/values/fixed-strings.ts';

const BYTES = [0, 0, 0x25, 0x41, 0x61, 0x7a, 0xc0, 0xdf, 0xe0, 0xff];
const UNITS = { S4: BYTES, U4: [...BYTES, 0x130, 0x131, 0x3a3, 0x3c2, 0x3c3, 0x212a, 0x6b, 0xd800, 0xfffd] };
const ASTRAL = [0x1_0400, 0x1_0428, 0x1_f600, 0x10_ffff, 0x11_0000, 0xffff_ffff];
const ROWS = 600;

describe.each(['S4', 'U4'] as const)('%s', (dtype) => {
  const random = createRandom(4);
  const unitBytes = dtype === 'S4' ? 1 : 4;
  const units = dtype === 'S4' ? UNITS.S4 : [...UNITS.U4, ...ASTRAL];
  const bytes = new Uint8Array(ROWS * 4 * unitBytes);
  const view = new DataView(bytes.buffer);
  for (let unit = 0; unit < 4 * ROWS; unit++)
    if (unitBytes === 1) bytes[unit] = random.pick(units);
    else view.setUint32(4 * unit, random.pick(units), true);
  const texts = decodeFixedStrings(bytes, dtype);
  const unaligned = new Uint8Array(bytes.length + 1).subarray(1);
  unaligned.set(bytes);

  function check(matcher: ItemMatcher, test: (text: string) => boolean): void {
    for (const rows of [null, Int32Array.from({ length: 50 }, () => random.integer(ROWS)).sort()]) {
      const asked = rows === null ? texts.map((_, row) => row) : [...rows];
      for (const flip of [0, 1] as const) {
        for (const placed of [bytes, unaligned]) {
          const out = new Int32Array(ROWS);
          const count = selectItems({ bytes: placed, length: 4, unitBytes }, matcher, flip, rows, asked.length, out);
          expect([...out.subarray(0, count)]).toEqual(asked.filter((row) => test(texts[row]!) === (flip === 0)));
        }
      }
    }
  }

  test('lists', () => {
    const never = ['longer than an item', 'A\0', '\ud800', '\0', '\u{1F601}'];
    for (let round = 0; round < 40; round++) {
      const some = Array.from({ length: random.integer(40) }, () => random.pick(texts));
      const listed = new Set([...some, ...(round % 2 === 0 ? never : [])]);
      check(new ItemList([...listed]), (text) => listed.has(text));
    }
  });

  test.each([false, true])('patterns, caseless: %s', (caseless) => {
    const characters = ['!%', ...'%%_AaKk\u212Aàßσİi\u{10400}\0'];
    for (let round = 0; round < 300; round++) {
      const piece = random.integer(3) === 0 ? random.pick(texts).replaceAll('%', '') : '';
      const pattern = Array.from({ length: random.integer(5) }, () => random.pick(characters)).join('') + piece;
      const parsed = parseLike(round % 2 === 0 ? `%${pattern}%` : pattern, caseless, '!');
      if (parsed !== null) check(new ItemPattern(parsed), likeTest(parsed));
    }
  });
});
