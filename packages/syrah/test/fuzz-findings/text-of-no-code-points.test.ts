// A file of the item-by-item form whose text has the dtype `<U0`, elements of no code points, and bytes: found by the
// fuzzer as a RangeError of DataView.
import { expect, test } from 'vitest';
import { openSync } from '../../src/index.ts';
import { doc, docField, entry, file } from '@colkit/testkit/syr-bytes';

const data = Uint8Array.from({ length: 12 }, (_, k) => (k % 4 === 0 ? 97 + k : 0));
const withText = (size: number) =>
  openSync(file(data, doc(docField('0', doc(entry('x', '<U0', 22, size)))), { version: [0, 0, 1, 1] }));

test('bytes that are no whole code points are refused', () => {
  for (const size of [1, 2, 3, 5, 11]) {
    expect(() => withText(size).getItemSync(0)).toThrow(expect.objectContaining({ code: 'ERR_METADATA' }));
  }
});

test('whole code points are text, and none is empty text', () => {
  expect(withText(8).getItemSync(0)).toEqual({ x: 'ae' });
  expect(withText(0).getItemSync(0)).toEqual({ x: '' });
});
