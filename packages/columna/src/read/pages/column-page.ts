// One column of one page of rows, opened: which rows are null, and its values by range. Whether they come from its own
// page or through a joint dictionary is settled here.
import { assertNever } from '@colkit/io';
import {
  openPage,
  pageCodes,
  pageJointCodes,
  pageStrings,
  pageStringsOf,
  pageVector,
  pageVectorOf,
} from '../../columns/decode-page.ts';
import type { OpenPage } from '../../columns/decode-page.ts';
import { pickedStrings, sliceStrings } from '../../columns/byte-strings.ts';
import { coded } from '../../columns/encodings/dictionary/index.ts';
import { pickVector } from '../../columns/pick.ts';
import type { Scratch } from '../../columns/scratch.ts';
import type { Strings, Vector } from '../../columns/vector.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import { rowsOfPage } from '../../layout/footer.ts';
import { corrupt } from '../../layout/location.ts';
import type { FileLocation } from '../../layout/location.ts';
import { chunkDictionary } from './open-dictionary.ts';
import type { DecodedNumbers, DecodedTexts, NumberVector } from './page-jobs.ts';
import type { OpenDictionary } from '../file/session.ts';
import { RowRank, askedRows, askedValues, isPresent, presentRows } from '../file/rank.ts';
import type { Presence } from '../file/rank.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';

/**
 * Values are numbered without the nulls. What it returns is scratch memory or the page's own: valid until the scratch
 * memory is reset.
 */
export interface ColumnPage {
  readonly type: ColumnType;
  readonly location: FileLocation;
  readonly rowCount: number;
  readonly valueCount: number;
  /** One bit a row, 1 = not null; null where no row is null, and where all are (then there are no values). */
  readonly validity: Uint8Array | null;
  /** The page itself, unless it is seen through a joint dictionary: for evaluation on encoded values. */
  readonly own: OpenPage | null;
  /**
   * For every row its code in the chunk's dictionary, -1 for a null, and that dictionary; null where the page does not
   * come in this form. `joint`: the codes of a joint dictionary that were made these by a table, where they were.
   */
  readonly byRow: {
    readonly codes: Int32Array;
    readonly entries: Vector | Strings;
    readonly joint: { readonly codes: Uint32Array; readonly indexes: Int32Array } | null;
  } | null;
  /** The values as codes into the chunk's dictionary, where that is what the page holds. */
  coded(): { readonly codes: Uint32Array; readonly entries: Vector | Strings } | null;
  vector(start: number, end: number): Vector;
  strings(start: number, end: number): Strings;
  /** Values by number, in any order: where few are wanted, most encodings need not decode the others. */
  pick(values: Uint32Array): Vector;
  pickStrings(values: Uint32Array): Strings;
}

/** What opening a page of a column takes: its bytes are the leader's where the chunk is joint. */
interface PageSource {
  /** The rows that are asked for: what stands for others only is not refused. */
  readonly span: Span;
  readonly bytes: Uint8Array;
  readonly byteOffset: number;
  readonly dictionary: OpenDictionary | null;
  readonly scratch: Scratch;
}

/** @throws CorruptFileError for anything that is not as the format says; UnsupportedError ERR_ENCODING. */
export function openColumnPage(
  file: StoredFile,
  column: number,
  group: number,
  page: number,
  source: PageSource,
): ColumnPage {
  const { entry } = file.chunk(column, group);
  const { type, nullable } = file.column(column);
  const leader = entry.codesColumn;
  const location = file.location('page', source.byteOffset, column, group, page);
  const { limits, verifyCrc } = file.options;
  const rowCount = rowsOfPage(file.group(group), page);
  const { dictionary, scratch } = source;
  const expected = {
    kind: 'data',
    type: file.column(leader).type,
    columnNumber: leader,
    rowCount,
    maxBodyBytes: limits.maxPageBytes,
  } as const;
  const own = openPage(source.bytes, {
    expected,
    verifyCrc,
    location,
    scratch,
    dictionary: dictionary === null ? null : chunkDictionary(dictionary),
  });
  if (entry.joint) {
    if (dictionary === null) throw corrupt('ERR_LAYOUT', location, 22, 'a dictionary of a joint chunk', 'none');
    return jointPage(
      type,
      location,
      pageJointCodes(own, () => askedRows(source.span)),
      dictionary,
      scratch,
    );
  }
  const { valueCount } = own.header;
  if (valueCount < rowCount && !nullable)
    throw corrupt('ERR_LAYOUT', location, 16, `${rowCount} values in a column that is not nullable`, valueCount);
  return {
    type,
    location,
    rowCount,
    valueCount,
    validity: own.validity,
    own,
    byRow: null,
    coded: () => {
      const codes = pageCodes(own, () => askedValues(source.span, own.validity, rowCount));
      return codes === null || dictionary === null ? null : { codes, entries: dictionary.entries };
    },
    vector: (start, end) => pageVector(own, start, end),
    strings: (start, end) => pageStrings(own, start, end),
    pick: (values) => pageVectorOf(own, values),
    pickStrings: (values) => pageStringsOf(own, values),
  };
}

/** Codes of every row, some of which may stand for null. */
function jointPage(
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

function indexesByRow(codes: Uint32Array, indexes: Int32Array | null, scratch: Scratch): Int32Array {
  const memory = indexes === null ? codes : scratch.uint32(codes.length);
  const rowCodes = new Int32Array(memory.buffer, memory.byteOffset, codes.length);
  if (indexes !== null)
    for (let row = 0; row < codes.length; row++) rowCodes[row] = indexes[codes[row] as number] as number;
  return rowCodes;
}

/**
 * A page of which the addon decoded the numbers or the texts.
 * @throws CorruptFileError for a code that the dictionary does not have.
 */
export function decodedPage(
  file: StoredFile,
  column: number,
  group: number,
  page: number,
  decoded: DecodedNumbers | DecodedTexts,
  source: Omit<PageSource, 'bytes'>,
): ColumnPage {
  const { type } = file.column(column);
  const { dictionary, scratch } = source;
  const location = file.location('page', source.byteOffset, column, group, page);
  const { rowCount, valueCount, validity } = decoded;
  const shared = { type, location, rowCount, valueCount, validity, scratch };
  if ('rowCodes' in decoded) {
    if (dictionary === null) throw corrupt('ERR_LAYOUT', location, 22, 'codes with a dictionary', 'none');
    const { entryCount } = dictionary;
    const rowCodes =
      decoded.below <= entryCount
        ? decoded.rowCodes
        : entryCodes(decoded.rowCodes, entryCount, source.span, location, scratch);
    const { entries } = dictionary;
    if (file.chunk(column, group).entry.joint)
      return jointPage(
        type,
        location,
        new Uint32Array(rowCodes.buffer, rowCodes.byteOffset, rowCount),
        dictionary,
        scratch,
      );
    return codesPage(
      { ...shared, byRow: { codes: rowCodes, entries, joint: null } },
      () => withoutNulls(rowCodes, valueCount, scratch),
      entries,
    );
  }
  if ('strings' in decoded) return textsPage(shared, decoded.strings);
  const { vector } = decoded;
  const noStrings = (): never => {
    throw corrupt('ERR_LAYOUT', location, 22, `byte strings`, 'numbers');
  };
  return {
    ...shared,
    own: null,
    byRow: null,
    coded: () => null,
    vector: (start, end) => sliceNumbers(vector, start, end),
    strings: noStrings,
    pick: (values) => pickVector(vector, values, type.domain, scratch),
    pickStrings: noStrings,
  };
}

/** Codes of rows where some are beyond the dictionary: 0 for those of rows that nobody asks for. */
function entryCodes(
  rowCodes: Int32Array,
  entryCount: number,
  span: Span,
  location: FileLocation,
  scratch: Scratch,
): Int32Array {
  for (const row of askedRows(span)) {
    const code = rowCodes[row] as number;
    if (code >= entryCount) throw corrupt('ERR_LAYOUT', location, 28, `codes below ${entryCount}`, code);
  }
  const memory = scratch.uint32(rowCodes.length);
  const codes = new Int32Array(memory.buffer, memory.byteOffset, memory.length);
  for (let row = 0; row < codes.length; row++) {
    const code = rowCodes[row] as number;
    codes[row] = code < entryCount ? code : 0;
  }
  return codes;
}

/** The byte strings of a page, or codes of those in its own dictionary. */
function textsPage({ scratch, ...shape }: Omit<PageShape, 'byRow'>, strings: Strings): ColumnPage {
  const noNumbers = (): never => {
    throw corrupt('ERR_LAYOUT', shape.location, 22, shape.type.name, 'byte strings');
  };
  return {
    ...shape,
    own: null,
    byRow: null,
    coded: () => (strings.kind === 'coded' ? strings : null),
    vector: noNumbers,
    strings: (start, end) =>
      strings.kind === 'strings'
        ? sliceStrings(strings, start, end)
        : { ...strings, count: end - start, codes: strings.codes.subarray(start, end) },
    pick: noNumbers,
    pickStrings: (values) => {
      if (strings.kind === 'strings') return pickedStrings(strings, values);
      const codes = scratch.uint32(values.length);
      for (let i = 0; i < codes.length; i++) codes[i] = strings.codes[values[i] as number] as number;
      return { ...strings, count: codes.length, codes };
    },
  };
}

/**
 * A page of which only the texts of some rows are there, ascending: one for each that is not null. Ranges of values may
 * be asked for where all of these are.
 */
export function listedPage(page: ColumnPage, rows: Uint32Array): ColumnPage {
  const { validity, rowCount } = page;
  let values = rows;
  if (validity !== null) {
    const rank = new RowRank(validity, rowCount);
    values = rows.filter((row) => isPresent(validity, row)).map((row) => rank.before(row));
  }
  return {
    ...page,
    strings: (start, end) => {
      const first = indexIn(values, start);
      return page.strings(first, first + end - start);
    },
    pickStrings: (wanted) => page.pickStrings(wanted.map((value) => indexIn(values, value))),
  };
}

/** Where a number is among ascending ones. */
function indexIn(ascending: Uint32Array, number: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Values [start, end), no copy. */
function sliceNumbers(vector: NumberVector, start: number, end: number): NumberVector {
  const count = end - start;
  switch (vector.kind) {
    case 'narrow':
      return { ...vector, count, values: vector.values.subarray(start, end) };
    case 'wide':
      return { kind: 'wide', count, words: vector.words.subarray(2 * start, 2 * end) };
    case 'decimal':
      return {
        ...vector,
        count,
        integers: { ...vector.integers, count, values: vector.integers.values.subarray(start, end) },
      };
    default:
      return assertNever(vector);
  }
}

/** Codes of rows that are not null; no copy where none is. */
function withoutNulls(rowCodes: Int32Array, valueCount: number, scratch: Scratch): Uint32Array {
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

type PageShape = Pick<ColumnPage, 'type' | 'location' | 'rowCount' | 'valueCount' | 'validity' | 'byRow'> & {
  readonly scratch: Scratch;
};

/** Values as codes, one for each that is not null. */
function codesPage(shape: PageShape, codesOf: () => Uint32Array, entries: Vector | Strings): ColumnPage {
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
