// The wanted rows of one column of one page, as aggregates take them: numbers, words, or texts as codes into the
// entries of a dictionary, which are decoded once.
import { parseDType } from '@colkit/io';
import { ValueReader } from '@colkit/table';
import type { Cell, ColumnValues } from '@colkit/table';
import { pickStrings, stringAt } from '../../columns/byte-strings.ts';
import type { ByteStrings } from '../../columns/vector.ts';
import type { FileLocation } from '../../layout/location.ts';
import type { OpenDictionary, Session } from '../file/session.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { ColumnPage } from '../pages/opened-page.ts';
import { pageChunk } from '../pages/page-chunk.ts';
import { pickCodes, wantedCodes } from '../pages/texts/row-strings.ts';
import { RowRank, isPresent } from '../file/rank.ts';
import { entryRows, textRows } from './text-rows.ts';
import { askedAlone, decodeEntries, decodeTexts } from '../pages/texts/texts.ts';

/** Dictionaries of so many are made texts once, and then looked up by code. */
const FEW_ENTRIES = 4096;

/** The pages of one column, one after another. */
export class PageValues {
  readonly #session: Session;
  #reader: ValueReader | null = null;
  #entries: ByteStrings | null = null;
  #texts: readonly string[] = [];

  constructor(session: Session) {
    this.#session = session;
  }

  /** The texts of a dictionary: the same array for all pages of a row group. Null where one of them is ill-formed. */
  textsOf(entries: ByteStrings, page: Pick<ColumnPage, 'location'>): readonly string[] | null {
    if (this.#entries !== entries) {
      const texts = decodeEntries(entries, page.location);
      if (texts === null) return null;
      this.#texts = texts;
      this.#entries = entries;
    }
    return this.#texts;
  }

  /** The text or the bytes of a code, in the session's memory; null for one that stands for null. */
  entryOf({ entries, indexes }: OpenDictionary, code: number, isText: boolean, location: FileLocation): Cell {
    if (entries.kind !== 'strings') return null;
    const at = indexes === null ? code : (indexes[code] ?? -1);
    if (at === -1 || at >= entries.count) return null;
    if (!isText) return stringAt(entries, at);
    const texts = this.textsOf(entries, { location });
    return texts?.[at] ?? decodeTexts(pickStrings(entries, Uint32Array.of(at)), location)[0] ?? null;
  }

  /** What codes of a dictionary stand for, -1 for null; null where that is no text, or an ill-formed one. */
  ofEntries({ entries, indexes }: OpenDictionary, codes: Int32Array, location: FileLocation): ColumnValues | null {
    const texts = entries.kind === 'strings' ? this.textsOf(entries, { location }) : null;
    if (texts === null) return null;
    const ofRows = indexes === null ? codes : codes.map((code) => indexes[code] ?? -1);
    return { kind: 'codes', codes: ofRows, texts, validity: null };
  }

  /** Entries of a dictionary, for those who number texts. Null where an entry is ill-formed. */
  entriesAt(entries: ByteStrings, codes: Uint32Array, page: Pick<ColumnPage, 'location'>): ColumnValues | null {
    const utf8 = entryRows(entries, codes, page.location);
    if (utf8 !== null) return utf8;
    const texts = this.textsOf(entries, page);
    return texts === null ? null : { kind: 'codes', codes: Int32Array.from(codes), texts, validity: null };
  }

  /** Texts as UTF-8 where the addon is. Good until the next call, or until the session's scratch memory is reset. */
  read(page: ColumnPage, span: Span): ColumnValues {
    if (!page.type.isText) return this.#collected(page, span);
    const few = this.#codesOf(page, span, FEW_ENTRIES);
    return few ?? textRows(page, span) ?? this.#codesOf(page, span) ?? this.#collected(page, span);
  }

  /** Null where the texts of a page are in no dictionary, or in one of more than `most` entries. */
  #codesOf(page: ColumnPage, span: Span, most = Number.POSITIVE_INFINITY): ColumnValues | null {
    const { byRow, validity, valueCount, rowCount } = page;
    if (byRow !== null && byRow.entries.kind === 'strings') {
      if (byRow.entries.count > most) return null;
      return this.#codes(byRow.entries, wantedCodes({ byRow, rowCount }, span), page);
    }
    const coded = valueCount === 0 ? null : page.coded();
    if (coded === null || coded.entries.kind !== 'strings' || coded.entries.count > most) return null;
    const codes = new Int32Array(coded.codes.buffer, coded.codes.byteOffset, coded.codes.length);
    const ofRows = validity === null ? ofSpan(codes, span) : spread(codes, validity, rowCount, span);
    return this.#codes(coded.entries, ofRows, page);
  }

  #codes(entries: ByteStrings, codes: Int32Array, page: ColumnPage): ColumnValues {
    const all = this.textsOf(entries, page);
    if (all !== null) return { kind: 'codes', codes, texts: all, validity: null };
    const asked = askedAlone(entries, codes);
    return { kind: 'codes', codes: asked.codes, texts: decodeTexts(asked.entries, page.location), validity: null };
  }

  #collected(page: ColumnPage, span: Span): ColumnValues {
    this.#reader ??= new ValueReader(parseDType(page.type.dtype));
    return this.#reader.read(pageChunk(page, span, this.#session));
  }
}

/** Codes of values that are not null -> of the rows that are wanted, -1 for a null. */
function spread(codes: Int32Array, validity: Uint8Array, rowCount: number, span: Span): Int32Array {
  const { start, picks } = span;
  const out = new Int32Array(spanCount(span));
  const rank = new RowRank(validity, rowCount);
  let next = rank.before(start);
  for (let i = 0; i < out.length; i++) {
    const row = picks === null ? start + i : (picks[i] as number);
    if (!isPresent(validity, row)) out[i] = -1;
    else out[i] = codes[picks === null ? next++ : rank.before(row)] as number;
  }
  return out;
}

function ofSpan(codes: Int32Array, { start, end, picks }: Span): Int32Array {
  return picks === null ? codes.subarray(start, end) : pickCodes(codes, picks);
}
