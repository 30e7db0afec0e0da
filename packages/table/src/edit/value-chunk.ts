// Computed values -> a chunk of a dtype, where the request wants it. A value that the dtype cannot hold is refused.
import { ArgumentError, isFixedText, typedArrayOver, writeHalves } from '@colkit/io';
import type { DTypeInfo, FixedArray, Float16ArrayLike, GatherOutput } from '@colkit/io';
import { encodeFixed } from '../input/encode.ts';
import { columnLabel } from '../input/typed.ts';
import { writtenChunk } from '../chunk/chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { ValidityBuilder } from '../chunk/validity-builder.ts';
import { encodeFixedStringsUnchecked, fixedStringFault } from '../values/fixed-strings.ts';
import { NAT } from '../values/nat.ts';
import type { Nulls, Vector } from '../query/evaluate/vectors.ts';

/**
 * @param output where items of fixed width go; null for variable width.
 * @throws ArgumentError ERR_VALUE naming the column for a value that the dtype cannot hold.
 */
export function chunkOfVector(
  name: string,
  info: DTypeInfo,
  vector: Vector,
  count: number,
  output: GatherOutput | null,
): Chunk {
  const validity = validityOf(vector.nulls, count);
  if (info.itemBytes === 0) {
    const values =
      vector.kind === 'texts' || vector.kind === 'bytes' ? vector.values : new Array<string>(count).fill('');
    return { kind: 'values', rowCount: count, values, validity };
  }
  if (output === null)
    throw new ArgumentError('ERR_OUT_BUFFER', 'outputs', `a buffer for a column of ${info.name}`, 'null');
  if (vector.kind === 'numbers' && info.kind !== 'datetime' && info.kind !== 'timedelta') {
    const packed = packedPlace(output, info.itemBytes, count);
    const items = packed ?? new Uint8Array(info.itemBytes * count);
    writeNumbers(name, info, vector, typedArrayOver(info, items));
    if (packed === null) copyItemsTo(items, info.itemBytes, count, output);
  } else copyItemsTo(itemsOfVector(name, info, vector, count), info.itemBytes, count, output);
  return writtenChunk(output, count, validity);
}

/** Where packed items can be written at once; null: they are not packed there, or not aligned. */
export function packedPlace(
  { bytes, byteOffset, byteStride }: GatherOutput,
  itemBytes: number,
  count: number,
): Uint8Array | null {
  const isPlace = byteStride === itemBytes && (bytes.byteOffset + byteOffset) % itemBytes === 0;
  return isPlace ? bytes.subarray(byteOffset, byteOffset + itemBytes * count) : null;
}

/** Packed; those of null rows are zeros. */
function itemsOfVector(name: string, info: DTypeInfo, vector: Vector, count: number): Uint8Array {
  const { nulls } = vector;
  if (isFixedText(info)) {
    const texts = vector.kind === 'texts' ? vector.values : new Array<string>(count).fill('');
    for (const [row, text] of texts.entries()) {
      const fault = nulls?.[row] === 1 ? null : fixedStringFault(text, info);
      if (fault !== null)
        throw new ArgumentError('ERR_VALUE', columnLabel(name), `texts that ${info.name} holds`, fault);
    }
    const bytes = new Uint8Array(info.itemBytes * count);
    const own = nulls === null ? texts : texts.map((text, row) => (nulls[row] === 1 ? null : text));
    encodeFixedStringsUnchecked(own, info, 0, count, bytes);
    return bytes;
  }
  const isTime = info.kind === 'datetime' || info.kind === 'timedelta';
  const isFloat = info.kind === 'float';
  const valueOf = (value: number | bigint): number | bigint => {
    if (isTime) return typeof value === 'number' && Number.isNaN(value) ? NAT : BigInt(value);
    return isFloat ? Number(value) : value;
  };
  const given = vector.values as ArrayLike<number | bigint>;
  const values = new Array<number | bigint | null>(given.length);
  for (let row = 0; row < given.length; row++)
    values[row] = nulls?.[row] === 1 ? null : valueOf(given[row] as number | bigint);
  return encodeFixed(info, values, columnLabel(name)).bytes;
}

/** Zeros where rows are null. */
function writeNumbers(
  name: string,
  info: DTypeInfo,
  { values: given, most, nulls }: Extract<Vector, { kind: 'numbers' }>,
  out: FixedArray,
): void {
  const values = nulls === null ? given : given.map((value, row) => (nulls[row] === 1 ? 0 : value));
  if (info.kind === 'float' || info.kind === 'bool') {
    // Results beyond a narrow float are infinite, as they are where it is computed with.
    if (info.itemBytes !== 2) (out as Float64Array).set(values);
    else writeHalves(values, out as Float16ArrayLike);
    return;
  }
  const unsigned = info.kind === 'uint';
  if (info.itemBytes === 8) {
    const words = new Uint32Array(out.buffer, out.byteOffset, 2 * values.length);
    if (most < 2 ** 31 && !unsigned) {
      for (let row = 0; row < values.length; row += 1) {
        const value = (values[row] as number) | 0;
        words[2 * row] = value;
        words[2 * row + 1] = value >> 31;
      }
      return;
    }
    for (let row = 0; row < values.length; row += 1) {
      const value = values[row] as number;
      if (unsigned && value < 0) throw beyond(name, info, value, row);
      // What is stored is taken modulo 2^32.
      words[2 * row] = value;
      words[2 * row + 1] = Math.floor(value / 2 ** 32);
    }
    return;
  }
  const high = 2 ** (8 * info.itemBytes - (unsigned ? 0 : 1)) - 1;
  const low = unsigned ? 0 : -high - 1;
  if (most <= high && !unsigned) {
    (out as Int32Array).set(values);
    return;
  }
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    if (!(value >= low && value <= high)) throw beyond(name, info, value, row);
    out[row] = value;
  }
}

function beyond(name: string, info: DTypeInfo, value: number, row: number): ArgumentError {
  return new ArgumentError(
    'ERR_VALUE',
    columnLabel(name),
    `integers within the range of ${info.name} (cast says another type)`,
    `${String(value)} at row ${String(row)} of those that were read`,
  );
}

/** Packed items to where they are wanted. */
export function copyItemsTo(
  items: Uint8Array,
  itemBytes: number,
  count: number,
  { bytes, byteOffset, byteStride }: GatherOutput,
): void {
  if (byteStride === itemBytes) {
    bytes.set(items.subarray(0, itemBytes * count), byteOffset);
    return;
  }
  for (let row = 0; row < count; row += 1)
    bytes.set(items.subarray(row * itemBytes, (row + 1) * itemBytes), byteOffset + row * byteStride);
}

function validityOf(nulls: Nulls, count: number): Uint8Array | null {
  if (nulls === null) return null;
  const validity = new ValidityBuilder(count);
  for (let row = 0; row < count; row += 1) if (nulls[row] === 1) validity.setNull(row);
  return validity.finish();
}
