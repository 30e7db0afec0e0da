// One column of one row group -> its pages: every page on its own, or codes of one dictionary page for all of them,
// whichever is cheaper.
import { attached } from '@colkit/io';
import { Encoding, MAX_DICTIONARY_ENTRIES } from '../../layout/constants.ts';
import type { EncodingName } from '../../layout/constants.ts';
import { pageBytes } from '../../layout/page-header.ts';
import type { Statistics } from '../../layout/statistics.ts';
import { sizeCodesPage } from '../../columns/encodings/codes/index.ts';
import { costOf } from '../../columns/chooser.ts';
import type { Candidate } from '../../columns/chooser.ts';
import * as dictionary from '../../columns/encodings/dictionary/index.ts';
import { giveBack } from '../../columns/kernels/lent-words.ts';
import type { SizedNode } from '../../columns/node.ts';
import { giveBackSource, narrowSource } from '../../columns/source.ts';
import { EncodingChooser } from './choose-encoding.ts';
import type { Choice } from './choose-encoding.ts';
import { nullStatistics } from './collect-statistics.ts';
import { pageSlices } from '../values/column-values.ts';
import type { ColumnValues, FixedColumn, PageSlice, StringColumn } from '../values/column-values.ts';
import { cheapestBody, encodeBody, encodeNullPage, encodePage } from './encode-page.ts';
import type { EncodedPage } from './encode-page.ts';
import { rulesOf } from './modes.ts';
import { MOST_PAGE_BYTES, entryBytes } from './page-rows.ts';
import type { WriteMode } from './modes.ts';
import { sizeFixedPage, sizeStringPage, sourceOfItems } from './size-page.ts';
import type { SizedPage } from './size-page.ts';
import { sizeCodedTexts, sizeEntries, sizePlain } from './text-pages.ts';

export interface EncodeOptions {
  readonly mode: WriteMode;
  /** The only encoding that may be at a page's root; null: the cheapest one. */
  readonly encoding: EncodingName | null;
}

export interface EncodedChunk {
  readonly dictionaryPage: EncodedPage | null;
  /** Empty in a member of a joint dictionary. */
  readonly pages: readonly EncodedPage[];
  /** One a page of rows, also where the pages are another column's. */
  readonly statistics: readonly Statistics[];
  readonly joint: { readonly leader: number } | null;
  /** What its first page said; null: that one has nothing but nulls. */
  readonly firstLook: FirstLook | null;
}

/** What a column takes if its other pages are as the first one: before DEFLATE, with dictionaries in each page. */
export interface FirstLook {
  readonly bytes: number;
  /** Bytes, and decoding time at the mode's price. */
  readonly cost: number;
  /** What was sized for the page, and how many rows it has. */
  readonly candidates: readonly Candidate[];
  readonly rowCount: number;
}

/** Nanoseconds that decoding a chunk's own pages takes, about. */
export function chunkTime({ dictionaryPage, pages }: EncodedChunk): number {
  return pages.reduce((sum, page) => sum + page.time, dictionaryPage?.time ?? 0);
}

export function chunkBytes(chunk: EncodedChunk): number {
  return chunk.pages.reduce((sum, page) => sum + page.bytes.length, chunk.dictionaryPage?.bytes.length ?? 0);
}

/** Between two pages the caller may have sent the values to another thread. @throws ClosedError ERR_DETACHED. */
function requireMemory(column: ColumnValues, columnNumber: number): void {
  if (column.kind === 'fixed') attached(column.values, 'write', `column ${String(columnNumber + 1)}`);
}

export function encodeChunk(
  column: ColumnValues,
  columnNumber: number,
  pageRows: number,
  options: EncodeOptions,
): EncodedChunk {
  return finished(encodingChunk(column, columnNumber, pageRows, options));
}

/**
 * The same page by page: between two of them others may get their turn. After the first page has been sized, what that
 * says is given; some columns need no more.
 */
export function* encodingChunk(
  column: ColumnValues,
  columnNumber: number,
  pageRows: number,
  options: EncodeOptions,
): Generator<FirstLook | null, EncodedChunk> {
  const chooser = new EncodingChooser(rulesOf(options.mode), options.encoding, options.mode === 'plain');
  const slices = pageSlices(column, pageRows);
  const sized: (SizedPage | null)[] = [];
  let firstLook: FirstLook | null = null;
  for (const slice of slices) {
    requireMemory(column, columnNumber);
    chooser.startPage('values');
    if (slice.valueCount === 0) sized.push(null);
    else if (column.kind === 'fixed') sized.push(sizeFixedPage(column, slice, chooser));
    else sized.push(sizeStringPage(column, slice, chooser));
    if (sized.length === 1) firstLook = lookAt(sized[0] as SizedPage | null, slice.rowCount, column.rowCount, chooser);
    yield firstLook;
  }
  const coded = codedPages(sized, column, slices, chooser);
  const pages: EncodedPage[] = [];
  for (const [number, slice] of slices.entries()) {
    requireMemory(column, columnNumber);
    chooser.startPage('body');
    const facts = {
      kind: 'data',
      type: column.type,
      columnNumber,
      rowCount: slice.rowCount,
      valueCount: slice.valueCount,
    } as const;
    const chosen = coded?.choices[number] ?? sized[number]?.choice ?? null;
    const choice = chosen === null ? null : inBlocks(chosen, column, slice, chooser);
    pages.push(
      choice === null
        ? encodeNullPage(facts)
        : encodePage(facts, choice, cheapestBody(choice.contenders, slice.validity, chooser)),
    );
    for (const node of choice?.contenders ?? []) node.release?.();
    sized[number]?.release?.();
    yield null;
  }
  const statistics = slices.map((slice, number) => sized[number]?.statistics ?? nullStatistics(slice.rowCount));
  coded?.codes.release?.();
  return {
    dictionaryPage: coded === null ? null : encodeEntries(coded.codes, column, columnNumber, chooser),
    pages,
    statistics,
    joint: null,
    firstLook,
  };
}

function lookAt(page: SizedPage | null, rowCount: number, allRows: number, chooser: EncodingChooser): FirstLook | null {
  if (page === null) return null;
  const { node, candidates } = page.choice;
  const pages = allRows / rowCount;
  return { bytes: pageBytes(node.byteLength) * pages, cost: pageCost(node, chooser) * pages, candidates, rowCount };
}

/** What comes of work that is done in steps. */
export function finished<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same choice; of many different texts in a page's own dictionary, with their bytes in blocks. */
function inBlocks(choice: Choice, column: ColumnValues, slice: PageSlice, chooser: EncodingChooser): Choice {
  const { encoding, isCompressed } = choice.node;
  const isOwn = encoding === Encoding.DICTIONARY || encoding === Encoding.PLAIN;
  if (column.kind === 'fixed' || column.codes === null || chooser.forced !== null || chooser.plainOnly) return choice;
  if (!isOwn || isCompressed === true) return choice;
  const codes = column.codes.subarray(slice.firstValue, slice.firstValue + slice.valueCount);
  const node = sizeCodedTexts(column.entries, codes, chooser);
  if (node === null) return choice;
  const candidates = [{ encoding: node.label, bytes: node.byteLength, estimated: false }, ...choice.candidates];
  return {
    node,
    contenders: chooser.rules.bytesPerNanosecond === 0 ? [node, ...choice.contenders] : [node],
    candidates: candidates.sort((a, b) => a.bytes - b.bytes),
  };
}

interface CodedPages {
  readonly codes: ChunkCodes;
  /** One a page; a page keeps its own encoding where that is cheaper. */
  readonly choices: readonly (Choice | null)[];
}

/**
 * The chunk's pages with a dictionary page, or null where that does not apply or is not cheaper. With one page, its own
 * dictionary does the same with a header less.
 */
function codedPages(
  sized: readonly (SizedPage | null)[],
  column: ColumnValues,
  slices: readonly PageSlice[],
  chooser: EncodingChooser,
): CodedPages | null {
  const forced = chooser.forced === 'DICTIONARY';
  if (chooser.plainOnly || (chooser.forced !== null && !forced) || slices.length < 2) return null;
  chooser.startPage('entries');
  const codes = column.kind === 'fixed' ? numericCodes(column, sized, chooser) : stringCodes(column, chooser);
  if (codes === null) return null;
  let [alone, together] = [0, pageCost(codes.entries, chooser)];
  const choices = slices.map((slice, number) => {
    chooser.startPage('codes');
    const own = sized[number]?.choice;
    if (own === undefined) return null;
    const codeNode =
      sized[number]?.codeNode ??
      dictionary.sizeCodes(
        narrowSource(codes.codes.subarray(slice.firstValue, slice.firstValue + slice.valueCount)),
        chooser,
      );
    const node = sizeCodesPage(codeNode, slice.valueCount);
    const [ownCost, codesCost] = [pageCost(own.node, chooser), pageCost(node, chooser)];
    alone += ownCost;
    together += Math.min(codesCost, ownCost);
    const candidates = [{ encoding: node.label, bytes: node.byteLength, estimated: false }, ...own.candidates].sort(
      (a, b) => a.bytes - b.bytes,
    );
    return codesCost < ownCost || forced ? { node, contenders: [node], candidates } : { ...own, candidates };
  });
  if (together < alone || forced) return { codes, choices };
  codes.release?.();
  return null;
}

function pageCost({ byteLength, time }: SizedNode, { rules }: EncodingChooser): number {
  return costOf({ byteLength: pageBytes(byteLength), time }, rules);
}

function encodeEntries(
  codes: ChunkCodes,
  column: ColumnValues,
  columnNumber: number,
  chooser: EncodingChooser,
): EncodedPage {
  const facts = {
    kind: 'dictionary',
    type: column.type,
    columnNumber,
    rowCount: codes.entryCount,
    valueCount: codes.entryCount,
  } as const;
  const entries = column.kind === 'fixed' ? codes.entries : sizeEntries(column.entries, chooser);
  return encodePage(facts, chooser.entries([entries]), encodeBody(entries, null, chooser));
}

interface ChunkCodes {
  readonly entries: SizedNode;
  readonly entryCount: number;
  readonly codes: Uint32Array;
  /** Gives back what the codes are in: the pages are written. */
  readonly release?: () => void;
}

function stringCodes({ entries, codes }: StringColumn, chooser: EncodingChooser): ChunkCodes | null {
  return codes === null || entryBytes({ entries }) > MOST_PAGE_BYTES
    ? null
    : { entries: sizePlain(entries, null, chooser), entryCount: entries.count, codes };
}

/**
 * Numbers only where a dictionary inside the page was the best for some page: else their range is no wider than their
 * codes'.
 */
function numericCodes(
  column: FixedColumn,
  sized: readonly (SizedPage | null)[],
  chooser: EncodingChooser,
): ChunkCodes | null {
  if (!sized.some((page) => page?.choice.node.encoding === Encoding.DICTIONARY)) return null;
  const source = sourceOfItems(column, 0, column.values.length);
  const distinct = dictionary.distinctOf(source, Math.min(MAX_DICTIONARY_ENTRIES, column.values.length >>> 1));
  giveBackSource(source, column.values);
  if (distinct === null) return null;
  // Codes come in normal form, which for all codes of a dictionary is the codes themselves.
  return {
    entries: chooser.entryNode(distinct.entries, column.type.itemBytes),
    entryCount: distinct.entries.count,
    codes: distinct.codes.values,
    release: () => giveBack(distinct.codes.values),
  };
}
