// What the addon knows of the format stands in a table of its own: it says what this package says.
import { MAX_PAGE_ROWS as ROWS, PAGE_HEADER_BYTES as HEADER_BYTES } from '../../src/layout/constants.ts';
import { Encoding, MAX_DICTIONARY_ENTRIES as ENTRIES, MAX_NODE_DEPTH as DEPTH } from '../../src/layout/constants.ts';
import { COLUMN_TYPES as TYPES, columnType } from '../../src/layout/column-type.ts';
import { MAX_DEFLATE_RATIO } from '../../src/layout/constants.ts';
import { MOST_SYMBOLS, MOST_SYMBOL_BYTES } from '../../src/columns/encodings/onpair/symbols.ts';
import { encodePageBytes } from '../../src/layout/page-header.ts';
import { expect, test } from 'vitest';
// @ts-expect-error plain JavaScript without declarations
import * as table from '../../../../native/scripts/page-program-table.mjs';

const { COLUMN_TYPES, ENCODINGS, MAX_DICTIONARY_ENTRIES, MAX_NODE_DEPTH, MAX_PAGE_ROWS, PAGE_HEADER } = table as {
  readonly COLUMN_TYPES: readonly (readonly [string, number, string])[];
  readonly ENCODINGS: readonly string[];
  readonly MAX_DICTIONARY_ENTRIES: number;
  readonly MAX_NODE_DEPTH: number;
  readonly MAX_PAGE_ROWS: number;
  readonly PAGE_HEADER: Readonly<Record<string, number>>;
};

test('types, encodings and limits are the same', () => {
  expect(COLUMN_TYPES).toEqual(TYPES.map(({ name, itemBytes, domain }) => [name, itemBytes, domain]));
  expect(Object.fromEntries(ENCODINGS.map((name, id) => [name.toUpperCase(), id]))).toEqual(Encoding);
  expect([MAX_PAGE_ROWS, MAX_DICTIONARY_ENTRIES, MAX_NODE_DEPTH]).toEqual([ROWS, ENTRIES, DEPTH]);
  expect(table).toMatchObject({ MAX_DEFLATE_RATIO, MOST_SYMBOLS, MOST_SYMBOL_BYTES });
});

test('fields of a page header lie where pages are written with them', () => {
  const body = new Uint8Array(5);
  const facts = { kind: 'dictionary', codec: 'DEFLATE', encoding: 7, parameter: 8, bodyBytes: 6 } as const;
  const page = encodePageBytes({ ...facts, rowCount: 10, valueCount: 9 }, body, columnType('int64'), 11);
  const view = new DataView(page.buffer);
  const word = (field: string): number => view.getUint32(PAGE_HEADER[field] as number, true);
  expect(['storedBytes', 'bodyBytes', 'rowCount', 'valueCount'].map(word)).toEqual([5, 6, 10, 9]);
  expect(
    ['kind', 'typeId', 'encoding', 'parameter', 'codec'].map((field) => page[PAGE_HEADER[field] as number]),
  ).toEqual([1, 4, 7, 8, 1]);
  expect(view.getUint16(PAGE_HEADER['column'] as number, true)).toBe(11);
  expect((table as { readonly PAGE_HEADER_BYTES: number }).PAGE_HEADER_BYTES).toBe(HEADER_BYTES);
});
