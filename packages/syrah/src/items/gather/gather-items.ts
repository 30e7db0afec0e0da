// One key of many items, stacked: equal-length arrays of the file -> one buffer, every length checked before a byte is
// copied.
import { ArgumentError, alignUp, allocateOutputs } from '@colkit/io';
import type { CopyRangesRequest } from '@colkit/io';
import { ReadRanges } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { StoredArray } from '../../layout/array-index.ts';
import { elementBytesOf, isText } from '../../layout/dtype.ts';
import type { StoredDType, SyrahArray, SyrahDType } from '../../layout/dtype.ts';
import { arrayOver, outputBytes } from '../array-values.ts';
import { arraysOverlap } from '../item-errors.ts';
import { storedArray } from '../read-items.ts';
import type { Readable } from '../read-items.ts';
import { asNumbers, wantsNumbers } from '../safe-numbers.ts';
import type { Int64Form } from '../safe-numbers.ts';

export { fingerprint } from '../fingerprint.ts';
export { itemCopier } from '../item-copier.ts';

const LARGEST_ALIGNMENT = 8;

/** Equal-length arrays as one: row-major, the items first. */
export interface Tensor<A = SyrahArray> {
  readonly data: A;
  /** Its own: libraries (TensorFlow.js) take no readonly array. */
  readonly shape: number[];
}

/**
 * `items` are in range; `dtypeOfNone` is the dtype of a stack of no items.
 * @throws UnknownColumnError; ArgumentError ERR_VALUE where dtypes or lengths differ, naming item, key and file;
 * ERR_OUT_BUFFER.
 */
export function* gatherOne(
  file: Readable,
  items: readonly number[],
  key: string,
  dtypeOfNone: StoredDType,
  options: { out?: SyrahArray; transferable?: boolean; int64?: Int64Form },
): Work<Tensor> {
  const { index } = file;
  const { out, transferable = false } = options;
  const numbers = wantsNumbers(options.int64);
  if (numbers && out !== undefined)
    throw new ArgumentError('ERR_ARGUMENT', 'int64', "'bigint', or no out", "'number' with out");
  for (const item of items) if (!index.isReady(item, key)) yield* index.prepare(item, key);
  const first = items.length === 0 ? null : storedArray(file, items[0] ?? 0, key);
  const dtype = numeric(first?.dtype ?? dtypeOfNone, file.path, key);
  const each = first?.byteLength ?? 0;
  const table = new RangeTable(items.length);
  if (first !== null) table.addStack(file, items, key, first, 0);
  const byteLength = each * items.length;
  checkBytes(file, byteLength, items, () => each);
  const bytes =
    out === undefined
      ? (allocateOutputs([byteLength], { transferable })[0] ?? new Uint8Array(byteLength))
      : outputBytes(out, dtype, byteLength);
  if (each > 0) yield new ReadRanges(file.source, table.request(bytes));
  const data = out ?? arrayOver(dtype, bytes.buffer, bytes.byteOffset, byteLength);
  return {
    data: numbers ? asNumbers(data, null, key) : data,
    shape: [items.length, each / elementBytesOf(dtype)],
  };
}

/**
 * Several keys of the same items, in one request: their stacks share one allocation. Errors as of gatherOne.
 * @throws UnknownColumnError; ArgumentError ERR_VALUE, ERR_ARGUMENT for a key of text.
 */
export function* gatherMany(
  file: Readable,
  items: readonly number[],
  keys: readonly { name: string; dtypeOfNone: StoredDType }[],
  transferable: boolean,
): Work<Tensor[]> {
  const { index } = file;
  for (const { name } of keys)
    for (const item of items) if (!index.isReady(item, name)) yield* index.prepare(item, name);
  let byteLength = 0;
  const stacks = keys.map(({ name, dtypeOfNone }) => {
    const first = items.length === 0 ? null : storedArray(file, items[0] ?? 0, name);
    const dtype = numeric(first?.dtype ?? dtypeOfNone, file.path, name);
    const each = first?.byteLength ?? 0;
    const start = alignUp(byteLength, LARGEST_ALIGNMENT);
    byteLength = start + each * items.length;
    return { name, first, dtype, each, start };
  });
  checkBytes(file, byteLength, items, () =>
    [...new Map(stacks.map(({ name, each }) => [name, each])).values()].reduce((sum, each) => sum + each, 0),
  );
  const table = new RangeTable(keys.length * items.length);
  for (const { name, first, start } of stacks) if (first !== null) table.addStack(file, items, name, first, start);
  const bytes = allocateOutputs([byteLength], { transferable })[0] ?? new Uint8Array(byteLength);
  if (byteLength > 0) yield new ReadRanges(file.source, table.request(bytes));
  return stacks.map(({ dtype, each, start }) => ({
    data: arrayOver(dtype, bytes.buffer, bytes.byteOffset + start, each * items.length),
    shape: [items.length, each / elementBytesOf(dtype)],
  }));
}

/**
 * Ranges of the file and where they go: one allocation for their three numbers, because a typed array of its own costs
 * more than the copy of a small item.
 */
class RangeTable {
  readonly #numbers: Float64Array;
  readonly #capacity: number;
  #count = 0;

  constructor(capacity: number) {
    this.#numbers = new Float64Array(3 * capacity);
    this.#capacity = capacity;
  }

  /**
   * The arrays of one key, back to back from `outStart` on; those that follow one another in the file are one range.
   * Every item's dtype and length is checked here.
   */
  addStack(file: Readable, items: readonly number[], key: string, first: StoredArray, outStart: number): void {
    const { path, index } = file;
    const numbers = this.#numbers;
    const [lengthsAt, outOffsetsAt] = [this.#capacity, 2 * this.#capacity];
    const each = first.byteLength;
    let count = this.#count;
    let end = -1;
    for (let k = 0; k < items.length; k += 1) {
      const array = index.arrayOf(items[k] ?? 0, key) ?? storedArray(file, items[k] ?? 0, key);
      if (array.byteLength !== each || array.dtype !== first.dtype) throw unequal(path, items, key, first, array, k);
      if (array.byteOffset !== end) {
        numbers[count] = array.byteOffset;
        numbers[outOffsetsAt + count] = outStart + k * each;
        count += 1;
      }
      end = array.byteOffset + each;
      numbers[lengthsAt + count - 1] = (numbers[lengthsAt + count - 1] ?? 0) + each;
    }
    this.#count = count;
  }

  request(out: Uint8Array): CopyRangesRequest {
    const part = (start: number): Float64Array => this.#numbers.subarray(start, start + this.#count);
    return { offsets: part(0), lengths: part(this.#capacity), outOffsets: part(2 * this.#capacity), out };
  }
}

/**
 * @param eachItem bytes of its different keys.
 * @throws CorruptFileError ERR_METADATA for arrays that share bytes, before there is memory for each.
 */
function checkBytes(file: Readable, byteLength: number, items: readonly number[], eachItem: () => number): void {
  if (byteLength <= file.dataBytes) return;
  // Items that were asked for twice are copied twice.
  const ofDifferent = eachItem() * new Set(items).size;
  if (ofDifferent > file.dataBytes) throw arraysOverlap(file, 'the items', ofDifferent);
}

function numeric(dtype: StoredDType, path: string, key: string): Exclude<SyrahDType, 'str'> {
  if (isText(dtype))
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'key',
      `a key of numbers in ${path}`,
      `${JSON.stringify(key)}, which is text`,
    );
  return dtype;
}

function unequal(
  path: string,
  items: readonly number[],
  key: string,
  first: StoredArray,
  array: StoredArray,
  k: number,
): ArgumentError {
  const describe = ({ dtype, byteLength }: StoredArray): string => `${String(byteLength)} bytes of ${dtype}`;
  const where = `key ${JSON.stringify(key)} of item ${String(items[k])} of ${path}`;
  return new ArgumentError(
    'ERR_VALUE',
    where,
    `${describe(first)} as in item ${String(items[0])} (only arrays of one length stack; others need collate ` +
      `'pad' or 'list')`,
    describe(array),
  );
}
