// The values of one page -> the encodings that store them, sized, and their statistics: one way for each family of
// types.
import type { Statistics } from '../../layout/statistics.ts';
import * as dictionary from '../../columns/encodings/dictionary/index.ts';
import type { SizedNode } from '../../columns/node.ts';
import type { Source } from '../../columns/chooser.ts';
import { giveBack, lentWords } from '../../columns/kernels/lent-words.ts';
import { writeKernels } from '../../columns/kernels/write-kernels.ts';
import { giveBackSource, narrowSource, sourceOfNumbers, sourceOfWords } from '../../columns/source.ts';
import type { NumberArray } from '../../columns/source.ts';
import type { ByteStrings } from '../../columns/vector.ts';
import type { Choice, EncodingChooser } from './choose-encoding.ts';
import { floatStatistics, integerStatistics, nullStatistics, stringStatistics } from './collect-statistics.ts';
import { sizePlain, sizeTexts } from './text-pages.ts';
import { sliceStrings } from '../../columns/byte-strings.ts';
import type { ColumnValues, FixedColumn, PageSlice, StringColumn } from '../values/column-values.ts';

export interface SizedPage {
  readonly choice: Choice;
  readonly statistics: Statistics;
  /** The codes of the column's own entries as a node, where it was sized: what a chunk's dictionary would need. */
  readonly codeNode: SizedNode | null;
  /** Gives back what the values were sized in: the page is written. */
  readonly release?: () => void;
}

/** Values [start, end) of a fixed-width column as integers: numbers, or bit patterns of floats and of 64-bit types. */
export function sourceOfItems(column: FixedColumn, start: number, end: number): Source {
  const { values, type } = column;
  const items = values.subarray(start, end);
  if (type.itemBytes === 8)
    return sourceOfWords(new Uint32Array(items.buffer, items.byteOffset, 2 * items.length), type.signed);
  if (type.domain === 'float32') return narrowSource(new Uint32Array(items.buffer, items.byteOffset, items.length));
  return sourceOfNumbers(items as NumberArray) ?? narrowSource(new Uint32Array(0));
}

export function sizeFixedPage(column: FixedColumn, slice: PageSlice, chooser: EncodingChooser): SizedPage {
  const { type, values } = column;
  const [start, end] = [slice.firstValue, slice.firstValue + slice.valueCount];
  const nullCount = slice.rowCount - slice.valueCount;
  const source = sourceOfItems(column, start, end);
  const items = values.subarray(start, end);
  const release = (): void => giveBackSource(source, values);
  if (items instanceof Float32Array || items instanceof Float64Array) {
    return {
      choice: chooser.floatPage(items, source),
      statistics: floatStatistics(items, nullCount),
      codeNode: null,
      release,
    };
  }
  const bitmap = type.isBool ? bitmapOf(items as Uint8Array) : null;
  return {
    choice: chooser.integerPage(source, type.itemBytes, bitmap),
    statistics: integerStatistics(type, source, nullCount),
    codeNode: null,
    release,
  };
}

/** The statistics of a page that is not sized; of texts with codes. */
export function pageStatistics(column: ColumnValues, slice: PageSlice): Statistics {
  const { rowCount, firstValue, valueCount } = slice;
  const nullCount = rowCount - valueCount;
  if (valueCount === 0) return nullStatistics(rowCount);
  if (column.kind === 'strings') {
    const { entries, codes, type } = column;
    if (codes === null) throw new Error('texts without codes have no statistics of their own');
    const used = usedCodes(codes.subarray(firstValue, firstValue + valueCount), entries).used;
    return stringStatistics(type, entries, used, nullCount);
  }
  const items = column.values.subarray(firstValue, firstValue + valueCount);
  if (items instanceof Float32Array || items instanceof Float64Array) return floatStatistics(items, nullCount);
  const source = sourceOfItems(column, firstValue, firstValue + valueCount);
  const statistics = integerStatistics(column.type, source, nullCount);
  giveBackSource(source, column.values);
  return statistics;
}

function bitmapOf(items: Uint8Array): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(items.length / 8));
  for (let i = 0; i < items.length; i++)
    bitmap[i >>> 3] = (bitmap[i >>> 3] as number) | (((items[i] as number) & 1) << (i & 7));
  return bitmap;
}

/** Byte strings: all of them, or distinct ones and codes inside the page. */
export function sizeStringPage(column: StringColumn, slice: PageSlice, chooser: EncodingChooser): SizedPage {
  const { entries } = column;
  const nullCount = slice.rowCount - slice.valueCount;
  const codes =
    column.codes === null ? null : column.codes.subarray(slice.firstValue, slice.firstValue + slice.valueCount);
  if (codes === null) {
    const values = sliceStrings(entries, slice.firstValue, slice.firstValue + slice.valueCount);
    const { choice, distinct } = sizeTexts(values, chooser);
    return { choice, statistics: stringStatistics(column.type, distinct, null, nullCount), codeNode: null };
  }
  const { used, dataBytes } = usedCodes(codes, entries);
  const statistics = stringStatistics(column.type, entries, used, nullCount);
  if (chooser.plainOnly)
    return { choice: chooser.choose([sizePlain(entries, codes, chooser)], []), statistics, codeNode: null };
  const own = compactCodes(codes, used, entries.count);
  const codeNode = dictionary.sizeCodes(narrowSource(own), chooser);
  const inline = dictionary.size(sizePlain(entries, used, chooser), used.length, codeNode, codes.length);
  // Where the strings end takes a pass over all codes to find out.
  const choice = chooser.isOutdone(dataBytes, inline)
    ? chooser.choose([inline], [{ encoding: 'PLAIN', bytes: dataBytes, estimated: true }])
    : chooser.choose([inline, sizePlain(entries, codes, chooser)], []);
  if (own === codes) return { choice, statistics, codeNode };
  return { choice, statistics, codeNode: null, release: () => giveBack(own) };
}

/** The codes that occur, ascending, and the bytes of all strings together. */
function usedCodes(codes: Uint32Array, { count, start, ends }: ByteStrings): { used: Uint32Array; dataBytes: number } {
  const times = new Uint32Array(count);
  const kernels = writeKernels(codes.length);
  if (kernels !== null) kernels.countBuckets(codes, 0, times);
  else for (let i = 0; i < codes.length; i++) times[codes[i] as number] = (times[codes[i] as number] as number) + 1;
  const used = new Uint32Array(Math.min(count, codes.length));
  let [usedCount, dataBytes] = [0, 0];
  for (let code = 0, from = start; code < count; code++) {
    const end = ends[code] as number;
    if (times[code] !== 0) used[usedCount++] = code;
    dataBytes += (times[code] as number) * (end - from);
    from = end;
  }
  return { used: used.subarray(0, usedCount), dataBytes };
}

/** The codes as indexes among those that occur, in lent memory; the same memory where all do. */
function compactCodes(codes: Uint32Array, used: Uint32Array, entryCount: number): Uint32Array {
  if (used.length === entryCount) return codes;
  const indexes = new Uint32Array(entryCount);
  for (let index = 0; index < used.length; index++) indexes[used[index] as number] = index;
  const own = lentWords(codes.length);
  const kernels = writeKernels(codes.length);
  if (kernels !== null) kernels.mapCodes(codes, indexes, own);
  else for (let i = 0; i < codes.length; i++) own[i] = indexes[codes[i] as number] as number;
  return own;
}
