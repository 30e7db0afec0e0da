// Batches in the element types that their consumers take: every value is the same number in the other type, or it is
// refused. Half-precision floats can also be had as their bits.
import {
  ArgumentError,
  bytesOfArray,
  describeValue,
  dtypeOfArray,
  isFloat,
  parseDType,
  typedArrayOver,
} from '@colkit/io';
import type { Tensor } from '../../items/gather-items.ts';
import type { SyrahArray, SyrahDType } from '../../layout/dtype.ts';

const CAST_DTYPES = [
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float16',
  'float32',
  'float64',
  'float16-bits',
] as const satisfies readonly (SyrahDType | 'float16-bits')[];

/** What a key's arrays can be cast to; 'float16-bits': float16 as a Uint16Array of its bits. */
export type CastDType = (typeof CAST_DTYPES)[number];
/** By key. */
export type CastSpec = Readonly<Record<string, CastDType>>;

/** @throws ArgumentError for a dtype that nothing is cast to; for a key that no sample has, where `keys` are known. */
export function parseCast(cast: CastSpec, keys: readonly string[]): CastSpec | null {
  for (const [key, dtype] of Object.entries(cast)) {
    if (!(CAST_DTYPES as readonly unknown[]).includes(dtype))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        `cast of ${JSON.stringify(key)}`,
        CAST_DTYPES.map((name) => JSON.stringify(name)).join(', '),
        describeValue(dtype),
      );
    if (keys.length > 0 && !keys.includes(key))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'cast',
        `dtypes of the keys ${keys.map((name) => JSON.stringify(name)).join(', ')}`,
        JSON.stringify(key),
      );
  }
  return Object.keys(cast).length === 0 ? null : { ...cast };
}

/** What a key is cast to; null for most. */
export function castOf(cast: CastSpec | null, key: string | null): CastDType | null {
  return cast !== null && key !== null && Object.hasOwn(cast, key) ? (cast[key] ?? null) : null;
}

/** Stacks of keys. They are returned as they are where they have the dtype. @throws ArgumentError ERR_VALUE. */
export function castStacks(stacks: readonly Tensor[], keys: readonly string[], cast: CastSpec | null): Tensor[] {
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

/** @throws ArgumentError ERR_VALUE at the first value that the dtype does not have. */
export function castArray(data: SyrahArray, dtype: CastDType): SyrahArray {
  const from = dtypeOfArray(data);
  if (from === dtype) return data;
  if (dtype === 'float16-bits') {
    if (from !== 'float16')
      throw new ArgumentError('ERR_VALUE', 'cast', 'float16, to be had as its bits', String(from));
    return typedArrayOver(parseDType('uint16'), bytesOfArray(data));
  }
  const info = parseDType(dtype);
  const out = typedArrayOver(info, new Uint8Array(data.length * info.itemBytes));
  const bad = out instanceof Int32Array && isWide(data) ? narrow(data, out) : copyExact(data, out, isFloat(info));
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
function copyExact(data: SyrahArray, out: SyrahArray, toFloat: boolean): number {
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
