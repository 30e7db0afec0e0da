// Columns that share codes -> their chunks: the leader's with the code pages, and for every column a dictionary page of
// its values by code.
import type { FixedArray } from '@colkit/io';
import { MAX_DICTIONARY_ENTRIES } from '../../layout/constants.ts';
import { costOf } from '../../columns/chooser.ts';
import { sizeCodesPage } from '../../columns/encodings/codes/index.ts';
import * as dictionary from '../../columns/encodings/dictionary/index.ts';
import type { SizedNode } from '../../columns/node.ts';
import { giveBack, lentWords } from '../../columns/kernels/lent-words.ts';
import { foundAtMost, writeKernels } from '../../columns/kernels/write-kernels.ts';
import { giveBackSource, narrowSource } from '../../columns/source.ts';
import { EncodingChooser } from './choose-encoding.ts';
import { latin1 } from '../../columns/latin1.ts';
import { isSet, pageSlices } from '../values/column-values.ts';
import { pickStrings, stringAt } from '../../columns/byte-strings.ts';
import type { ColumnValues } from '../values/column-values.ts';
import { chunkBytes, chunkTime } from './encode-chunk.ts';
import type { EncodedChunk, FirstLook } from './encode-chunk.ts';
import { encodeBody, encodeNullPage, encodePage } from './encode-page.ts';
import type { EncodedPage } from './encode-page.ts';
import type { JoinCandidate, JointCodes } from './joint.ts';
import { rulesOf } from './modes.ts';
import { MOST_PAGE_BYTES, entryBytes as textBytes } from './page-rows.ts';
import { pageStatistics, sizeStringPage, sourceOfItems } from './size-page.ts';
import type { WriteMode } from './modes.ts';
import type { Statistics } from '../../layout/statistics.ts';

type Strings = Extract<ColumnValues, { kind: 'strings' }>;
type Numbers = Extract<ColumnValues, { kind: 'fixed' }>;

/** A column's entries, and a code for every row; code `entryCount` is null. */
export class ColumnCodes {
  readonly candidate: JoinCandidate;
  readonly entryCount: number;
  /** What the column takes, about, with one dictionary for all pages and codes of one width. */
  readonly codedBytes: number;
  readonly #column: ColumnValues;
  readonly #firstOf: Int32Array | null;
  /** Whether the codes are in lent memory. */
  readonly #isOwn: boolean;

  private constructor(
    column: ColumnValues,
    { entryCount, firstOf }: Dense,
    candidate: JoinCandidate,
    codedBytes: number,
    isOwn: boolean,
  ) {
    this.#column = column;
    this.#firstOf = firstOf;
    this.#isOwn = isOwn;
    this.candidate = candidate;
    this.entryCount = entryCount;
    this.codedBytes = codedBytes;
  }

  /** Null where the column has too many distinct values to join. */
  static of(column: ColumnValues, columnNumber: number, bytes: number): ColumnCodes | null {
    const dense = column.kind === 'strings' ? stringEntries(column) : numericEntries(column);
    if (dense === null) return null;
    const { codes, entryCount, isOwn } = dense;
    const { validity } = column;
    const rows = validity === null ? codes : codesOfRows(codes, validity, column.rowCount, entryCount);
    if (validity !== null && isOwn) giveBack(codes);
    const codedBytes = (codes.length * Math.log2(Math.max(2, entryCount))) / 8 + entryBytes(column, entryCount);
    const candidate = {
      column: columnNumber,
      codes: rows,
      codeCount: entryCount + (validity === null ? 0 : 1),
      bytes: Math.min(bytes, codedBytes),
    };
    return new ColumnCodes(column, dense, candidate, codedBytes, isOwn || validity !== null);
  }

  /** The entries at some indexes, as a page of a dictionary needs them: null for null. */
  entriesAt(indexes: Uint32Array): ColumnValues {
    const { entryCount } = this;
    const column = this.#column;
    const bits = new Uint8Array(Math.ceil(indexes.length / 8));
    const present = new Uint32Array(indexes.length);
    let count = 0;
    for (let i = 0; i < indexes.length; i++) {
      const index = indexes[i] as number;
      if (index >= entryCount) continue;
      present[count++] = index;
      bits[i >>> 3] = (bits[i >>> 3] as number) | (1 << (i & 7));
    }
    const found = present.subarray(0, count);
    const values =
      column.kind === 'strings'
        ? { ...column, entries: pickStrings(column.entries, found), codes: null }
        : pickNumbers(column, found, this.#firstOf as Int32Array);
    return { ...values, rowCount: indexes.length, validity: count === indexes.length ? null : bits };
  }

  /** One a page of rows. */
  statistics(pageRows: number): readonly Statistics[] {
    return pageSlices(this.#column, pageRows).map((slice) => pageStatistics(this.#column, slice));
  }

  /** Gives back what the codes are in. */
  release(): void {
    if (this.#isOwn) giveBack(this.candidate.codes);
  }
}

/** In lent memory. */
function codesOfRows(codes: Uint32Array, validity: Uint8Array, rowCount: number, codeOfNull: number): Uint32Array {
  const rows = lentWords(rowCount);
  const kernels = writeKernels(rowCount);
  if (kernels !== null) kernels.spreadCodes(codes, validity, codeOfNull, rows);
  else
    for (let row = 0, value = 0; row < rowCount; row++)
      rows[row] = isSet(validity, row) ? (codes[value++] as number) : codeOfNull;
  return rows;
}

function entryBytes(column: ColumnValues, entryCount: number): number {
  return column.kind === 'fixed' ? entryCount * column.type.itemBytes : textBytes(column);
}

interface Dense {
  readonly codes: Uint32Array;
  readonly entryCount: number;
  /** Of numbers: for each entry the first value that is it. */
  readonly firstOf: Int32Array | null;
  /** Whether the codes were made here, and are in lent memory. */
  readonly isOwn: boolean;
}

function stringEntries(column: Strings): Dense | null {
  const { entries, codes } = column;
  if (codes === null || textBytes(column) > MOST_PAGE_BYTES) return null;
  return { codes, entryCount: entries.count, firstOf: null, isOwn: false };
}

function numericEntries(column: Numbers): Dense | null {
  const { values } = column;
  if (values.length === 0) return null;
  const source = sourceOfItems(column, 0, values.length);
  const distinct = dictionary.distinctOf(source, Math.min(MAX_DICTIONARY_ENTRIES, values.length >>> 1));
  giveBackSource(source, values);
  if (distinct === null) return null;
  const codes = distinct.codes.values;
  const firstOf = new Int32Array(distinct.entries.count).fill(-1);
  for (let i = 0, left = firstOf.length; left > 0; i++) {
    if (firstOf[codes[i] as number] !== -1) continue;
    firstOf[codes[i] as number] = i;
    left--;
  }
  return { codes, entryCount: firstOf.length, firstOf, isOwn: true };
}

function pickNumbers(column: Numbers, indexes: Uint32Array, firstOf: Int32Array): Numbers {
  const { values, type } = column;
  const rows = new Uint32Array(indexes.length);
  for (let i = 0; i < rows.length; i++) rows[i] = firstOf[indexes[i] as number] as number;
  const Kind = values.constructor as new (buffer: ArrayBuffer) => typeof values;
  return { ...column, values: new Kind(pickItems(values, type.itemBytes, rows)) };
}

/** As integers, so that every pattern stays what it is. */
function pickItems(values: FixedArray, itemBytes: number, rows: Uint32Array): ArrayBuffer {
  const Kind = itemBytes === 1 ? Uint8Array : itemBytes === 2 ? Uint16Array : Uint32Array;
  const words = itemBytes === 8 ? 2 : 1;
  const items = new Kind(values.buffer as ArrayBuffer, values.byteOffset, values.length * words);
  const buffer = new ArrayBuffer(rows.length * itemBytes);
  const picked = new Kind(buffer);
  for (let i = 0; i < rows.length; i++)
    for (let word = 0; word < words; word++)
      picked[i * words + word] = items[(rows[i] as number) * words + word] as number;
  return buffer;
}

/** A joint dictionary's chunks, and what they cost: bytes, and the time of reading each column at the mode's price. */
export interface EncodedJoint {
  readonly columns: readonly number[];
  /** One a column. */
  readonly chunks: readonly EncodedChunk[];
  readonly cost: number;
}

/** @param looks what the first pages of the columns alone said, in the same order. */
export function encodeJoint(
  joint: JointCodes,
  columns: readonly ColumnCodes[],
  looks: readonly FirstLook[],
  pageRows: number,
  mode: WriteMode,
): EncodedJoint {
  const chooser = new EncodingChooser(rulesOf(mode));
  const leader = joint.columns[0] as number;
  const chunks = columns.map((column, index): EncodedChunk => {
    const values = column.entriesAt(joint.members[index] as Uint32Array);
    chooser.startPage(`entries ${String(index)}`);
    const dictionaryPage = encodeEntries(values, joint.columns[index] as number, chooser);
    const firstLook = looks[index] as FirstLook;
    return {
      dictionaryPage,
      pages: index === 0 ? codePages(joint, values, firstLook, pageRows, chooser) : [],
      statistics: column.statistics(pageRows),
      joint: { leader },
      firstLook,
    };
  });
  // Whoever reads another column than the leader decodes the codes for it.
  const codes = (chunks[0] as EncodedChunk).pages.reduce((sum, page) => sum + page.time, 0);
  const again = codes * (columns.length - 1) * chooser.rules.bytesPerNanosecond;
  return { columns: joint.columns, chunks, cost: chunksCost(chunks, mode) + again };
}

export function chunksCost(chunks: readonly EncodedChunk[], mode: WriteMode): number {
  const cost = (chunk: EncodedChunk): number =>
    costOf({ byteLength: chunkBytes(chunk), time: chunkTime(chunk) }, rulesOf(mode));
  return chunks.reduce((sum, chunk) => sum + cost(chunk), 0);
}

/** A dictionary page of a joint chunk: entries repeat, and may be null. */
function encodeEntries(values: ColumnValues, columnNumber: number, chooser: EncodingChooser): EncodedPage {
  const valueCount = values.kind === 'fixed' ? values.values.length : values.entries.count;
  const { rowCount, validity, type } = values;
  const facts = { kind: 'dictionary', type, columnNumber, rowCount, valueCount } as const;
  if (valueCount === 0) return encodeNullPage(facts);
  const nodes: SizedNode[] = [];
  if (values.kind === 'fixed') nodes.push(chooser.entryNode(sourceOfItems(values, 0, valueCount), type.itemBytes));
  else
    for (const node of sizeStringPage(
      repeated(values),
      { start: 0, rowCount, firstValue: 0, valueCount, validity },
      chooser,
    ).choice.contenders)
      nodes.push(node);
  const choice = chooser.entries(nodes);
  return encodePage(facts, choice, encodeBody(choice.node, validity, chooser));
}

/** Entries that repeat, as distinct ones and codes: a dictionary in the dictionary page. */
function repeated(values: Strings): Strings {
  const { entries } = values;
  const codes = new Uint32Array(entries.count);
  const kernels = writeKernels(codes.length);
  if (kernels !== null) {
    const found = foundAtMost(codes.length, (room) =>
      kernels.codeTexts(entries.bytes, entries.start, entries.ends, null, codes, room),
    ) as Uint32Array;
    return { ...values, entries: pickStrings(entries, found), codes };
  }
  const indexes = new Map<string, number>();
  const firsts: number[] = [];
  for (let i = 0; i < codes.length; i++) {
    const key = latin1(stringAt(entries, i));
    let index = indexes.get(key);
    if (index === undefined) {
      index = firsts.length;
      indexes.set(key, index);
      firsts.push(i);
    }
    codes[i] = index;
  }
  return { ...values, entries: pickStrings(entries, Uint32Array.from(firsts)), codes };
}

function codePages(
  joint: JointCodes,
  values: ColumnValues,
  { candidates: alone, rowCount }: FirstLook,
  pageRows: number,
  chooser: EncodingChooser,
): EncodedPage[] {
  const pages: EncodedPage[] = [];
  for (let start = 0; start < joint.codes.length; start += pageRows) {
    const codes = joint.codes.subarray(start, start + pageRows);
    chooser.startPage('codes');
    const node = sizeCodesPage(dictionary.sizeCodes(narrowSource(codes), chooser), codes.length);
    const facts = {
      kind: 'data',
      type: values.type,
      columnNumber: joint.columns[0] as number,
      rowCount: codes.length,
      valueCount: codes.length,
    } as const;
    const candidates = [
      { encoding: `JOINT ${node.label}`, bytes: node.byteLength, estimated: false },
      ...alone.map(({ encoding, bytes }) => ({
        encoding,
        bytes: Math.ceil((bytes * codes.length) / rowCount),
        estimated: true,
      })),
    ];
    pages.push(encodePage(facts, { node, contenders: [node], candidates }, encodeBody(node, null, chooser)));
  }
  return pages;
}
