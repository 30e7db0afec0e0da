import { expect, test } from 'vitest';
import { roomForTexts } from '../../src/values/utf8-texts.ts';

const MOST = 2 ** 32 - 1;

// Texts of more than 2 GiB together are kept in memory that doubles; no runtime with arrays of 4 GiB has twice as much.
test('room for texts is as much as is wished for, up to what offsets of 32 bits reach', () => {
  expect(roomForTexts(3, 10)).toBe(10);
  expect(roomForTexts(11, 10)).toBe(11);
  expect(roomForTexts(2 ** 31 + 1, 2 * (2 ** 31 + 1))).toBe(MOST);
  expect(roomForTexts(MOST, 2 * MOST)).toBe(MOST);
  expect(() => roomForTexts(MOST + 1, MOST + 1)).toThrow(
    expect.objectContaining({ code: 'ERR_LIMIT', limit: MOST, value: MOST + 1 }),
  );
});
