// Batches in the element types that their consumers take: every value is the same number in the other type, or it is
// refused. Half-precision floats can also be had as their bits.
import {
  ArgumentError,
  attached,
  bytesOfArray,
  describeValue,
  dtypeOfArray,
  isFloat,
  numbersOfHalves,
  parseDType,
  typedArrayOver,
} from '@colkit/io';
import type { Float16ArrayLike } from '@colkit/io';
import type { Tensor } from '../../items/gather/gather-items.ts';
import type { SyrahArray } from '../../layout/dtype.ts';
import { castOf } from './cast-spec.ts';
import type { CastDType, CastSpec } from './cast-spec.ts';

/** Stacks of keys. They are returned as they are where they have the dtype. @throws ArgumentError ERR_VALUE. */
export function castStacks(stacks: readonly Tensor[], keys: readonly string[], cast: CastSpec): Tensor[] {
  return stacks.map((stack, k) => {
    const dtype = castOf(cast, keys[k] ?? null);
    return dtype === null ? stack : { ...stack, data: castArray(stack.data, dtype) };
  });
}

/** An array or tensor as another one of `dtype`; itself where it has it. @throws ArgumentError ERR_VALUE. */
export function castValue(value: unknown, dtype: CastDType): unknown {
  if (dtypeOfArray(value) !== null) return castArray(value as SyrahArray, dtype);
  if (typeof value === 'object' && value !== null && 'data' in value && dtypeOfArray(value.data) !== null)
    return { ...value, data: castArray(value.data as SyrahArray, dtype) };
  throw new ArgumentError('ERR_VALUE', 'cast', `an array, to be cast to ${dtype}`, describeValue(value));
}

/**
 * @throws ArgumentError ERR_VALUE at the first value that the dtype does not have; ClosedError ERR_DETACHED for an
 * array whose buffer was transferred.
 */
export function castArray(data: SyrahArray, dtype: CastDType): SyrahArray {
  attached(data, 'cast', 'the array');
  const from = dtypeOfArray(data);
  if (from === dtype) return data;
  if (dtype === 'float16-bits') {
    if (from !== 'float16')
      throw new ArgumentError('ERR_VALUE', 'cast', 'float16, to be had as its bits', String(from));
    return typedArrayOver(parseDType('uint16'), bytesOfArray(data));
  }
  const info = parseDType(dtype);
  const out = typedArrayOver(info, new Uint8Array(data.length * info.itemBytes));
  const bad =
    out instanceof Int32Array && isWide(data)
      ? narrow(data, out)
      : copyExact(from === 'float16' ? numbersOfHalves(data as Float16ArrayLike) : data, out, isFloat(info));
  if (bad !== -1)
    throw new ArgumentError(
      'ERR_VALUE',
      'cast',
      `values that ${dtype} has (a process function can round them)`,
      `${describeValue(data[bad])} at position ${String(bad)}`,
    );
  return out;
}

type Wide = BigInt64Array | BigUint64Array;
const isWide = (data: SyrahArray): data is Wide => data instanceof BigInt64Array || data instanceof BigUint64Array;

/** 64-bit integers by their halves: no bigint is made. The position of the first that does not fit, or -1. */
function narrow(data: Wide, out: Int32Array): number {
  const halves = new Int32Array(data.buffer, data.byteOffset, data.length * 2);
  const isSigned = data instanceof BigInt64Array;
  for (let i = 0; i < out.length; i += 1) {
    const low = halves[2 * i] as number;
    const sign = isSigned ? low >> 31 : 0;
    if (halves[2 * i + 1] !== sign || (!isSigned && low < 0)) return i;
    out[i] = low;
  }
  return -1;
}

/** Copies values; the position of the first that is another number in the other type, or -1. */
function copyExact(data: ArrayLike<number | bigint>, out: SyrahArray, toFloat: boolean): number {
  const target = out as unknown as { [index: number]: number | bigint };
  const toWide = isWide(out);
  for (let i = 0; i < data.length; i += 1) {
    const value = data[i] as number | bigint;
    if (toWide) {
      if (typeof value === 'number' && !Number.isInteger(value)) return i;
      target[i] = BigInt(value);
    } else target[i] = Number(value);
    const found = target[i] as number | bigint;
    // Of bigints and numbers `<` compares what they are, without rounding.
    if (found < value || found > value || (!toFloat && Number.isNaN(value))) return i;
  }
  return -1;
}
