// A few pages at a time: fetched together (neighbours in one range, nothing that was not asked for), then opened one by
// one. What a read holds in memory at once.
import { alignUp, checkLimit, giveWorkingMemory, takeWorkingMemory } from '@colkit/io';
import type { Begun, Work } from '@colkit/io/effects';
import { begin, ReadRanges, wait } from '@colkit/io/effects';
import { needsDictionary } from '../../layout/column-block.ts';
import { corrupt } from '../../layout/location.ts';
import { decodedPage, openColumnPage } from './column-page.ts';
import type { ColumnPage } from './opened-page.ts';
import { keepDictionary, knownDictionary } from '../file/kept-dictionaries.ts';
import type { KeptPages } from '../file/kept-pages.ts';
import { ifSound, openDictionary } from './open-dictionary.ts';
import {
  TEXT_BYTES,
  decodingOf,
  enoughRoom,
  learnRoom,
  listBytes,
  textBytes,
  wantNumbers,
  wantTexts,
} from './jobs/decoding.ts';
import type { Decoding, WantedPage } from './jobs/decoding.ts';
import { ListedPages, ownSpan } from './jobs/listed-pages.ts';
import { PageJobs } from './jobs/page-jobs.ts';
import type { DecodedNumbers, DecodedTexts, PickedItems } from './decoded-page.ts';
import type { OpenDictionary } from '../file/session.ts';
import type { Session } from '../file/session.ts';
import { pageKey } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import { dictionaryRanges, rangesOf, requestOf } from './page-ranges.ts';
import type { FetchRequest, PageRange } from './page-ranges.ts';

/**
 * What the numbers of all columns together take at most when the addon decodes them. Of a table of very many columns,
 * what is beyond is decoded here, page by page.
 */
const NUMBER_BYTES = 1 << 23;

/** Dictionaries of row groups that are not read yet, together and about. */
const DICTIONARY_BYTES_AHEAD = 1 << 16;

interface Started {
  readonly ranges: { readonly begun: Begun<void>; readonly batch: FetchRequest } | null;
  readonly decoded: { readonly begun: Begun<void>; readonly decoding: Decoding } | null;
}

export class FetchedPages {
  readonly spans: readonly Span[];
  readonly #isOnly: boolean;
  readonly #file: StoredFile;
  readonly #session: Session;
  /** Fetched pages by where they start in the file. */
  readonly #fetched = new Map<number, Uint8Array>();
  /** Pages that the addon decoded, and null for those that it left. */
  readonly #decoded = new Map<number, DecodedNumbers | DecodedTexts | null>();
  readonly #listed: ListedPages;
  /** Pages that the addon has looked at, by where they start in the file: their bytes are counted once. */
  readonly #counted = new Set<number>();
  /** Items of matching rows that the addon has picked, by column and page. */
  readonly #picked = new Map<number, Map<number, PickedItems>>();
  readonly #buffers: ArrayBuffer[] = [];
  #started: Started | null = null;

  /** @param isOnly whether no other pages are on their way while these are used. */
  constructor(file: StoredFile, session: Session, spans: readonly Span[], isOnly = false) {
    this.#file = file;
    this.#listed = new ListedPages(file);
    this.#session = session;
    this.spans = spans;
    this.#isOnly = isOnly;
  }

  /**
   * Starts to fetch what these columns need for these spans, or to decode it where the addon can, to be waited for by
   * `fetch`.
   * @param alone whether of a span nothing is asked but the values of its rows, by `openRows`.
   */
  *start(columns: readonly number[], spans: Iterable<Span>, alone = false): Work<void> {
    const decoding = this.#decoding(columns, spans, alone);
    const decoded = decoding === null ? null : { begun: yield* begin(decoding.operation), decoding };
    const batch = this.#missing(columns, spans, decoding?.jobOf);
    const ranges =
      batch === null ? null : { begun: yield* begin(new ReadRanges(this.#file.source, batch.request)), batch };
    this.#started = { ranges, decoded };
  }

  /**
   * Fetches or decodes what these columns need for these spans and is not here yet. The blocks of the columns are
   * loaded.
   */
  *fetch(columns: readonly number[], spans: Iterable<Span>, alone = false): Work<void> {
    if (this.#started === null) yield* this.start(columns, spans, alone);
    const { ranges, decoded } = this.#started as unknown as Started;
    this.#started = null;
    if (ranges !== null) {
      yield* wait(ranges.begun);
      this.#keep(ranges.batch);
    }
    if (decoded !== null) {
      yield* wait(decoded.begun);
      const again = this.#keepDecoded(decoded.decoding);
      if (again !== null) {
        yield* wait(yield* begin(again.operation));
        this.#keepDecoded(again);
      }
    }
    // What the addon left, and what was not thought of at the start.
    const batch = this.#missing(columns, spans);
    if (batch === null) return;
    yield new ReadRanges(this.#file.source, batch.request);
    this.#keep(batch);
  }

  /**
   * Fetches and opens the dictionaries of these columns in these row groups. Where one is missing, small ones of later
   * row groups come with it, so that later fetches need not wait.
   * @param later whether those of a row group will be wanted.
   */
  *fetchDictionaries(
    columns: readonly number[],
    groups: ReadonlySet<number>,
    later: (group: number) => boolean,
  ): Work<void> {
    const wanted: { readonly column: number; readonly group: number }[] = [];
    const ranges: PageRange[] = [];
    let bytes = 0;
    const want = (group: number): void => {
      for (const column of columns) {
        if (
          !needsDictionary(this.#file.chunk(column, group).entry) ||
          knownDictionary(this.#file, this.#session, column, group) !== undefined
        )
          continue;
        wanted.push({ column, group });
        for (const range of dictionaryRanges(this.#file, column, group)) {
          ranges.push(range);
          bytes += range.byteLength;
        }
      }
    };
    let last = -1;
    for (const group of groups) {
      want(group);
      last = Math.max(last, group);
    }
    if (wanted.length === 0) return;
    const isWanted = (group: number): boolean => {
      for (const column of columns) this.#file.chunk(column, group);
      return later(group);
    };
    for (let group = last + 1; group < this.#file.rowGroups.length && bytes < DICTIONARY_BYTES_AHEAD; group++)
      if (ifSound(() => isWanted(group)) === true) want(group);
    const batch = this.#batchOf(ranges);
    if (batch !== null) {
      yield new ReadRanges(this.#file.source, batch.request);
      this.#keep(batch);
    }
    for (const { column, group } of wanted) this.soundDictionary(column, group);
  }

  /**
   * The same for somebody who looks ahead: null also for a dictionary that is damaged, which is refused where a row
   * needs it.
   */
  soundDictionary(column: number, group: number): OpenDictionary | null {
    return ifSound(() => this.dictionary(column, group));
  }

  /**
   * Codes that the dictionary has no entry for make a page one that the addon leaves: only rows that are asked for are
   * refused.
   */
  #withEntries(numbers: DecodedNumbers | null, column: number, group: number): DecodedNumbers | null {
    if (numbers === null || !('rowCodes' in numbers)) return numbers;
    const dictionary = this.soundDictionary(column, group);
    return dictionary === null || numbers.below > dictionary.entryCount ? null : numbers;
  }

  /**
   * Jobs for the addon, null where it is not there. A filter whose pages are to be kept, as they are in the file, has
   * none.
   */
  jobs(): PageJobs | null {
    return this.#session.kept === null ? PageJobs.of(this.#file, this.#counted, this.#isOnly) : null;
  }

  /** Items of those rows of a page that match, which need no other page then: neither fetched nor opened. */
  keepItems(column: number, span: Span, picked: PickedItems): void {
    let ofColumn = this.#picked.get(column);
    if (ofColumn === undefined) this.#picked.set(column, (ofColumn = new Map<number, PickedItems>()));
    ofColumn.set(pageKey(span), picked);
  }

  itemsOf(column: number, span: Span): PickedItems | null {
    return this.#picked.get(column)?.get(pageKey(span)) ?? null;
  }

  /** Memory that is used as long as the fetch is. */
  hold(buffer: ArrayBuffer): void {
    this.#buffers.push(buffer);
  }

  /** Its memory may be used again. What is still on its way into memory keeps it. */
  release(): void {
    for (const buffer of this.#buffers) giveWorkingMemory(buffer);
    this.#buffers.length = 0;
    this.#fetched.clear();
    this.#decoded.clear();
    this.#listed.clear();
    this.#picked.clear();
  }

  /** Jobs for texts that had not enough room, with enough; null where there are none. */
  #keepDecoded({ jobs, jobOf, buffer }: Decoding): Decoding | null {
    this.#buffers.push(buffer);
    const small = new Map<number, WantedPage>();
    let size = 0;
    for (const [byteOffset, each] of jobOf) {
      const { job, column, span, areTexts, rows } = each;
      const needed = areTexts ? jobs.roomFor(job) : null;
      const texts = areTexts && needed === null ? jobs.textsOf(job) : null;
      learnRoom(this.#file, each, needed ?? textBytes(texts));
      const room = needed === null || rows !== null ? needed : enoughRoom(needed);
      if (room !== null && size + room <= TEXT_BYTES) {
        small.set(byteOffset, { column, span, at: size, room, rows });
        size = alignUp(size + listBytes(rows) + room, 8);
        continue;
      }
      const decoded = areTexts ? texts : this.#withEntries(jobs.numbersOf(job), column, span.group);
      if (rows === null) this.#decoded.set(byteOffset, decoded);
      else if (decoded !== null) this.#listed.add({ byteOffset, span, rows, decoded });
    }
    const more = small.size === 0 ? null : this.jobs();
    return more === null ? null : decodingOf(more, small, size);
  }

  #keep({ ranges, outStarts, request: { out } }: FetchRequest): void {
    for (const [index, { byteOffset, byteLength }] of ranges.entries()) {
      const outStart = outStarts[index] as number;
      this.#fetched.set(byteOffset, out.subarray(outStart, outStart + byteLength));
    }
    this.#buffers.push(out.buffer as ArrayBuffer);
  }

  /** Hands over what was fetched of these columns for these spans. */
  lend(columns: readonly number[], spans: Iterable<Span>, to: KeptPages): void {
    for (const { group, page } of spans) {
      for (const column of columns) {
        for (const { byteOffset } of rangesOf(this.#file, column, group, page))
          to.add(byteOffset, this.#fetched.get(byteOffset));
      }
    }
  }

  /** Jobs for the pages of these columns that are not here and that the addon may decode; null where there are none. */
  #decoding(columns: readonly number[], spans: Iterable<Span>, alone: boolean): Decoding | null {
    const jobs = this.jobs();
    if (jobs === null) return null;
    const wanted = new Map<number, WantedPage>();
    let size = 0;
    for (const span of spans) {
      for (const column of columns) {
        const areTexts = jobs.haveTexts(column, span.group);
        if ((!areTexts && !jobs.mayHelp(column, span.group)) || this.itemsOf(column, span) !== null) continue;
        const leader = this.#file.chunk(column, span.group).entry.codesColumn;
        const byteOffset = this.#file.chunk(leader, span.group).pageOffsets[span.page] as number;
        if (this.#has(byteOffset) || wanted.has(byteOffset)) continue;
        const asked = (areTexts ? wantTexts : wantNumbers)(this.#file, leader, span, alone);
        const end = alignUp(size + asked.byteLength, 8);
        if (end > (areTexts ? TEXT_BYTES : NUMBER_BYTES)) continue;
        wanted.set(byteOffset, { ...asked, column, span, at: size });
        size = end;
      }
    }
    return wanted.size === 0 ? null : decodingOf(jobs, wanted, size);
  }

  /** Whether a page is here, or was kept by the last filter. */
  #has(byteOffset: number): boolean {
    if (this.#fetched.has(byteOffset) || (this.#decoded.get(byteOffset) ?? null) !== null) return true;
    const kept = this.#file.keptPages?.get(byteOffset);
    if (kept !== undefined) this.#fetched.set(byteOffset, kept);
    return kept !== undefined;
  }

  /**
   * What is not here yet, and where it will lie; null where nothing is missing.
   * @param others pages that come in another way.
   */
  #missing(
    columns: readonly number[],
    spans: Iterable<Span>,
    others?: ReadonlyMap<number, unknown>,
  ): FetchRequest | null {
    const wanted: PageRange[] = [];
    for (const span of spans) {
      const { group, page } = span;
      for (const column of columns) {
        if (this.itemsOf(column, span) !== null) continue;
        const listed = this.#listed.of(column, span)?.byteOffset;
        const isKnown = knownDictionary(this.#file, this.#session, column, group) !== undefined;
        for (const range of rangesOf(this.#file, column, group, page, isKnown))
          if (others?.has(range.byteOffset) !== true && range.byteOffset !== listed) wanted.push(range);
      }
    }
    return this.#batchOf(wanted);
  }

  #batchOf(all: Iterable<PageRange>): FetchRequest | null {
    const wanted = new Map<number, PageRange>();
    for (const range of all)
      if (!wanted.has(range.byteOffset) && !this.#has(range.byteOffset)) wanted.set(range.byteOffset, range);
    if (wanted.size === 0) return null;
    const ranges = [...wanted.values()].sort((a, b) => a.byteOffset - b.byteOffset);
    const most = this.#file.options.limits.maxPageBytes;
    const outStarts = new Float64Array(ranges.length);
    let size = 0;
    for (const [index, range] of ranges.entries()) {
      checkLimit(`${this.#file.path}: bytes of a page`, range.byteLength, most);
      // Every page lies in memory as it lies in the file, modulo 8: bodies are aligned.
      size += (range.byteOffset - size) & 7;
      outStarts[index] = size;
      size += range.byteLength;
    }
    return {
      ranges,
      outStarts,
      request: requestOf(ranges, outStarts, new Uint8Array(takeWorkingMemory(size), 0, size)),
    };
  }

  /**
   * The page of a span, and where its rows are in it: a page of its own where nothing is known of the others. Valid
   * until the session's scratch memory is reset.
   */
  openRows(column: number, span: Span): readonly [ColumnPage, Span] {
    const listed = this.#listed.of(column, span);
    if (listed === null) return [this.open(column, span), span];
    const { group, page } = span;
    const { byteOffset, decoded, rows } = listed;
    const own = ownSpan(span, rows);
    const dictionary = (): OpenDictionary | null => this.dictionary(column, group);
    const source = { span: own, byteOffset, dictionary, scratch: this.#session.scratch };
    return [decodedPage(this.#file, column, group, page, decoded, source), own];
  }

  /** One column of one span's page, which was fetched. Valid until the session's scratch memory is reset. */
  open(column: number, span: Span): ColumnPage {
    const { group, page } = span;
    const leader = this.#file.chunk(column, group).entry.codesColumn;
    const byteOffset = this.#file.chunk(leader, group).pageOffsets[page] as number;
    const dictionary = (): OpenDictionary | null => this.dictionary(column, group);
    const source = { span, byteOffset, dictionary, scratch: this.#session.scratch };
    const decoded = this.#decoded.get(byteOffset) ?? null;
    if (decoded !== null) return decodedPage(this.#file, column, group, page, decoded, source);
    return openColumnPage(this.#file, column, group, page, { ...source, bytes: this.#bytes(byteOffset) });
  }

  /** The dictionary of a column in a row group, which was fetched; null where it needs none. */
  dictionary(column: number, group: number): OpenDictionary | null {
    const { entry } = this.#file.chunk(column, group);
    if (!needsDictionary(entry)) return null;
    const known = knownDictionary(this.#file, this.#session, column, group);
    if (known !== undefined) return known;
    const bytes = this.#bytes(entry.byteOffset);
    const dictionary = openDictionary(this.#file, column, group, bytes, this.#session.dictionaryBytes);
    this.#checkLength(column, group, dictionary);
    this.#session.keepDictionary(column, group, dictionary);
    keepDictionary(this.#file, column, group, dictionary);
    this.#session.kept?.hold(entry.byteOffset, bytes);
    return dictionary;
  }

  /** Joint dictionaries have one length. */
  #checkLength(column: number, group: number, { entryCount }: OpenDictionary): void {
    const { codesColumn, byteOffset } = this.#file.chunk(column, group).entry;
    if (codesColumn === column) return;
    const leader = this.#file.chunk(codesColumn, group).entry;
    const bytes = this.#bytes(leader.byteOffset);
    this.#session.kept?.hold(leader.byteOffset, bytes);
    const expected = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
    if (entryCount !== expected)
      throw corrupt(
        'ERR_LAYOUT',
        this.#file.location('dictionary page', byteOffset, column, group),
        12,
        `${expected} entries, as its leader has`,
        entryCount,
      );
  }

  #bytes(byteOffset: number): Uint8Array {
    const bytes = this.#fetched.get(byteOffset);
    if (bytes === undefined) throw new Error(`the page at byte ${byteOffset} was not fetched`);
    return bytes;
  }
}
