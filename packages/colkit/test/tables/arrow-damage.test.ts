// Arrow files and streams in which any number of what tells of them is another: apache-arrow goes by each, so that a
// byte could take all memory, or never end. They are read to other values, or refused.
import { openSource } from '@colkit/io';
import { toInputColumns } from '@colkit/table';
import { codeOf } from '@colkit/testkit';
import { Field, Int32, List, Null, Struct, Table, Utf8, tableToIPC, vectorFromArray } from 'apache-arrow';
import { expect, test } from 'vitest';
import { arrowBatches } from '../../src/tables/arrow-file.ts';

const MARK = -1;
const item = new Struct([Field.new('n', new Int32(), true), Field.new('s', new Utf8(), true)]);
const table = new Table({
  plain: vectorFromArray([1, null, 3], new Int32()),
  text: vectorFromArray(['a', null, 'cd'], new Utf8()),
  code: vectorFromArray(['x', 'y', 'x']),
  none: vectorFromArray([null, null, null], new Null()),
  items: vectorFromArray([[{ n: 1, s: 'q' }], [], [{ n: null, s: null }]], new List(Field.new('item', item, true))),
});

/** How many rows there are, as columns that a writer takes. */
async function rowsOf(bytes: Uint8Array): Promise<number> {
  const source = await openSource(bytes);
  let rows = 0;
  for await (const batch of arrowBatches(source, { nested: true })) rows += toInputColumns(batch).rowCount;
  return rows;
}

/** Where the footer, and what is in front of each body, has its numbers. */
function placesOf(bytes: Uint8Array, form: 'file' | 'stream'): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places: number[] = [];
  const add = (start: number, end: number): void => {
    for (let at = start; at < end; at += 4) places.push(at);
  };
  for (let at = 0; at + 8 <= bytes.length; at += 8)
    if (view.getInt32(at, true) === MARK) add(at + 4, at + 8 + view.getInt32(at + 4, true));
  const footerEnd = bytes.length - 10;
  if (form === 'file') add(footerEnd - view.getInt32(footerEnd, true), footerEnd);
  return places;
}

test.each(['file', 'stream'] as const)('a %s', async (form) => {
  const bytes = tableToIPC(table, form);
  expect(await rowsOf(bytes)).toBe(3);
  const places = placesOf(bytes, form);
  expect(places.length).toBeGreaterThan(200);
  const found = new Set<string>();
  for (const at of places)
    for (const value of [1 << 24, 0x7fffffff, -1, 0]) {
      const damaged = bytes.slice();
      new DataView(damaged.buffer).setInt32(at, value, true);
      found.add(await codeOf(() => rowsOf(damaged)));
    }
  expect([...found].filter((code) => !/^(no error$|ERR_)/.test(code))).toEqual([]);
  expect(found).toContain('ERR_METADATA');
});

test('a list that ends behind its items', async () => {
  const bytes = Buffer.from(tableToIPC(table, 'stream'));
  const ends = Int32Array.of(0, 1, 1, 2);
  const at = bytes.indexOf(new Uint8Array(ends.buffer));
  expect(at).toBeGreaterThan(0);
  bytes.writeInt32LE(9, at + 12);
  expect(await codeOf(() => rowsOf(bytes))).toBe('ERR_METADATA');
});
