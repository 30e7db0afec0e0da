// The columns that are grouped by -> groups of the rows of a page. Texts of a dictionary are looked up once per entry
// and not once per row, and sums can then be made by code.
import type { Cell, ColumnValues, GroupKeys, KeyRanges } from '@colkit/table';
import { loadedStrings } from '../../columns/byte-strings.ts';
import type { ByteStrings } from '../../columns/vector.ts';
import type { OpenDictionary, Session } from '../file/session.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import { codesOfKey, valuesOfKey } from './folded-page.ts';
import type { FoldedPage, PageKey } from './folded-page.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { ColumnPage } from '../pages/opened-page.ts';
import { PageValues } from './page-values.ts';
import { RowGroups } from './row-groups.ts';
import { textRows } from './text-rows.ts';

/** Sums by code, and texts that are made for all entries of a dictionary, are worth it while so many rows have each. */
const ROWS_PER_CODE = 16;

export class PageGroups {
  readonly #keys: GroupKeys;
  readonly #session: Session;
  readonly #values: readonly PageValues[];
  #texts: readonly string[] | null = null;
  /** For every entry of the last dictionary its group, -1 where it was not met. */
  #ofEntries = new Int32Array(0);
  #unmet = 0;
  /** Of each column the last dictionary that the addon grouped by, and the numbers of its entries. */
  readonly #ofKeys = new Map<number, { readonly dictionary: OpenDictionary; readonly codes: Int32Array }>();
  /** By the number that each key of some ranges has there. */
  readonly #ofNumbers = new Map<KeyRanges, number[]>();

  /** @param columnCount how many columns are grouped by. */
  constructor(keys: GroupKeys, columnCount: number, session: Session) {
    this.#keys = keys;
    this.#session = session;
    this.#values = Array.from({ length: columnCount }, () => new PageValues(session));
  }

  /** The groups of the wanted rows of a page for each column: scratch memory. @throws LimitError. */
  groupsOf(pages: readonly ColumnPage[], span: Span): RowGroups {
    const [page] = pages;
    if (page !== undefined && pages.length === 1) {
      const { type, validity, valueCount } = page;
      if (type.isText && validity === null && valueCount > 0) {
        const strings = loadedStrings(
          span.picks === null ? page.strings(span.start, span.end) : page.pickStrings(span.picks),
        );
        if (strings.kind === 'coded' && areFew(strings.entries.count, strings.codes.length)) {
          const found = this.#codedGroups(strings.entries, strings.codes, page);
          if (found !== null) return found;
        }
      }
    }
    const values = pages.map((each, index) => manyTexts(each, span) ?? this.#valuesOf(index).read(each, span));
    const groups = this.#keys.groupsOf(values, spanCount(span));
    return new RowGroups(groups, this.#keys.count, null, this.#session.scratch);
  }

  /**
   * The groups of the numbers that the addon gave the rows of a page, -1 where no row has one.
   * @param entryOf what a code of a key's dictionary stands for. @param typeOf the type of a key.
   */
  ofRecords(
    page: FoldedPage,
    typeOf: (index: number) => ColumnType,
    entryOf: (index: number, dictionary: OpenDictionary, code: number) => Cell,
  ): Int32Array {
    const keys = this.#keys;
    return page.groups(keys, this.#values.length, (index, key, records) => {
      const { dictionary, ranges } = key;
      if (ranges !== null) return this.#ofRanges(index, ranges, key, records, typeOf(index));
      if (dictionary === null) {
        const codes = new Int32Array(records.length);
        keys.encode(index, valuesOfKey(key, records, typeOf(index)), records.length, codes);
        return codes;
      }
      const known = this.#codesOf(index, dictionary);
      const codes = codesOfKey(key, records);
      for (let row = 0; row < codes.length; row++) {
        const entry = codes[row] as number;
        let code = entry === -1 ? keys.codeOf(index, null) : (known[entry] as number);
        if (code === -1) known[entry] = code = keys.codeOf(index, entryOf(index, dictionary, entry));
        codes[row] = code;
      }
      return codes;
    });
  }

  /** The numbers of the keys of the ranges that some records are of. */
  #ofRanges(index: number, ranges: KeyRanges, key: PageKey, records: Uint32Array, type: ColumnType): Int32Array {
    let known = this.#ofNumbers.get(ranges);
    if (known === undefined) this.#ofNumbers.set(ranges, (known = []));
    const codes = codesOfKey(key, records);
    for (let row = 0; row < codes.length; row++) {
      const number = codes[row] as number;
      // What is computed of a null is known where there is one.
      if (number === -1)
        this.#keys.encode(
          index,
          valuesOfKey(key, records.subarray(row, row + 1), type),
          1,
          codes.subarray(row, row + 1),
        );
      else codes[row] = known[number] ??= this.#keys.codeOf(index, ranges.valueOf(number));
    }
    return codes;
  }

  /** For every entry of the last dictionary of a column the number of its value, -1 where it was not met. */
  #codesOf(index: number, dictionary: OpenDictionary): Int32Array {
    let known = this.#ofKeys.get(index);
    if (known?.dictionary !== dictionary) {
      known = { dictionary, codes: new Int32Array(dictionary.entryCount).fill(-1) };
      this.#ofKeys.set(index, known);
    }
    return known.codes;
  }

  #valuesOf(index: number): PageValues {
    return this.#values[index] as PageValues;
  }

  /** Null where an entry is ill-formed, which some row may have. */
  #codedGroups(entries: ByteStrings, codes: Uint32Array, page: ColumnPage): RowGroups | null {
    const texts = this.#valuesOf(0).textsOf(entries, page);
    if (texts === null) return null;
    const known = this.#known(texts);
    // Only until every entry was met does a row have to be asked whether its group is new.
    for (let i = 0; this.#unmet > 0 && i < codes.length; i++)
      if (known[codes[i] as number] === -1) this.#meet(codes[i] as number);
    return new RowGroups(codes, entries.count, known, this.#session.scratch);
  }

  #known(texts: readonly string[]): Int32Array {
    if (this.#texts !== texts) {
      this.#ofEntries = new Int32Array(texts.length).fill(-1);
      this.#unmet = texts.length;
      this.#texts = texts;
    }
    return this.#ofEntries;
  }

  #meet(code: number): void {
    this.#ofEntries[code] = this.#keys.groupOf([this.#texts?.[code] ?? null]);
    this.#unmet--;
  }
}

function areFew(entryCount: number, rowCount: number): boolean {
  return entryCount * ROWS_PER_CODE <= rowCount;
}

/** Texts that few rows share, as bytes: none is made for them. Null for others, and without the addon. */
function manyTexts(page: ColumnPage, span: Span): ColumnValues | null {
  const rows = page.type.isText ? textRows(page, span) : null;
  return rows === null || areFew(rows.texts.ends.length, spanCount(span)) ? null : rows;
}
