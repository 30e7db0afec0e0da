// Values of one expression for some rows: what arithmetic and comparisons of columns with one another work on. Integers
// are doubles as long as they are certain to fit, and bigints where they may not, so that they are always exact.
import { ArgumentError, dtypeFacts, isBinary, isBool, isExactResult, isFloat } from '@colkit/io';
import { arrayOf, valuesOf } from '../../chunk/chunk.ts';
import type { Chunk, FixedChunk } from '../../chunk/chunk.ts';
import { NAT } from '../../values/nat.ts';
import { momentOf, tickLength } from '../../values/time.ts';
import { valueTypeOf } from '../bind/bind-leaf.ts';
import type { ColumnRef, Literal } from '../bound-predicate.ts';
import { decodeRows, narrowArray } from './select-leaf.ts';
import type { NarrowArray } from '../kernels/narrow-array.ts';
import type { RowSet } from './select-leaf.ts';
import type { VectorRoom } from './vector-room.ts';

/** One byte a row, 1 = null; null: none is. */
export type Nulls = Uint8Array | null;

export type Vector =
  /** `most`: no value's size is larger; below 2^53 for integers, where they are exact. Floats: Infinity. */
  | {
      readonly kind: 'numbers';
      readonly values: Float64Array;
      readonly most: number;
      readonly nulls: Nulls;
      /** What all values are, where that is known. */
      readonly constant?: number;
    }
  /** Integers of any size; NaN stands for NaT. */
  | { readonly kind: 'wide'; readonly values: readonly (bigint | number)[]; readonly nulls: Nulls }
  | { readonly kind: 'texts'; readonly values: readonly string[]; readonly nulls: Nulls }
  | { readonly kind: 'bytes'; readonly values: readonly Uint8Array[]; readonly nulls: Nulls };

export function constantVector(value: Literal | null, count: number, room: VectorRoom): Vector {
  if (value === null)
    return { kind: 'numbers', values: new Float64Array(count), most: 0, nulls: new Uint8Array(count).fill(1) };
  if (typeof value === 'bigint') return { kind: 'wide', values: new Array<bigint>(count).fill(value), nulls: null };
  if (typeof value === 'string') return { kind: 'texts', values: new Array<string>(count).fill(value), nulls: null };
  if (value instanceof Uint8Array)
    return { kind: 'bytes', values: new Array<Uint8Array>(count).fill(value), nulls: null };
  const number = Number(value);
  return {
    kind: 'numbers',
    values: room.constant(number, count),
    most: Number.isSafeInteger(number) ? Math.abs(number) : Infinity,
    nulls: null,
    constant: number,
  };
}

/** @param scaled moments and durations as attoseconds (or months), to be compared with those of another unit. */
export function columnVector(ref: ColumnRef, column: Chunk, from: RowSet, scaled: boolean, room: VectorRoom): Vector {
  const nulls = nullsOf(column, from);
  switch (column.kind) {
    case 'fixed': {
      const known = writtenVector(column, from, nulls, room);
      if (known !== null) return known;
      if (!dtypeFacts(ref.info).hasArray)
        return { kind: 'texts', values: pick(decodeRows(ref, column.bytes, from), from, ''), nulls };
      const values = arrayOf(ref.info, column.bytes);
      if (values instanceof BigInt64Array || values instanceof BigUint64Array)
        return wideVector(ref, values, from, nulls, scaled, room);
      return {
        kind: 'numbers',
        values: gather(narrowArray(values), from, isBool(ref.info), room),
        most: isFloat(ref.info) ? Infinity : 2 ** (8 * ref.info.itemBytes),
        nulls,
      };
    }
    case 'dictionary':
      return {
        kind: 'texts',
        values: Array.from(
          { length: from.count },
          (_, index) => column.dictionary[column.codes[rowAt(from, index)] ?? -1] ?? '',
        ),
        nulls,
      };
    case 'values':
    case 'utf8': {
      const values = valuesOf(column);
      return isBinary(ref.info)
        ? { kind: 'bytes', values: pick(values as readonly Uint8Array[], from, new Uint8Array(0)), nulls }
        : { kind: 'texts', values: pick(values as readonly string[], from, ''), nulls };
    }
  }
}

export function rowAt({ rows }: RowSet, index: number): number {
  return rows === null ? index : (rows[index] as number);
}

/** One byte a row of the set, 1 where the column has null; null where it has none. */
export function nullsOf(column: Chunk, from: RowSet): Nulls {
  const { validity } = column;
  if (validity === null && column.kind !== 'dictionary') return null;
  const nulls = new Uint8Array(from.count);
  for (let index = 0; index < from.count; index += 1) {
    const row = rowAt(from, index);
    // Which row is null cannot be predicted, so it is arithmetic and not a branch.
    const present = validity === null ? 1 : ((validity[row >>> 3] as number) >>> (row & 7)) & 1;
    const known = column.kind !== 'dictionary' || column.dictionary[column.codes[row] ?? -1] !== undefined;
    nulls[index] = known ? 1 - present : 1;
  }
  return nulls;
}

/** Where one of two is null. */
export function eitherNull(one: Nulls, other: Nulls): Nulls {
  if (one === null || other === null) return one ?? other;
  return one.map((missing, row) => missing | (other[row] as number));
}

/** Of a column that writes its numbers itself; null where it does not, or not these. */
function writtenVector(column: FixedChunk, from: RowSet, nulls: Nulls, room: VectorRoom): Vector | null {
  if (column.writeDoubles === undefined) return null;
  const all = room.doubles(column.rowCount);
  const most = column.writeDoubles(all);
  if (most === null) return null;
  if (from.rows === null) return { kind: 'numbers', values: all.subarray(0, from.count), most, nulls };
  // Row numbers ascend, so that none is written over before it is read.
  for (let index = 0; index < from.count; index += 1) all[index] = all[from.rows[index] as number] as number;
  return { kind: 'numbers', values: all.subarray(0, from.count), most, nulls };
}

function gather(values: NarrowArray, from: RowSet, truth: boolean, room: VectorRoom): Float64Array {
  const out = room.doubles(from.count);
  if (from.rows === null && !truth) {
    // One call, whatever the kind of the array.
    out.set(values.subarray(0, from.count));
    return out;
  }
  for (let index = 0; index < from.count; index += 1) {
    const value = values[rowAt(from, index)] ?? 0;
    out[index] = truth ? Number(value !== 0) : value;
  }
  return out;
}

function pick<T>(values: ArrayLike<T>, from: RowSet, absent: T): readonly T[] {
  const out = new Array<T>(from.count);
  for (let index = 0; index < from.count; index += 1) out[index] = values[rowAt(from, index)] ?? absent;
  return out;
}

function wideVector(
  { info }: ColumnRef,
  values: BigInt64Array | BigUint64Array,
  from: RowSet,
  nulls: Nulls,
  scaled: boolean,
  room: VectorRoom,
): Vector {
  const type = valueTypeOf(info);
  if (type === 'int')
    return (
      safeVector(values, from, nulls, room) ?? {
        kind: 'wide',
        values: pick<bigint>(values, from, 0n),
        nulls,
      }
    );
  if (type !== 'moment' && type !== 'duration')
    throw new ArgumentError('ERR_ARGUMENT', 'batch', `values of ${info.name}`, '64-bit integers');
  const length = scaled && type === 'duration' ? tickLength(info.name) : 1n;
  const out = new Array<number | bigint>(from.count);
  for (let index = 0; index < from.count; index += 1) {
    const ticks = values[rowAt(from, index)] ?? NAT;
    if (ticks === NAT) out[index] = Number.NaN;
    else out[index] = scaled && type === 'moment' ? momentOf(ticks, info.name) : ticks * length;
  }
  return { kind: 'wide', values: out, nulls };
}

/** As long as signed 64-bit integers are 32-bit ones: three times as fast. */
function smallOnes(words: Int32Array, count: number, out: Float64Array): { most: number; done: number } {
  let [least, greatest, done] = [0, 0, 0];
  for (; done < count; done += 1) {
    const low = words[2 * done] as number;
    if (low >> 31 !== words[2 * done + 1]) break;
    if (low > greatest) greatest = low;
    else if (low < least) least = low;
    out[done] = low;
  }
  return { most: Math.max(greatest, -least), done };
}

/** 64-bit integers as doubles; null where one of them is too large for that. */
function safeVector(
  values: BigInt64Array | BigUint64Array,
  { rows, count }: RowSet,
  nulls: Nulls,
  room: VectorRoom,
): Vector | null {
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  // Of unsigned numbers the upper half is one too.
  const wrap = values instanceof BigUint64Array ? 2 ** 32 : 0;
  const out = room.doubles(count);
  const isPlain = rows === null && nulls === null && wrap === 0;
  const small = isPlain ? smallOnes(words, count, out) : { most: 0, done: 0 };
  let { most } = small;
  for (let index = small.done; index < count; index += 1) {
    const at = 2 * (rows === null ? index : (rows[index] as number));
    const half = words[at + 1] as number;
    const high = half < 0 ? half + wrap : half;
    const value = nulls !== null && nulls[index] === 1 ? 0 : high * 2 ** 32 + ((words[at] as number) >>> 0);
    const size = Math.abs(value);
    if (size > most) most = size;
    out[index] = value;
  }
  // What is rounded is beyond 2^53 before and behind.
  return isExactResult(most) ? { kind: 'numbers', values: out, most, nulls } : null;
}
