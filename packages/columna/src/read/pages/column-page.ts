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
import { pickedStrings, sliceStrings } from '../../columns/byte-strings.ts';
import { pickVector } from '../../columns/pick.ts';
import type { Scratch } from '../../columns/scratch.ts';
import type { Strings } from '../../columns/vector.ts';
import { rowsOfPage } from '../../layout/footer.ts';
import { needsDictionary } from '../../layout/column-block.ts';
import { corrupt } from '../../layout/location.ts';
import type { FileLocation } from '../../layout/location.ts';
import { chunkDictionary } from './open-dictionary.ts';
import type { ColumnPage } from './opened-page.ts';
import type { DecodedNumbers, DecodedTexts, NumberVector } from './decoded-page.ts';
import type { OpenDictionary } from '../file/session.ts';
import { askedRows, askedValues } from '../file/rank.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import { codesPage, jointPage, withoutNulls } from './coded-page.ts';
import type { PageShape } from './coded-page.ts';

/** What opening a page of a column takes: its bytes are the leader's where the chunk is joint. */
interface PageSource {
  /** The rows that are asked for: what stands for others only is not refused. */
  readonly span: Span;
  readonly bytes: Uint8Array;
  readonly byteOffset: number;
  /** That of the chunk, opened where a value needs it: which rows are null, a page says without. */
  readonly dictionary: () => OpenDictionary | null;
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
    dictionary: needsDictionary(entry) ? chunkDictionary(dictionary) : null,
  });
  if (entry.joint) {
    const joint = dictionary();
    if (joint === null) throw corrupt('ERR_LAYOUT', location, 22, 'a dictionary of a joint chunk', 'none');
    return jointPage(
      type,
      location,
      pageJointCodes(own, () => askedRows(source.span)),
      joint,
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
      const entries = codes === null ? undefined : dictionary()?.entries;
      return codes === null || entries === undefined ? null : { codes, entries };
    },
    vector: (start, end) => pageVector(own, start, end),
    strings: (start, end) => pageStrings(own, start, end),
    pick: (values) => pageVectorOf(own, values),
    pickStrings: (values) => pageStringsOf(own, values),
  };
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
  const { scratch } = source;
  const location = file.location('page', source.byteOffset, column, group, page);
  const { rowCount, valueCount, validity } = decoded;
  const shared = { type, location, rowCount, valueCount, validity, scratch };
  if ('rowCodes' in decoded) {
    const dictionary = source.dictionary();
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
