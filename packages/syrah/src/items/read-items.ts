// Reading items and arrays: an item's number -> what to fetch -> its values, copied into one allocation.
import { ArgumentError, CannotViewError } from '@colkit/io';
import type { PhaseWindows, RandomAccessSource } from '@colkit/io';
import { ReadRange } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { ArrayIndex, StoredArray } from '../layout/array-index.ts';
import { elementBytesOf, isFloat128, isText } from '../layout/dtype.ts';
import type { StoredDType, SyrahArray, SyrahDType, SyrahValue } from '../layout/dtype.ts';
import { arrayOver, checkOverride, decodeText, outputBytes } from './array-values.ts';
import { planItemCopy, readOf } from './copy-plan.ts';
import type { CopyPlan } from './copy-plan.ts';
import { arraysOverlap, badText, unknownKey } from './item-errors.ts';
import { checkKeyList } from './list-arguments.ts';
import { readFloat128 } from './gather/float128.ts';
import { asNumbers, wantsNumbers } from './safe-numbers.ts';
import type { Int64Form } from './safe-numbers.ts';

/** What reading needs of an open file. */
export interface Readable {
  readonly source: RandomAccessSource;
  readonly path: string;
  readonly index: ArrayIndex;
  /** Of all arrays together. */
  readonly dataBytes: number;
}

/**
 * The arrays of an item as [key, value], all of them or those of `keys`. `item` is in range.
 * @throws UnknownColumnError.
 */
export function* readEntries(
  file: Readable,
  item: number,
  options: { keys?: readonly string[]; transferable?: boolean; int64?: Int64Form },
): Work<[string, SyrahValue][]> {
  if (!file.index.isReady(item, null)) yield* file.index.prepare(item, null);
  const reading = new ItemReading(file, item, options);
  if (reading.read !== null) yield reading.read;
  return reading.entries();
}

/** One item on its way: what is to be read, and its values once that was done. What it needs of the index is ready. */
export class ItemReading {
  /** Null where there is nothing to read. */
  readonly read: Operation<void> | null;
  readonly #file: Readable;
  readonly #item: number;
  readonly #names: readonly string[];
  readonly #arrays: readonly StoredArray[];
  readonly #plan: CopyPlan;
  readonly #wantsNumbers: boolean;

  constructor(
    file: Readable,
    item: number,
    { keys, transferable = false, int64 }: { keys?: readonly string[]; transferable?: boolean; int64?: Int64Form },
  ) {
    this.#wantsNumbers = wantsNumbers(int64);
    this.#file = file;
    this.#item = item;
    this.#names = keys ?? file.index.keysOf(item);
    if (keys !== undefined) checkKeyList(keys);
    this.#arrays = keys === undefined ? file.index.arraysOf(item) : keys.map((key) => storedArray(file, item, key));
    this.#checkBytes(keys);
    this.#plan = planItemCopy(file.source, this.#arrays, transferable);
    this.read = readOf(file.source, this.#plan);
  }

  /** In the order of the keys. */
  entries(): [string, SyrahValue][] {
    return this.#arrays.map((_, k) => [this.#names[k] ?? '', this.#value(k)]);
  }

  /** By key, put into `record`. */
  record(record: Record<string, SyrahValue>): Record<string, SyrahValue> {
    for (let k = 0; k < this.#arrays.length; k += 1) record[this.#names[k] ?? ''] = this.#value(k);
    return record;
  }

  /** @throws CorruptFileError ERR_METADATA for arrays that share bytes, before there is memory for each. */
  #checkBytes(keys: readonly string[] | undefined): void {
    let byteLength = 0;
    for (const array of this.#arrays) byteLength += array.byteLength;
    if (byteLength <= this.#file.dataBytes) return;
    // A key that was asked for twice is copied twice.
    if (keys !== undefined) {
      byteLength = 0;
      for (const stored of new Map(keys.map((key, k) => [key, this.#arrays[k] as StoredArray])).values())
        byteLength += stored.byteLength;
    }
    if (byteLength > this.#file.dataBytes) throw arraysOverlap(this.#file, `item ${String(this.#item)}`, byteLength);
  }

  #value(k: number): SyrahValue {
    const array = this.#arrays[k] as StoredArray;
    const name = this.#names[k] ?? '';
    const value = valueOf(this.#file, this.#item, name, array, this.#plan.buffer, this.#plan.starts[k] ?? 0);
    return this.#wantsNumbers ? asNumbers(value, this.#item, name) : value;
  }
}

/** One array of an item. @throws UnknownColumnError; ArgumentError ERR_OUT_BUFFER, ERR_VALUE. */
export function* readArray(
  file: Readable,
  item: number,
  key: string,
  options: { dtype?: SyrahDType; out?: SyrahArray; int64?: Int64Form },
): Work<SyrahValue> {
  const numbers = wantsNumbers(options.int64);
  if (numbers && options.out !== undefined)
    throw new ArgumentError('ERR_ARGUMENT', 'int64', "'bigint', or no out", "'number' with out");
  if (!file.index.isReady(item, key)) yield* file.index.prepare(item, key);
  const stored = storedArray(file, item, key);
  const { byteOffset, byteLength } = stored;
  const wanted = options.dtype ?? stored.dtype;
  if (options.dtype !== undefined)
    checkOverride(
      stored.dtype,
      options.dtype,
      byteLength,
      `key ${JSON.stringify(key)} of item ${String(item)} of ${file.path}`,
    );
  if (isFloat128(stored.dtype) && wanted === 'float64') return yield* readFloat128(file.source, stored, options.out);
  if (options.out !== undefined) {
    if (isText(wanted))
      throw new ArgumentError('ERR_OUT_BUFFER', 'out', `none, because key ${JSON.stringify(key)} is text`, 'an array');
    const out = outputBytes(options.out, wanted, byteLength);
    if (byteLength > 0) yield new ReadRange(file.source, byteOffset, out);
    return options.out;
  }
  const array = { dtype: wanted, byteOffset, byteLength };
  const plan = planItemCopy(file.source, [array], false);
  const read = readOf(file.source, plan);
  if (read !== null) yield read;
  const value = valueOf(file, item, key, array, plan.buffer, plan.starts[0] ?? 0);
  return numbers ? asNumbers(value, item, key) : value;
}

export function storedArray(file: Readable, item: number, key: string): StoredArray {
  const array = file.index.arrayOf(item, key);
  if (array === null) throw unknownKey(file.path, item, key, file.index.keysOf(item));
  return array;
}

/**
 * A stored array without a copy.
 * @throws CannotViewError ERR_NOT_VIEWABLE for text, ERR_NOT_MAPPED, ERR_VIEW_TOO_LARGE.
 */
export function viewOf(
  windows: PhaseWindows,
  { dtype, byteOffset, byteLength }: StoredArray,
  item: number,
  key: string,
): SyrahArray {
  return viewAt(windows, dtype, byteOffset, byteLength, item, key);
}

/** The same without an object for the stored array. */
export function viewAt(
  windows: PhaseWindows,
  dtype: StoredDType,
  byteOffset: number,
  byteLength: number,
  item: number,
  key: string,
): SyrahArray {
  if (isText(dtype))
    throw new CannotViewError(
      'ERR_NOT_VIEWABLE',
      `key ${JSON.stringify(key)} of item ${String(item)} is text, which is decoded`,
      'read it with getArray',
    );
  if (byteLength === 0) return arrayOver(dtype, new ArrayBuffer(0), 0, 0);
  const { bytes, start } = windows.at(byteOffset, byteLength, elementBytesOf(dtype));
  return arrayOver(dtype, bytes.buffer, byteOffset - start, byteLength);
}

function valueOf(
  file: Readable,
  item: number,
  key: string,
  { dtype, byteOffset, byteLength }: StoredArray,
  buffer: ArrayBufferLike,
  start: number,
): SyrahValue {
  if (!isText(dtype)) return arrayOver(dtype, buffer, start, byteLength);
  const text = decodeText(dtype, new Uint8Array(buffer, start, byteLength));
  if (text === null) throw badText(file.path, item, key, byteOffset);
  return text;
}
