// Pages of which rows come with their codes of a dictionary: values, and which rows are null, are found by these.
import { pickVector } from '../../columns/pick.ts';
import { coded } from '../../columns/encodings/dictionary/index.ts';
import type { Scratch } from '../../columns/scratch.ts';
import { numbersFrom } from '../../columns/vector.ts';
import type { Strings, Vector } from '../../columns/vector.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import { corrupt } from '../../layout/location.ts';
import type { FileLocation } from '../../layout/location.ts';
import { presentRows } from '../file/rank.ts';
import type { Presence } from '../file/rank.ts';
import type { OpenDictionary } from '../file/session.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { ColumnPage } from './opened-page.ts';
import { wantedCodes } from './texts/row-strings.ts';

export type PageShape = Pick<ColumnPage, 'type' | 'location' | 'rowCount' | 'valueCount' | 'validity' | 'byRow'> & {
  readonly scratch: Scratch;
};

/** Codes of every row, some of which may stand for null. */
export function jointPage(
  type: ColumnType,
  location: FileLocation,
  codes: Uint32Array,
  { entries, indexes, hasNulls }: OpenDictionary,
  scratch: Scratch,
): ColumnPage {
  const rowCount = codes.length;
  let present: Presence | null = null;
  // Who asks for a few rows looks at these alone.
  const presence = (): Presence =>
    (present ??=
      indexes === null || !hasNulls ? { valueCount: rowCount, validity: null } : presentRows(codes, indexes));
  let rowCodes: Int32Array | null = null;
  // Most of those who want texts or numbers by row have no need of them.
  const mapped = (): Int32Array => (rowCodes ??= indexesByRow(codes, indexes, scratch));
  const byRow = {
    get codes() {
      return mapped();
    },
    entries,
    joint: indexes === null ? null : { codes, indexes },
  };
  const shape: PageShape = {
    type,
    location,
    rowCount,
    get valueCount() {
      return presence().valueCount;
    },
    get validity() {
      return presence().validity;
    },
    byRow,
    scratch,
  };
  return codesPage(shape, () => withoutNulls(mapped(), presence().valueCount, scratch), entries);
}

/** A part of a page is made a page of its own where the page has so many times as many rows. */
const LEAST_OTHERS = 2;

/**
 * Where rows come with their codes, those of a span that is a small part of its page as a page of their own: what the
 * other rows hold is not looked at. Else the same page and span.
 */
export function partOfPage(page: ColumnPage, span: Span, scratch: Scratch): readonly [ColumnPage, Span] {
  const { type, location, byRow, rowCount } = page;
  const count = spanCount(span);
  if (byRow === null || LEAST_OTHERS * count > rowCount) return [page, span];
  const codes = wantedCodes({ byRow, rowCount }, span);
  const { entries } = byRow;
  let present: Presence | null = null;
  const presence = (): Presence =>
    (present ??= presentRows(new Uint32Array(codes.buffer, codes.byteOffset, count), null));
  const shape: PageShape = {
    type,
    location,
    rowCount: count,
    get valueCount() {
      return presence().valueCount;
    },
    get validity() {
      return presence().validity;
    },
    byRow: { codes, entries, joint: null },
    scratch,
  };
  const part = codesPage(shape, () => withoutNulls(codes, presence().valueCount, scratch), entries);
  // In the order of the result they are a run.
  return [part, { ...span, start: 0, end: count, picks: span.positions === null ? null : numbersFrom(0, count) }];
}

function indexesByRow(codes: Uint32Array, indexes: Int32Array | null, scratch: Scratch): Int32Array {
  const memory = indexes === null ? codes : scratch.uint32(codes.length);
  const rowCodes = new Int32Array(memory.buffer, memory.byteOffset, codes.length);
  if (indexes !== null)
    for (let row = 0; row < codes.length; row++) rowCodes[row] = indexes[codes[row] as number] as number;
  return rowCodes;
}

/** Codes of rows that are not null; no copy where none is. */
export function withoutNulls(rowCodes: Int32Array, valueCount: number, scratch: Scratch): Uint32Array {
  const { length } = rowCodes;
  if (valueCount === length) return new Uint32Array(rowCodes.buffer, rowCodes.byteOffset, length);
  const codes = scratch.uint32(length);
  let next = 0;
  // What is written for a null is written over.
  for (let row = 0; row < length; row++) {
    const code = rowCodes[row] as number;
    codes[next] = code;
    next += 1 + (code >> 31);
  }
  return codes.subarray(0, valueCount);
}

/** Values as codes, one for each that is not null. */
export function codesPage(shape: PageShape, codesOf: () => Uint32Array, entries: Vector | Strings): ColumnPage {
  const { type, location, rowCount, byRow, scratch } = shape;
  let found: Uint32Array | null = null;
  const codes = (): Uint32Array => (found ??= codesOf());
  // Of few rows of a joint page no others need codes of the column; its rows are values where none is null.
  const direct = byRow?.joint ?? null;
  const codesAt = (values: Uint32Array): Uint32Array =>
    direct !== null && found === null && shape.valueCount === rowCount
      ? values.map((value) => direct.indexes[direct.codes[value] as number] as number)
      : values.map((value) => codes()[value] as number);
  const entryVector = (picked: Uint32Array): Vector => {
    if (entries.kind === 'strings' || entries.kind === 'coded')
      throw corrupt('ERR_LAYOUT', location, 22, `entries of ${type.name}`, 'byte strings');
    return pickVector(entries, picked, type.domain, scratch);
  };
  const entryStrings = (picked: Uint32Array): Strings => {
    if (entries.kind !== 'strings' && entries.kind !== 'coded')
      throw corrupt('ERR_LAYOUT', location, 22, `entries of ${type.name}`, 'numbers');
    return coded(entries, picked);
  };
  return {
    type,
    location,
    rowCount,
    get valueCount() {
      return shape.valueCount;
    },
    get validity() {
      return shape.validity;
    },
    byRow,
    own: null,
    coded: () => ({ codes: codes(), entries }),
    vector: (start, end) => entryVector(codes().subarray(start, end)),
    // Codes of codes are made one in place.
    strings: (start, end) =>
      entryStrings(entries.kind === 'coded' ? codes().slice(start, end) : codes().subarray(start, end)),
    pick: (values) => entryVector(codesAt(values)),
    pickStrings: (values) => entryStrings(codesAt(values)),
  };
}
