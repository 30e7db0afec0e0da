// The columns that are grouped by -> groups of the rows of a page. Texts of a dictionary are looked up once per entry
// and not once per row, and sums can then be made by code.
import type { Cell, GroupKeys, KeyRanges } from '@colkit/table';
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

const ROWS_PER_CODE = 16;
/** In place of the group of an entry: no row has had it; a row has it whose group comes next. */
const UNMET = -1;
const MET = -2;
const NO_CODES = new Uint32Array(0);

export class PageGroups {
  readonly #keys: GroupKeys;
  readonly #session: Session;
  readonly #values: readonly PageValues[];
  #entries: ByteStrings | null = null;
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
        const found = strings.kind === 'coded' ? this.#codedGroups(strings.entries, strings.codes, page) : null;
        if (found !== null) return found;
      }
    }
    const values = pages.map((each, index) => (this.#values[index] as PageValues).read(each, span));
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

  /** Null where an entry is ill-formed, which some row may have. */
  #codedGroups(entries: ByteStrings, codes: Uint32Array, page: ColumnPage): RowGroups | null {
    if (this.#entries !== entries) {
      this.#ofEntries = new Int32Array(entries.count).fill(UNMET);
      this.#unmet = entries.count;
      this.#entries = entries;
    }
    const known = this.#ofEntries;
    const met = this.#unmet > 0 ? this.#firstMet(codes) : NO_CODES;
    if (met.length > 0) {
      const texts = (this.#values[0] as PageValues).entriesAt(entries, met, page);
      if (texts === null) {
        this.#entries = null;
        return null;
      }
      const groups = this.#keys.groupsOf([texts], met.length);
      for (let i = 0; i < met.length; i++) known[met[i] as number] = groups[i] as number;
      this.#unmet -= met.length;
    }
    const rows = new RowGroups(codes, entries.count, known, this.#session.scratch);
    // Sums by code are worth it while there are far fewer codes than rows.
    return entries.count * ROWS_PER_CODE <= codes.length
      ? rows
      : new RowGroups(rows.groups, this.#keys.count, null, this.#session.scratch);
  }

  /** The codes whose groups are not known, each once, in the order in which they are met. */
  #firstMet(codes: Uint32Array): Uint32Array {
    const known = this.#ofEntries;
    const met = this.#session.scratch.uint32(Math.min(codes.length, known.length));
    let count = 0;
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] as number;
      if (known[code] !== UNMET) continue;
      known[code] = MET;
      met[count++] = code;
    }
    return met.subarray(0, count);
  }
}
