// One leaf over one column of a batch -> the rows that match it: chooses the kernel by how the column's values come.
// Null rows are taken out at the end.
import { ArgumentError, dtypeFacts, isBinary, isFixedText } from '@colkit/io';
import type { FixedArray } from '@colkit/io';
import { arrayOf, valuesOf } from '../../chunk/chunk.ts';
import type { Chunk, DictionaryChunk } from '../../chunk/chunk.ts';
import { decodeFixedStringsUnchecked } from '../../values/fixed-strings.ts';
import type { ColumnLeaf, ColumnRef } from '../bound-predicate.ts';
import { ItemList } from '../kernels/item-list.ts';
import { ItemPattern } from '../kernels/item-pattern.ts';
import { itemTest, rangeMatcher, selectItems } from '../kernels/items.ts';
import type { ItemMatcher } from '../kernels/items.ts';
import type { NarrowArray } from '../kernels/narrow-array.ts';
import { selectAtLeast, selectAtMost } from '../kernels/narrow-bound.ts';
import { selectInRange } from '../kernels/narrow-range.ts';
import { selectRowsInRange } from '../kernels/narrow-rows.ts';
import { copyRows, selectByCode, selectByValidity } from '../kernels/row-sets.ts';
import { selectEqualTexts, selectTexts, textTest } from '../kernels/text.ts';
import type { TextLeaf } from '../kernels/text.ts';
import { listOf, selectInList } from '../kernels/value-list.ts';
import { selectInWideRange, selectRowsInWideRange, wideRange, wordsOf } from '../kernels/wide-range.ts';
import { bigintRange, numberRange } from './leaf-range.ts';
import { compareBytes } from '../bind/literal-order.ts';

/** Rows of a batch: the first `count` of `rows`, or rows [0, count) where that is null. */
export interface RowSet {
  readonly rows: Int32Array | null;
  readonly count: number;
}

/** Which distinct texts of a dictionary satisfy a leaf, kept for the batches that share it. */
export type DictionaryMarks = WeakMap<readonly string[], Map<ColumnLeaf, Uint8Array>>;

type ValueLeaf = Exclude<ColumnLeaf, { kind: 'isNull' }>;
type NumberLeaf = Extract<ColumnLeaf, { kind: 'compare' | 'between' | 'in' }>;

/** A dictionary of more than so many texts for each row is not looked through as a whole. */
const TEXTS_PER_ROW = 4;

/**
 * The rows of `from` that match, into `out` from 0 on; how many. `out` has room for all of them and may be `from.rows`.
 * @param negated the rows that are not null (unless the leaf is `isNull`) and do not match.
 */
export function selectLeaf(
  leaf: ColumnLeaf,
  negated: boolean,
  column: Chunk,
  from: RowSet,
  out: Int32Array,
  marks: DictionaryMarks,
): number {
  if (leaf.kind === 'isNull') return selectNulls(column, negated, from, out);
  const used = selectValues(leaf, negated ? 1 : 0, column, from, out, marks);
  return column.validity === null ? used : selectByValidity(column.validity, 1, out, used, out);
}

function selectNulls(column: Chunk, negated: boolean, { rows, count }: RowSet, out: Int32Array): number {
  if (column.kind === 'dictionary') return selectNullCodes(column, negated, { rows, count }, out);
  if (column.validity === null) return negated ? copyRows(rows, count, out) : 0;
  return selectByValidity(column.validity, negated ? 1 : 0, rows, count, out);
}

function selectNullCodes(
  { codes, dictionary, validity }: DictionaryChunk,
  negated: boolean,
  { rows, count }: RowSet,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === null ? index : (rows[index] as number);
    const code = codes[row] as number;
    const valid =
      code >= 0 &&
      code < dictionary.length &&
      (validity === null || (((validity[row >>> 3] as number) >>> (row & 7)) & 1) === 1);
    out[used] = row;
    used += Number(valid === negated);
  }
  return used;
}

function selectValues(
  leaf: ValueLeaf,
  flip: 0 | 1,
  column: Chunk,
  from: RowSet,
  out: Int32Array,
  marks: DictionaryMarks,
): number {
  const { info } = leaf.column;
  switch (column.kind) {
    case 'fixed': {
      const { bytes } = column;
      if (dtypeFacts(info).hasArray) return selectNumbers(leaf, flip, arrayOf(info, bytes), from, out);
      if (!isFixedText(info)) throw mismatch(leaf.column, 'packed items');
      const items = { bytes, length: info.length, unitBytes: dtypeFacts(info).unitBytes === 1 ? 1 : 4 } as const;
      const matcher = matcherOf(leaf);
      if (matcher === null)
        return selectTexts(decodeRows(leaf.column, bytes, from), textTest(leaf), flip, from.rows, from.count, out);
      return selectItems(items, matcher, flip, from.rows, from.count, out);
    }
    case 'dictionary':
      return selectCodes(leaf, flip, column, from, out, marks);
    case 'values':
    case 'utf8':
      return isBinary(info)
        ? selectBinary(leaf, flip, valuesOf(column) as readonly Uint8Array[], from, out)
        : selectStrings(leaf, flip, valuesOf(column) as readonly string[], from, out);
  }
}

/** Made once for a leaf, and not for each batch. */
const MATCHERS = new WeakMap<TextLeaf, ItemMatcher | null>();

/** Null where the items must be decoded. */
function matcherOf(leaf: TextLeaf): ItemMatcher | null {
  let matcher = MATCHERS.get(leaf);
  if (matcher === undefined) MATCHERS.set(leaf, (matcher = newMatcher(leaf)));
  return matcher;
}

function newMatcher(leaf: TextLeaf): ItemMatcher | null {
  if (leaf.kind === 'in') return new ItemList(leaf.values.map(String));
  if (leaf.kind === 'like') return new ItemPattern(leaf.pattern);
  const test = itemTest(leaf);
  return test === null ? null : rangeMatcher(test);
}

function selectStrings(
  leaf: TextLeaf,
  flip: 0 | 1,
  values: readonly string[],
  { rows, count }: RowSet,
  out: Int32Array,
): number {
  if (leaf.kind === 'compare' && leaf.op === 'eq')
    return selectEqualTexts(values, String(leaf.value), flip, rows, count, out);
  return selectTexts(values, textTest(leaf), flip, rows, count, out);
}

/** The strings of the rows that are looked at; the others stay holes. */
export function decodeRows({ info }: ColumnRef, bytes: Uint8Array, { rows, count }: RowSet): readonly string[] {
  if (!isFixedText(info)) return [];
  const texts: string[] = new Array<string>(bytes.length / info.itemBytes);
  if (rows === null) {
    decodeFixedStringsUnchecked(bytes, info, 0, count, texts);
    return texts;
  }
  const one = [''];
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    decodeFixedStringsUnchecked(bytes.subarray(row * info.itemBytes, (row + 1) * info.itemBytes), info, 0, 1, one);
    texts[row] = one[0] ?? '';
  }
  return texts;
}

function selectCodes(
  leaf: TextLeaf,
  flip: 0 | 1,
  column: DictionaryChunk,
  from: RowSet,
  out: Int32Array,
  known: DictionaryMarks,
): number {
  const { codes, dictionary } = column;
  const wanted = flip === 1 ? 0 : 1;
  const byLeaf = known.get(dictionary) ?? new Map<ColumnLeaf, Uint8Array>();
  let marks = byLeaf.get(leaf);
  if (marks === undefined && dictionary.length > TEXTS_PER_ROW * from.count)
    return selectCodeTexts(codes, dictionary, textTest(leaf), wanted, from, out);
  if (marks === undefined) {
    const test = textTest(leaf);
    marks = Uint8Array.from(dictionary, (text) => Number(test(text)));
    byLeaf.set(leaf, marks);
    known.set(dictionary, byLeaf);
  }
  return selectByCode(codes, marks, wanted, from.rows, from.count, out);
}

function selectCodeTexts(
  codes: Int32Array,
  dictionary: readonly string[],
  test: (text: string) => boolean,
  wanted: 0 | 1,
  { rows, count }: RowSet,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === null ? index : (rows[index] as number);
    const text = dictionary[codes[row] as number];
    out[used] = row;
    used += Number(text !== undefined && Number(test(text)) === wanted);
  }
  return used;
}

function selectBinary(
  leaf: ValueLeaf,
  flip: 0 | 1,
  values: readonly Uint8Array[],
  { rows, count }: RowSet,
  out: Int32Array,
): number {
  const wanted = (leaf.kind === 'in' ? leaf.values : leaf.kind === 'compare' ? [leaf.value] : []).filter(
    (value) => value instanceof Uint8Array,
  );
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === null ? index : (rows[index] as number);
    const bytes = values[row];
    out[used] = row;
    used +=
      Number(
        bytes !== undefined &&
          wanted.some((value) => value.length === bytes.length && compareBytes(value, bytes) === 0),
      ) ^ flip;
  }
  return used;
}

function selectNumbers(leaf: ValueLeaf, flip: 0 | 1, values: FixedArray, from: RowSet, out: Int32Array): number {
  if (leaf.kind === 'startsWith' || leaf.kind === 'like') throw mismatch(leaf.column, 'a typed array');
  if (leaf.kind === 'in' && typeof leaf.values[0] !== 'boolean')
    return selectInList(listOf(leaf), values, flip, from.rows, from.count, out);
  return selectRange(leaf, flip, values, from, out);
}

function selectRange(
  leaf: NumberLeaf,
  flip: 0 | 1,
  values: FixedArray,
  { rows, count }: RowSet,
  out: Int32Array,
): number {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
    const [low, high] = bigintRange(leaf);
    const range = wideRange(low, high, values instanceof BigUint64Array);
    if (range === null) return flip === 0 ? 0 : copyRows(rows, count, out);
    const words = wordsOf(values);
    return rows === null
      ? selectInWideRange(words, count, range, flip, out)
      : selectRowsInWideRange(words, rows, count, range, flip, out);
  }
  const [low, high] = numberRange(leaf);
  const narrow = narrowArray(values);
  if (rows !== null) return selectRowsInRange(narrow, rows, count, low, high, flip, out);
  if (high === Infinity) return selectAtLeast(narrow, count, low, flip, out);
  if (low === -Infinity) return selectAtMost(narrow, count, high, flip, out);
  return selectInRange(narrow, count, low, high, flip, out);
}

/** Items are not halves: `arrayOf` gives those as floats. */
export function narrowArray(items: Exclude<FixedArray, BigInt64Array | BigUint64Array>): NarrowArray {
  return items as NarrowArray;
}

function mismatch(column: ColumnRef, found: string): ArgumentError {
  return new ArgumentError(
    'ERR_ARGUMENT',
    'batch',
    `values of ${column.info.name} for column ${JSON.stringify(column.name)}`,
    found,
  );
}
