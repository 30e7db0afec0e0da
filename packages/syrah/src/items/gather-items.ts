// One key of many items, stacked: equal-length arrays of the file -> one buffer, every length checked before a byte is copied.
import { ArgumentError, allocateOutputs } from '@colkit/io';
import type { ArrayPlace } from '../layout/array-index.ts';
import { isText, itemBytesOf } from '../layout/dtype.ts';
import type { StoredDType, SyrahArray, SyrahDType } from '../layout/dtype.ts';
import type { ReadRange, Steps } from '../layout/steps.ts';
import { arrayOver, outputBytes } from './array-values.ts';
import { placeOf } from './read-steps.ts';
import type { Readable } from './read-steps.ts';

/** Equal-length arrays as one: row-major, the items first. */
export interface Tensor<A = SyrahArray> {
  readonly data: A;
  readonly shape: readonly number[];
}

/**
 * `items` are in range; `dtypeOfNone` is the dtype of a stack of no items.
 * @throws UnknownColumnError; ArgumentError ERR_VALUE where dtypes or lengths differ, naming item, key and file; ERR_OUT_BUFFER.
 */
export function* gatherSteps(
  file: Readable, items: readonly number[], key: string, dtypeOfNone: StoredDType, options: { out?: SyrahArray; transferable?: boolean },
): Steps<Tensor> {
  const { index } = file;
  const { out, transferable = false } = options;
  for (const item of items) if (!index.isReady(item, key)) yield* index.prepare(item, key);
  const places = items.map((item) => placeOf(file, item, key));
  for (const [k, place] of places.entries()) checkSame(file.path, items, key, places[0] ?? place, place, k);
  const dtype = numeric(places[0]?.dtype ?? dtypeOfNone, file.path, key);
  const each = places[0]?.byteLength ?? 0;
  const byteLength = each * places.length;
  const bytes = out === undefined ? (allocateOutputs([byteLength], { transferable })[0] ?? new Uint8Array(byteLength)) : outputBytes(out, dtype, byteLength);
  if (each > 0) yield stackRanges(places, bytes);
  return { data: out ?? arrayOver(dtype, bytes.buffer, bytes.byteOffset, byteLength), shape: [places.length, each / (dtype === 'float128' ? 1 : itemBytesOf(dtype))] };
}

/** Arrays that follow one another in the file are one range. */
function stackRanges(places: readonly ArrayPlace[], bytes: Uint8Array): ReadRange[] {
  const ranges: ReadRange[] = [];
  const each = bytes.length / places.length;
  for (let first = 0, k = 1; k <= places.length; k += 1) {
    const { byteOffset } = places[first] ?? { byteOffset: 0 };
    if (k < places.length && places[k]?.byteOffset === byteOffset + (k - first) * each) continue;
    ranges.push({ byteOffset, out: bytes.subarray(first * each, k * each) });
    first = k;
  }
  return ranges;
}

function numeric(dtype: StoredDType, path: string, key: string): Exclude<SyrahDType, 'str'> {
  if (isText(dtype)) throw new ArgumentError('ERR_ARGUMENT', 'key', `a key of numbers in ${path}`, `${JSON.stringify(key)}, which is text`);
  return dtype;
}

function checkSame(path: string, items: readonly number[], key: string, first: ArrayPlace, place: ArrayPlace, k: number): void {
  if (place.byteLength === first.byteLength && place.dtype === first.dtype) return;
  const describe = ({ dtype, byteLength }: ArrayPlace): string => `${String(byteLength)} bytes of ${dtype}`;
  const where = `key ${JSON.stringify(key)} of item ${String(items[k])} of ${path}`;
  throw new ArgumentError('ERR_VALUE', where, `${describe(first)} as in item ${String(items[0])} (only arrays of one length stack; others need collate 'pad' or 'list')`, describe(place));
}
