// Samples -> one batch, by the collations that the loader knows.
import {
  ArgumentError,
  ClosedError,
  allocateOutputs,
  bytesOfArray,
  describeValue,
  dtypeOfArray,
  isAttached,
  isFloat,
  parseDType,
  typedArrayOver,
} from '@colkit/io';
import type { Tensor } from '../../items/gather/gather-items.ts';
import type { SyrahArray } from '../../layout/dtype.ts';
import { castValue } from '../cast/cast.ts';
import { castNames, castOf } from '../cast/cast-spec.ts';
import type { CastDType, CastSpec } from '../cast/cast-spec.ts';
import { shapeNames, shapeOf } from '../collate.ts';
import type { CollateSpec, PadCollate, PaddedTensor, StackCollate } from '../collate.ts';
import { SampleError } from '../loader-errors.ts';
import type { SampleOrigin } from '../loader-errors.ts';
import { checkNamesOf, keysOfTuples, nameIn } from './sample-names.ts';

/** What is known of the samples of a batch, for errors; and where the result goes. */
export interface CollateInput {
  readonly samples: readonly unknown[];
  readonly origins: readonly SampleOrigin[];
  /** Names of a tuple's values. */
  readonly keys: readonly string[] | null;
  /** What arrays are wanted in, by key. */
  readonly cast: CastSpec | null;
  /** Whether results need buffers of their own, to be sent to another thread. */
  readonly transferable: boolean;
}

/** What becomes of the values of one name. */
interface Column {
  /** For errors. */
  readonly key: string | null;
  readonly dtype: CastDType | null;
  readonly shape: readonly number[] | null;
}

/**
 * @throws SampleError naming item and key where samples do not fit together; ArgumentError for a dtype or shape of what
 * no value is called.
 */
export function collateSamples(spec: CollateSpec, input: CollateInput): unknown {
  const { samples, keys, cast } = input;
  const [first] = samples;
  const fail = failing(spec, input);
  if (Array.isArray(first)) {
    for (const [k, sample] of samples.entries()) {
      if (!Array.isArray(sample) || sample.length !== first.length)
        throw fail(
          k,
          null,
          `${String(first.length)} values, as in the batch's first sample`,
          Array.isArray(sample) ? `${String(sample.length)} values` : describe(sample),
        );
    }
    checkOptionNames(spec, input);
    const ofTuples = keysOfTuples(samples, keys);
    return first.map((_, index) => {
      const column: Column = {
        key: ofTuples?.[index] ?? String(index),
        dtype: castOf(cast, nameIn(cast, index, ofTuples)),
        shape: shapeIn(spec, (shapes) => nameIn(shapes, index, ofTuples)),
      };
      const values = samples.map((sample) => (sample as readonly unknown[])[index]);
      return collateColumn(spec, input, values, column);
    });
  }
  if (isRecord(first)) {
    const columns = Object.create(null) as Record<string, unknown>;
    const keys = Object.keys(first);
    for (const [k, sample] of samples.entries()) {
      const own = isRecord(sample) ? Object.keys(sample) : null;
      if (own?.length !== keys.length || !keys.every((key) => Object.hasOwn(sample as object, key))) {
        throw fail(
          k,
          null,
          `the keys of the batch's first sample: ${keys.map((key) => JSON.stringify(key)).join(', ')}`,
          own === null ? describe(sample) : own.map((key) => JSON.stringify(key)).join(', ') || 'none',
        );
      }
    }
    checkOptionNames(spec, input);
    for (const key of keys) {
      const values = samples.map((sample) => (sample as Record<string, unknown>)[key]);
      columns[key] = collateColumn(spec, input, values, {
        key,
        dtype: castOf(cast, key),
        shape: shapeIn(spec, () => key),
      });
    }
    return columns;
  }
  checkOptionNames(spec, input);
  return collateColumn(spec, input, samples, { key: null, dtype: null, shape: null });
}

function checkOptionNames(spec: CollateSpec, { samples, keys, cast }: CollateInput): void {
  if (cast !== null) checkNamesOf(samples, castNames(cast), keys, isRecord);
  if (spec.kind === 'stack') checkNamesOf(samples, shapeNames(spec), keys, isRecord);
}

/** @param name under which the shapes speak of the value. */
function shapeIn(spec: CollateSpec, name: (shapes: StackCollate['shapes']) => string): readonly number[] | null {
  return spec.kind === 'stack' ? shapeOf(spec, name(spec.shapes)) : null;
}

function collateColumn(
  spec: CollateSpec,
  input: CollateInput,
  values: readonly unknown[],
  { key, dtype: wanted, shape: given }: Column,
): unknown {
  const cast = (value: unknown, k: number): unknown => {
    try {
      return wanted === null ? value : castValue(value, wanted);
    } catch (error) {
      throw new SampleError(originOf(input, k), key, error);
    }
  };
  if (spec.kind === 'list') return values.map(cast);
  if (wanted === null && values.every((value) => typeof value === 'string')) return values;
  const failKey = failing(spec, input);
  const fail: Fail = (k, expected, found) => failKey(k, key, expected, found);
  const kind = typeof values[0];
  const odd = values.findIndex((value) => typeof value !== kind);
  // Beside a number, text or the like there are others of its kind alone.
  if (odd > 0 && /^[nbs]/.test(kind)) throw fail(odd, `${kind}, as in the batch's first sample`, describe(values[odd]));
  const scalars = stackScalars(values, fail);
  if (scalars !== null && wanted === null && given === null) return scalars;
  // To be cast and shaped each is an array of its own, so that errors tell whose it is.
  const casted = values.map((value, k) =>
    cast(scalars === null ? value : { data: scalars.data.subarray(k, k + 1), shape: [] }, k),
  );
  // The bits of halves are padded as the halves they are: to look at their bits before has refused all others.
  const padsFirst = spec.kind === 'pad' && wanted === 'float16-bits';
  const arrays = (padsFirst ? values : casted).map(
    (value, k) =>
      toTensor(value) ??
      refuse(
        fail(k, "arrays, { data, shape }, numbers or text (or use collate: 'list' or a function)", describe(value)),
      ),
  );
  const dtype = dtypeOfArray(arrays[0]?.data);
  for (const [k, { data, shape }] of arrays.entries()) {
    if (!isAttached(data))
      throw new SampleError(originOf(input, k), key, new ClosedError('collate', 'the array', 'ERR_DETACHED'));
    if (dtypeOfArray(data) !== dtype)
      throw fail(k, `${dtype ?? 'arrays'}, as in the batch's first sample`, dtypeOfArray(data) ?? 'something else');
    const size = shape.reduce((product, length) => product * length, 1);
    if (size !== data.length) throw fail(k, `a shape of its ${String(data.length)} elements`, `[${shape.join(', ')}]`);
  }
  if (spec.kind === 'stack' || scalars !== null) return stackArrays(arrays, given, input.transferable, fail);
  const padded = padArrays(arrays, spec, input.transferable, fail);
  return padsFirst ? cast(padded, 0) : padded;
}

type Fail = (k: number, expected: string, found: string) => SampleError;

/** What a sample is refused with. */
function failing(
  spec: CollateSpec,
  input: CollateInput,
): (k: number, key: string | null, expected: string, found: string) => SampleError {
  return (k, key, expected, found) =>
    new SampleError(originOf(input, k), key, new ArgumentError('ERR_VALUE', `collate '${spec.kind}'`, expected, found));
}

function originOf({ origins }: CollateInput, k: number): SampleOrigin {
  return origins[k] ?? { index: k, item: null, path: null };
}

function stackArrays(
  arrays: readonly Tensor[],
  shape: readonly number[] | null,
  transferable: boolean,
  fail: Fail,
): Tensor {
  const first = arrays[0] ?? { data: new Uint8Array(0), shape: [0] };
  const wanted = shape ?? first.shape;
  const size = wanted.reduce((product, length) => product * length, 1);
  for (const [k, { data, shape: own }] of arrays.entries()) {
    if (shape !== null && data.length !== size)
      throw fail(k, `${String(size)} elements, for the shape [${shape.join(', ')}]`, String(data.length));
    if (shape === null && own.join() !== wanted.join())
      throw fail(
        k,
        `${wanted.join(' x ')} elements, as in the rest of the batch (others need collate: 'pad' or 'list')`,
        own.join(' x '),
      );
  }
  const { bytes, data } = newArray(first.data, arrays.length * size, transferable);
  let at = 0;
  for (const array of arrays) {
    const part = bytesOfArray(array.data);
    bytes.set(part, at);
    at += part.length;
  }
  return { data, shape: [arrays.length, ...wanted] };
}

function padArrays(
  arrays: readonly Tensor[],
  { value = 0, mask: wantsMask }: PadCollate,
  transferable: boolean,
  fail: Fail,
): PaddedTensor {
  const lengths = Int32Array.from(arrays, ({ data }) => data.length);
  for (const [k, { shape }] of arrays.entries())
    if (shape.length !== 1) throw fail(k, 'arrays of one dimension', shape.join(' x '));
  const width = lengths.reduce((most, length) => Math.max(most, length), 0);
  const { data } = newArray(arrays[0]?.data ?? new Uint8Array(0), arrays.length * width, transferable);
  const mask = wantsMask === true ? new Uint8Array(arrays.length * width) : null;
  for (const [k, array] of arrays.entries()) {
    const end = k * width + array.data.length;
    setElements(data, array.data, k * width);
    if (array.data.length < width && !fillElements(data, value, end, (k + 1) * width))
      throw fail(k, `a padding value that ${dtypeOfArray(data) ?? 'the array'} holds`, String(value));
    mask?.fill(1, k * width, end);
  }
  const padded = { data, shape: [arrays.length, width], lengths };
  return mask === null ? padded : { ...padded, mask };
}

/** Numbers, bigints or booleans as one array of their number; null where the values are something else. */
function stackScalars(values: readonly unknown[], fail: Fail): Tensor | null {
  const shape = [values.length];
  if (values.every((value) => typeof value === 'number')) return { data: Float64Array.from(values), shape };
  if (values.every((value) => typeof value === 'bigint')) {
    for (const [k, value] of values.entries())
      if (BigInt.asIntN(64, value) !== value)
        throw fail(k, 'an int64 (or put it into a BigUint64Array)', `${String(value)}n`);
    return { data: BigInt64Array.from(values), shape };
  }
  if (values.every((value) => typeof value === 'boolean')) return { data: Uint8Array.from(values, Number), shape };
  return null;
}

function toTensor(value: unknown): Tensor | null {
  if (dtypeOfArray(value) !== null) return { data: value as SyrahArray, shape: [(value as SyrahArray).length] };
  const { data, shape } = Object(value) as Partial<Tensor>;
  return dtypeOfArray(data) !== null && Array.isArray(shape) ? { data: data as SyrahArray, shape } : null;
}

/** An array of the same type. */
function newArray(like: SyrahArray, length: number, transferable: boolean): { bytes: Uint8Array; data: SyrahArray } {
  const byteLength = length * like.BYTES_PER_ELEMENT;
  const bytes = allocateOutputs([byteLength], { transferable })[0] ?? new Uint8Array(byteLength);
  return { bytes, data: typedArrayOver(parseDType(dtypeOfArray(like) ?? 'uint8'), bytes) };
}

function setElements(out: SyrahArray, from: SyrahArray, at: number): void {
  bytesOfArray(out).set(bytesOfArray(from), at * out.BYTES_PER_ELEMENT);
}

/** False where the elements do not hold the value; floats round it. `start` is below `end`. */
function fillElements(out: SyrahArray, value: number | bigint, start: number, end: number): boolean {
  const dtype = dtypeOfArray(out);
  const isInteger = dtype === null || !isFloat(parseDType(dtype));
  if (isInteger && typeof value === 'number' && !Number.isInteger(value)) return false;
  if (out instanceof BigInt64Array || out instanceof BigUint64Array) out.fill(BigInt(value), start, end);
  else out.fill(Number(value), start, end);
  return !isInteger || BigInt(out[start] ?? 0) === BigInt(value);
}

/** An object of values by name: what has no names of its own, such as a Map or a Date, is none. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    ArrayBuffer.isView(value) ||
    toTensor(value) !== null
  )
    return false;
  return Object.keys(value).length > 0 || [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);
}

function refuse(error: SampleError): never {
  throw error;
}

const describe = (value: unknown): string => (Array.isArray(value) ? 'a list' : describeValue(value));
