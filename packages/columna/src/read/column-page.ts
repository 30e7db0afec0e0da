// One column of one page of rows, opened: which rows are null, and its values by range. Whether they come from its own page or through a joint dictionary is settled here.
import { openPage, pageJointCodes, pageStrings, pageStringsOf, pageVector, pageVectorOf } from '../columns/decode-page.ts';
import type { OpenPage } from '../columns/decode-page.ts';
import { coded, decodeCodes } from '../columns/encodings/dictionary.ts';
import { pickVector } from '../columns/pick.ts';
import type { Scratch } from '../columns/scratch.ts';
import type { Strings, Vector } from '../columns/vector.ts';
import type { ColumnType } from '../layout/column-type.ts';
import { Encoding } from '../layout/constants.ts';
import { rowsOfPage } from '../layout/footer.ts';
import { corrupt } from '../layout/place.ts';
import type { Place } from '../layout/place.ts';
import { chunkDictionary } from './open-dictionary.ts';
import type { OpenDictionary } from './session.ts';
import type { StoredFile } from './stored-file.ts';

/** Values are numbered without the nulls. What it returns is scratch memory or the page's own: valid until the scratch memory is reset. */
export interface ColumnPage {
  readonly type: ColumnType;
  readonly place: Place;
  readonly rowCount: number;
  readonly valueCount: number;
  /** One bit a row, 1 = not null; null where no row is null, and where all are (then there are no values). */
  readonly validity: Uint8Array | null;
  /** The page itself, unless it is seen through a joint dictionary: for evaluation on encoded values. */
  readonly own: OpenPage | null;
  /** The values as codes into the chunk's dictionary, where that is what the page holds. */
  coded(): { readonly codes: Uint32Array; readonly entries: Vector | Strings } | null;
  vector(start: number, end: number): Vector;
  strings(start: number, end: number): Strings;
  /** Values by number, in any order: where few are wanted, most encodings need not decode the others. */
  pick(values: Uint32Array): Vector;
  pickStrings(values: Uint32Array): Strings;
}

/** What opening a page of a column takes: its bytes are the leader's where the chunk is joint. */
export interface PageSource {
  readonly bytes: Uint8Array;
  readonly byteOffset: number;
  readonly dictionary: OpenDictionary | null;
  readonly scratch: Scratch;
}

/** @throws CorruptFileError for anything that is not as the format says; UnsupportedError ERR_ENCODING. */
export function openColumnPage(file: StoredFile, column: number, group: number, page: number, source: PageSource): ColumnPage {
  const { entry } = file.chunk(column, group);
  const { type, nullable } = file.column(column);
  const leader = entry.codesColumn;
  const place = file.place('page', source.byteOffset, column, group, page);
  const { limits, verifyCrc } = file.options;
  const rowCount = rowsOfPage(file.group(group), page);
  const { dictionary, scratch } = source;
  const expected = { kind: 'data', type: file.column(leader).type, columnNumber: leader, rowCount, maxBodyBytes: limits.maxPageBytes } as const;
  const own = openPage(source.bytes, { expected, verifyCrc, place, scratch, dictionary: dictionary === null ? null : chunkDictionary(dictionary) });
  if (entry.joint) {
    if (dictionary === null) throw corrupt('ERR_LAYOUT', place, 22, 'a dictionary of a joint chunk', 'none');
    return jointPage(type, place, pageJointCodes(own, 0, rowCount), dictionary, scratch);
  }
  const { valueCount } = own.header;
  if (valueCount < rowCount && !nullable) throw corrupt('ERR_LAYOUT', place, 16, `${rowCount} values in a column that is not nullable`, valueCount);
  return {
    type,
    place,
    rowCount,
    valueCount,
    validity: own.validity,
    own,
    coded: () => {
      const { root, decoder } = own;
      if (root?.encoding !== Encoding.CODES || decoder.dictionary === null) return null;
      return { codes: decodeCodes(root, 0, root.count, decoder.dictionary, decoder), entries: decoder.dictionary.entries };
    },
    vector: (start, end) => pageVector(own, start, end),
    strings: (start, end) => pageStrings(own, start, end),
    pick: (values) => pageVectorOf(own, values),
    pickStrings: (values) => pageStringsOf(own, values),
  };
}

/** Codes of every row, some of them null. */
function jointPage(type: ColumnType, place: Place, codes: Uint32Array, { entries, places }: OpenDictionary, scratch: Scratch): ColumnPage {
  const rowCount = codes.length;
  let validity: Uint8Array | null = null;
  let dense = codes;
  if (places !== null) {
    dense = scratch.uint32(rowCount);
    const bits = new Uint8Array(Math.ceil(rowCount / 8));
    let values = 0;
    for (let row = 0; row < rowCount; row++) {
      const found = places[codes[row] as number] as number;
      if (found === -1) continue;
      bits[row >>> 3] = (bits[row >>> 3] as number) | (1 << (row & 7));
      dense[values++] = found;
    }
    dense = dense.subarray(0, values);
    if (values > 0 && values < rowCount) validity = bits;
  }
  const codesAt = (values: Uint32Array): Uint32Array => values.map((value) => dense[value] as number);
  const entryVector = (picked: Uint32Array): Vector => {
    if (entries.kind === 'strings' || entries.kind === 'coded') throw corrupt('ERR_LAYOUT', place, 22, `entries of ${type.name}`, 'byte strings');
    return pickVector(entries, picked, type.domain, scratch);
  };
  const entryStrings = (picked: Uint32Array): Strings => {
    if (entries.kind !== 'strings' && entries.kind !== 'coded') throw corrupt('ERR_LAYOUT', place, 22, `entries of ${type.name}`, 'numbers');
    return coded(entries, picked);
  };
  return {
    type,
    place,
    rowCount,
    valueCount: dense.length,
    validity,
    own: null,
    coded: () => ({ codes: dense, entries }),
    vector: (start, end) => entryVector(dense.subarray(start, end)),
    strings: (start, end) => entryStrings(dense.slice(start, end)),
    pick: (values) => entryVector(codesAt(values)),
    pickStrings: (values) => entryStrings(codesAt(values)),
  };
}

/** Whether some page of the chunk may need its dictionary page. */
export function needsDictionary({ joint, encodings, dictionaryBytes }: { readonly joint: boolean; readonly encodings: number; readonly dictionaryBytes: number }): boolean {
  return dictionaryBytes > 0 && (joint || ((encodings >>> Encoding.CODES) & 1) === 1);
}
