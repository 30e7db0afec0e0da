// Texts and byte arrays so long that a page of the usual number of rows would be one that readers refuse.
import { isDeepStrictEqual } from 'node:util';
import { ArgumentError, setDefaultBackend } from '@colkit/io';
import { afterEach, describe, expect, it } from 'vitest';
import { MemorySink, appendSync, inspectSync, openSync, readSync, verifySync, writeSync } from '../../src/index.ts';
import { columnType } from '../../src/layout/column-type.ts';
import type { FileLocation } from '../../src/layout/location.ts';
import { decodeTexts } from '../../src/read/pages/texts/texts.ts';
import { MOST_PAGE_BYTES, pageRowsFor } from '../../src/write/encode/page-rows.ts';
import type { StringColumn } from '../../src/write/values/column-values.ts';
import { backendsToAsk } from '../support/backends.ts';
import { newFolders } from '../support/new-folders.ts';

const BACKENDS = backendsToAsk();
const newFolder = newFolders('long-values');
afterEach(() => setDefaultBackend('js'));
const MB = 2 ** 20;
const NO_BYTES = new Uint8Array(0);
/** Of a megabyte each: more than a page of the limit below holds. */
const ROWS = 66;

/** A column of which nothing but the lengths is looked at. */
function columnOf(lengths: readonly number[], codes: Uint32Array | null = null): StringColumn {
  let end = 0;
  const ends = Uint32Array.from(lengths, (length) => (end += length));
  return {
    kind: 'strings',
    type: columnType('string'),
    rowCount: codes?.length ?? lengths.length,
    validity: null,
    entries: { kind: 'strings', count: lengths.length, bytes: NO_BYTES, start: 0, ends },
    codes,
  };
}

const FIELDS = [{ name: 'body' }];

describe('rows of a page', () => {
  it('as many as there may be, of short values', () => {
    expect(pageRowsFor([columnOf(Array<number>(70_000).fill(20))], 65_536, FIELDS)).toBe(65_536);
  });

  it('fewer than 1,024 of values of a megabyte', () => {
    expect(pageRowsFor([columnOf(Array<number>(300).fill(MB))], 65_536, FIELDS)).toBe(64);
  });

  it('by the longest page, where long values stand together', () => {
    const lengths = Array.from({ length: 200_000 }, (_, row) => (row < 1000 ? 300_000 : 1));
    const rows = pageRowsFor([columnOf(lengths)], 65_536, FIELDS);
    expect(rows * 300_000).toBeLessThanOrEqual(MOST_PAGE_BYTES);
  });

  it('of one value in many rows, which a page has once', () => {
    expect(pageRowsFor([columnOf([MB, 1], new Uint32Array(4096))], 65_536, FIELDS)).toBe(1024);
  });

  it('of many values that come again', () => {
    const codes = Uint32Array.from({ length: 4096 }, (_, row) => row % 300);
    expect(pageRowsFor([columnOf(Array<number>(300).fill(MB), codes)], 65_536, FIELDS)).toBe(64);
  });

  it('8 at least', () => {
    expect(pageRowsFor([columnOf(Array<number>(16).fill(20 * MB))], 65_536, FIELDS)).toBe(8);
  });

  it('no page that readers refuse', () => {
    const column = columnOf(Array<number>(16).fill(33 * MB));
    expect(() => pageRowsFor([column], 65_536, FIELDS)).toThrow(ArgumentError);
    expect(() => pageRowsFor([column], 65_536, FIELDS)).toThrow(/column "body": .*rowGroupSize/);
    expect(pageRowsFor([columnOf(Array<number>(4).fill(33 * MB))], 65_536, FIELDS)).toBe(8);
  });
});

// What is written is the same with the addon and without: one mode is written with it.
it.each([
  ['default', BACKENDS.at(-1)!],
  ['plain', 'js'],
] as const)('what is written in mode %s can be read', (mode, writer) => {
  setDefaultBackend(writer);
  const text = Array.from({ length: ROWS }, (_, row) => 'abcdefgh'.repeat(MB / 8) + String(row));
  const bytes = Array.from({ length: ROWS }, (_, row) => new Uint8Array(100_000).fill(row));
  const sink = new MemorySink();
  writeSync(sink, { text, bytes }, { mode });
  const source = sink.bytes();
  const limits = { maxPageBytes: MOST_PAGE_BYTES + MB };
  expect(verifySync(source, { limits }).ok).toBe(true);
  for (const backend of BACKENDS) {
    setDefaultBackend(backend);
    // Seventy million characters and bytes: expect(…).toEqual takes seconds for them.
    expect(isDeepStrictEqual({ ...readSync(source, { limits }) }, { text, bytes }), backend).toBe(true);
  }
  expect(
    openSync(source, { limits })
      .slice(ROWS - 2, ROWS - 1)
      .toRowsSync(),
  ).toEqual([{ text: text[ROWS - 2], bytes: bytes[ROWS - 2] }]);
});

// They take a thousandth in the file, as small pieces do, which become one row group.
it('long texts are added one by one, more than a page may hold', () => {
  setDefaultBackend(BACKENDS.at(-1)!);
  const { path } = newFolder();
  const long = 'a'.repeat(68 * MB);
  const others = Array.from({ length: 60 }, (_, number) => [`other ${String(number)}`, [number]] as const);
  const row = (text: string) => new Map<string, string[] | readonly number[]>([['text', [text]], ...others]);
  const starts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  writeSync(path, row('first'));
  for (const start of starts.slice(0, 4)) appendSync(path, row(start + long), { durability: 'none' });
  for (const start of starts.slice(4)) appendSync(path, row(start), { durability: 'none' });
  using table = openSync(path);
  expect(table.rowCount).toBe(9);
  expect(table.slice(5).column('text').toArraySync()).toEqual(starts.slice(4));
  const [fourth] = table.slice(4, 5).column('text').toArraySync();
  expect(fourth === `d${long}`).toBe(true);
  // As many as fit in memory have become one row group.
  expect(inspectSync(path, { columns: ['text'] }).rowGroups.map(({ rowCount }) => rowCount)).toEqual([
    1, 1, 1, 1, 4, 1,
  ]);
});

it('texts that are too much for one string together are made a part at a time', () => {
  const location: FileLocation = { path: 'a.cna', region: 'page', byteOffset: 0 };
  const length = 140 * MB;
  const data = new Uint8Array(2 * length).fill(0x61);
  data[2 * length - 1] = 0x62;
  const ends = Uint32Array.of(length, 2 * length);
  const texts = decodeTexts({ kind: 'strings', count: 2, bytes: data, start: 0, ends }, location);
  expect(texts.map((text) => [text.length, text.at(-1)])).toEqual([
    [length, 'a'],
    [length, 'b'],
  ]);
});
