// Bytes of a journal, by hand -> what it acknowledges: how far records are believed, which ends are torn and which are
// damaged, and what is no journal at all.
import { crc32 } from '@colkit/io';
import { describe, expect, test } from 'vitest';
import { concat, i64 } from '@colkit/testkit/syr-bytes';
import { DATA_OFFSET, KEY_LIMIT } from '../../src/layout/constants.ts';
import { JOURNAL_MAGIC } from '../../src/write/journal.ts';
import { readJournal } from '../../src/write/journal-reader.ts';
import type { JournalContents } from '../../src/write/journal-reader.ts';

const PATH = 'x.syr.journal';
const KEYS = [
  ['a', 'int16'],
  ['b', 'uint8'],
];
const RECORD = 4 + 16 * KEYS.length;
/** The partial file: 64 bytes of arrays. */
const DATA = Uint8Array.from({ length: DATA_OFFSET + 64 }, (_, i) => (i * 37) % 251);
const [D] = [DATA_OFFSET];

type Range = readonly [byteOffset: number, byteLength: number];
const ITEMS: readonly (readonly Range[])[] = [
  [
    [D, 4],
    [D + 4, 3],
  ],
  [
    [D + 8, 0],
    [D + 8, 1],
  ],
  [
    [D + 10, 2],
    [D + 12, 52],
  ],
];

const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
const keysPart = (text: string): Uint8Array => {
  const bytes = new TextEncoder().encode(text);
  return concat(u32(bytes.length), u32(crc32(bytes)), bytes);
};
const header = (keys: unknown = KEYS): Uint8Array => concat(JOURNAL_MAGIC, keysPart(JSON.stringify(keys)));

/** Records whose checksums are right, whatever they say. */
function records(items: readonly (readonly Range[])[]): Uint8Array {
  let previous = 0;
  return concat(
    ...items.map((ranges) => {
      const rest = concat(...ranges.flatMap(([byteOffset, byteLength]) => [i64(byteOffset), i64(byteLength)]));
      previous = crc32(rest, previous);
      for (const [byteOffset, byteLength] of ranges)
        previous = crc32(DATA.subarray(byteOffset, byteOffset + Math.max(0, byteLength)), previous);
      return concat(u32(previous), rest);
    }),
  );
}

const read = (bytes: Uint8Array, byteLength = DATA.length): JournalContents =>
  readJournal(bytes, PATH, {
    byteLength,
    crc32: (at, length, previous) => crc32(DATA.subarray(at, at + Math.max(0, length)), previous),
  });
const facts = ({ itemCount, dataEnd, isDamaged }: JournalContents): unknown => [itemCount, dataEnd, isDamaged];

test('a whole journal tells of its keys, its items, and where each array is', () => {
  const contents = read(concat(header(), records(ITEMS)));
  expect(contents.keys).toEqual(KEYS.map(([name, dtype]) => ({ name, dtype })));
  expect(facts(contents)).toEqual([3, D + 64, false]);
  for (const [item, ranges] of ITEMS.entries())
    for (const [key, [byteOffset, byteLength]] of ranges.entries())
      expect(contents.rangeOf(item, key)).toEqual({ byteOffset, byteLength });
});

test('at every cut it tells of the items before it, and is torn, not damaged', () => {
  const whole = concat(header(), records(ITEMS));
  const start = header().length;
  for (let end = start; end <= whole.length; end += 1) {
    const count = Math.floor((end - start) / RECORD);
    expect(facts(read(whole.subarray(0, end))), String(end)).toEqual([count, [D, D + 7, D + 9, D + 64][count], false]);
  }
});

test('a header that is not all there has no keys, and is older than the first array', () => {
  for (let end = 0; end < header().length; end += 1) {
    const bytes = header().subarray(0, end);
    expect(read(bytes, D), String(end)).toMatchObject({ keys: [], itemCount: 0, dataEnd: D, isDamaged: false });
    expect(read(bytes, D + 1).isDamaged, String(end)).toBe(true);
  }
});

describe('a record is believed', () => {
  /** Three records, of which the second says something else, with the checksums that follow from it. */
  const withSecond = (ranges: readonly Range[]): JournalContents =>
    read(concat(header(), records([ITEMS[0]!, ranges, ITEMS[2]!])));

  test.each<[string, readonly Range[]]>([
    [
      'starts before those before it end',
      [
        [D + 6, 2],
        [D + 8, 1],
      ],
    ],
    [
      'starts before another of its item ends',
      [
        [D + 8, 4],
        [D + 10, 1],
      ],
    ],
    [
      'has less than no bytes',
      [
        [D + 8, -2],
        [D + 8, 1],
      ],
    ],
    [
      'has the last of them less than no bytes',
      [
        [D + 8, 2],
        [D + 10, -1],
      ],
    ],
    [
      'is no whole number of elements',
      [
        [D + 8, 3],
        [D + 12, 1],
      ],
    ],
    [
      'ends behind the file',
      [
        [D + 8, 2],
        [D + 10, 55],
      ],
    ],
  ])('not where an array %s', (_, ranges) => {
    expect(facts(withSecond(ranges))).toEqual([1, D + 7, true]);
  });

  test('where its arrays end where the file does, and not a byte later', () => {
    const bytes = concat(header(), records(ITEMS));
    expect(facts(read(bytes, D + 64))).toEqual([3, D + 64, false]);
    expect(facts(read(bytes, D + 63))).toEqual([2, D + 9, false]);
  });

  test('by the checksum of its ranges, its arrays and all records before it', () => {
    const start = header().length;
    for (let at = start; at < start + 3 * RECORD; at += 1) {
      const bytes = concat(header(), records(ITEMS));
      bytes[at]! ^= 1;
      const count = Math.floor((at - start) / RECORD);
      expect(facts(read(bytes)), String(at)).toEqual([count, [D, D + 7, D + 9][count], count < 2]);
    }
    // A record of the same ranges, at another number.
    const [first, second] = [records(ITEMS).subarray(0, RECORD), records(ITEMS).subarray(RECORD, 2 * RECORD)];
    expect(facts(read(concat(header(), second, first)))).toEqual([0, D, true]);
  });
});

test('one record that is not right is a torn end, two are damage', () => {
  const wrong = (count: number): Uint8Array => new Uint8Array(count).fill(255);
  const good = concat(header(), records(ITEMS));
  expect(facts(read(concat(good, wrong(2 * RECORD - 1))))).toEqual([3, D + 64, false]);
  expect(facts(read(concat(good, wrong(2 * RECORD))))).toEqual([3, D + 64, true]);
});

describe('is no journal', () => {
  const refused = (bytes: Uint8Array, byteOffset: number): void => {
    const error = { name: 'CorruptFileError', code: 'ERR_METADATA', path: PATH, region: 'journal', byteOffset };
    expect(() => read(bytes)).toThrow(expect.objectContaining(error));
  };

  test('what begins otherwise, however short', () => {
    for (let at = 0; at < JOURNAL_MAGIC.length; at += 1) {
      const bytes = concat(header(), records(ITEMS));
      bytes[at]! ^= 1;
      refused(bytes, 0);
      refused(bytes.subarray(0, at + 1), 0);
    }
  });

  test('what has other keys than its checksum says, or keys that are no JSON', () => {
    const bytes = header();
    bytes[bytes.length - 1]! ^= 1;
    refused(bytes, 16);
    refused(concat(JOURNAL_MAGIC, keysPart('[["a","int8"]')), 16);
    refused(concat(JOURNAL_MAGIC, keysPart('')), 16);
  });

  test.each([
    ['an object', { a: 'int8' }],
    ['null', null],
    ['no keys', []],
    ['fields', [{ name: 'a', dtype: 'int8' }]],
    ['a pair and a field', [['a', 'int8'], { name: 'b', dtype: 'int8' }]],
    ['a dtype that is none', [['a', 'int7']]],
    [
      'a key twice',
      [
        ['a', 'int8'],
        ['a', 'int8'],
      ],
    ],
  ])('what has %s in place of pairs of key and dtype', (_, keys) => {
    refused(header(keys), JOURNAL_MAGIC.length);
  });
});

test('as many keys as an item may have', () => {
  const keys = Array.from({ length: KEY_LIMIT }, (_, i) => [`k${String(i)}`, 'int8']);
  expect(read(header(keys)).keys).toHaveLength(KEY_LIMIT);
  expect(() => read(header([...keys, ['one more', 'int8']]))).toThrow(expect.objectContaining({ code: 'ERR_LIMIT' }));
});
