// An Arrow table -> columns of values, by its shape (apache-arrow's tables and whatever has the same members): nothing
// is imported. Numbers of one chunk are not copied.
import { ArgumentError, UnsupportedError, isTime, parseDType, typedArrayOver } from '@colkit/io';
import type { DType, FixedArray } from '@colkit/io';
import { ValidityBuilder } from '../chunk/validity-builder.ts';
import { isValid, setValid, unpackBits } from '../validity.ts';
import { NAT } from '../values/nat.ts';
import { arrowTexts } from './arrow-text.ts';
import type { ArrowChunk, ArrowType, ArrowVector } from './arrow-vector.ts';
import { TypedValues, columnLabel } from './typed.ts';
import type { ColumnInput, InputValue } from './typed.ts';
import type { Utf8Texts } from './utf8-texts.ts';

/** What is needed of an Arrow table. */
export interface ArrowTableLike {
  readonly numRows: number;
  readonly schema: { readonly fields: readonly { readonly name: string }[] };
  getChildAt(index: number): unknown;
}

// Type ids of the Arrow specification; apache-arrow's -1 is a dictionary.
const [
  NULL,
  INT,
  FLOAT,
  BINARY,
  UTF8,
  BOOL,
  DATE,
  TIMESTAMP,
  FIXED_SIZE_BINARY,
  DURATION,
  LARGE_BINARY,
  LARGE_UTF8,
  UTF8_VIEW,
  BINARY_VIEW,
  DICTIONARY,
] = [1, 2, 3, 4, 5, 6, 8, 10, 15, 18, 19, 20, 24, 23, -1];
const FLOATS: readonly (DType | undefined)[] = ['float16', 'float32', 'float64'];
const UNITS = ['s', 'ms', 'us', 'ns'] as const;

export function isArrowTable(input: object): input is ArrowTableLike {
  return (
    'numRows' in input &&
    'schema' in input &&
    'getChildAt' in input &&
    typeof input.getChildAt === 'function' &&
    typeof input.numRows === 'number'
  );
}

/**
 * @param nulls 'refuse': a null timestamp, date or duration becomes NaT, which needs no null.
 * @throws UnsupportedError ERR_DTYPE naming column and type for what no format here stores (decimals, lists, structs,
 * …).
 */
export function arrowColumns(
  table: ArrowTableLike,
  nulls: 'allow' | 'refuse',
): readonly (readonly [string, ColumnInput | Utf8Texts])[] {
  return table.schema.fields.map(({ name }, position) => {
    const vector = table.getChildAt(position) as ArrowVector | null;
    if (vector === null || !Array.isArray(vector.data))
      throw new UnsupportedError(
        'ERR_FEATURE',
        'Arrow table',
        `${columnLabel(name)}: expected a vector with its chunks`,
      );
    return [name, arrowColumn(vector, name, nulls)];
  });
}

function arrowColumn(vector: ArrowVector, name: string, nulls: 'allow' | 'refuse'): ColumnInput | Utf8Texts {
  const { dtype, isPacked } = dtypeOfArrow(vector.type, name);
  if (dtype === 'string') return arrowTexts(vector, name);
  const isCoded = vector.type.typeId === DICTIONARY;
  if (!isPacked) {
    const values = new Array<InputValue>(vector.length).fill(null);
    if (isCoded) for (const [row, of, code] of codedRows(vector, name)) values[row] = of.get(code) as InputValue;
    else for (let row = 0; row < values.length; row += 1) values[row] = vector.get(row) as InputValue;
    return new TypedValues(dtype, values);
  }
  const { values, validity } = isCoded ? codedValues(vector, dtype, name) : packed(vector, dtype);
  if (validity === null) return new TypedValues(dtype, values);
  if (nulls === 'refuse' && isTime(parseDType(dtype))) {
    const ticks = (values as BigInt64Array).slice();
    for (let row = 0; row < ticks.length; row += 1) if (!isValid(validity, row)) ticks[row] = NAT;
    return new TypedValues(dtype, ticks);
  }
  return { values: new TypedValues(dtype, values), validity };
}

/** `isPacked`: its values lie in the chunks as numbers; others are asked for one by one. */
function dtypeOfArrow(type: ArrowType, name: string): { readonly dtype: DType; readonly isPacked: boolean } {
  const time = UNITS[type.unit ?? -1];
  switch (type.typeId) {
    // Of no type, as pandas has columns without a value.
    case NULL:
      return { dtype: 'int32', isPacked: false };
    case INT:
      return { dtype: `${type.isSigned === true ? '' : 'u'}int${String(type.bitWidth)}` as DType, isPacked: true };
    case FLOAT: {
      const dtype = FLOATS[type.precision ?? -1];
      if (dtype !== undefined) return { dtype, isPacked: true };
      break;
    }
    case TIMESTAMP:
      if (time !== undefined) return { dtype: `datetime64[${time}]`, isPacked: true };
      break;
    case DURATION:
      if (time !== undefined) return { dtype: `timedelta64[${time}]`, isPacked: true };
      break;
    case DATE:
      return { dtype: type.unit === 0 ? 'datetime64[D]' : 'datetime64[ms]', isPacked: true };
    case BOOL:
      return { dtype: 'bool', isPacked: true };
    case UTF8:
    case LARGE_UTF8:
    case UTF8_VIEW:
      return { dtype: 'string', isPacked: false };
    case BINARY:
    case FIXED_SIZE_BINARY:
    case LARGE_BINARY:
    case BINARY_VIEW:
      return { dtype: 'binary', isPacked: false };
    case DICTIONARY:
      if (type.dictionary !== undefined) return dtypeOfArrow(type.dictionary, name);
      break;
    default:
      break;
  }
  const shown = type.toString();
  throw new UnsupportedError(
    'ERR_DTYPE',
    shown,
    `${columnLabel(name)}: the Arrow type ${shown} has no dtype here; select() the others, or cast it`,
  );
}

interface Packed {
  readonly values: FixedArray;
  /** Null where no row is null. */
  readonly validity: Uint8Array | null;
}

function packed(vector: ArrowVector, dtype: DType): Packed {
  return { values: packedValues(vector, dtype), validity: validityOf(vector) };
}

/** All chunks as one array of the dtype's items; a single chunk is not copied. */
function packedValues({ data, length, type }: ArrowVector, dtype: DType): FixedArray {
  if (type.typeId === DATE && type.unit === 0) return daysOf(data, length);
  if (type.typeId === BOOL) return bytesOfBits(data, length);
  const info = parseDType(dtype);
  const chunks = data.map((chunk) => bytesOf(chunk, info.itemBytes));
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1 && only.byteOffset % info.itemBytes === 0)
    return typedArrayOver(info, only);
  const bytes = new Uint8Array(length * info.itemBytes);
  let used = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, used);
    used += chunk.length;
  }
  return typedArrayOver(info, bytes);
}

/** The rows of dictionaries that are not null, and what their codes stand for. */
function* codedRows({ data }: ArrowVector, name: string): Generator<readonly [number, ArrowVector, number]> {
  let row = 0;
  for (const { length, offset, nullCount, nullBitmap = null, values, dictionary } of data) {
    const bitmap = nullCount === 0 ? null : nullBitmap;
    for (let index = 0; index < length; index += 1, row += 1) {
      if (!isValid(bitmap, offset + index)) continue;
      const code = Number((values as ArrayLike<number | bigint>)[index]);
      if (dictionary === undefined || !(code >= 0 && code < dictionary.length))
        throw new ArgumentError(
          'ERR_VALUE',
          columnLabel(name),
          'codes of the dictionary',
          `another at row ${String(row)}`,
        );
      yield [row, dictionary, code];
    }
  }
}

/** In the dictionary a null makes a row null. */
function codedValues(vector: ArrowVector, dtype: DType, name: string): Packed {
  const info = parseDType(dtype);
  const values = typedArrayOver(info, new Uint8Array(vector.length * info.itemBytes));
  const validity = new Uint8Array((vector.length + 7) >>> 3);
  let valid = 0;
  const known = new Map<ArrowVector, Packed>();
  for (const [row, dictionary, code] of codedRows(vector, name)) {
    let of = known.get(dictionary);
    if (of === undefined) known.set(dictionary, (of = packed(dictionary, dtype)));
    if (!isValid(of.validity, code)) continue;
    setValid(validity, row);
    valid += 1;
    values[row] = of.values[code] as number;
  }
  return { values, validity: valid === vector.length ? null : validity };
}

function daysOf(data: readonly ArrowChunk[], length: number): BigInt64Array {
  const ticks = new BigInt64Array(length);
  let row = 0;
  for (const chunk of data) {
    const days = typedArrayOver(parseDType('int32'), bytesOf(chunk, 4).slice()) as Int32Array;
    // By words: a bigint of each day costs more than all the rest.
    writeWords(days, new Int32Array(ticks.buffer, 8 * row));
    row += days.length;
  }
  return ticks;
}

function writeWords(integers: Int32Array, words: Int32Array): void {
  for (let index = 0; index < integers.length; index += 1) {
    const integer = integers[index] as number;
    words[2 * index] = integer;
    words[2 * index + 1] = integer >> 31;
  }
}

function bytesOfBits(data: readonly ArrowChunk[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let row = 0;
  for (const { length: count, nullCount, offset, values } of data) {
    // Of nulls alone there need be no values.
    if (count > 0 && nullCount < count) {
      const bits = bytesOf({ length: (offset + count + 7) >>> 3, offset, nullCount, values }, 1);
      unpackBits(bits, offset, count, bytes, row);
    }
    row += count;
  }
  return bytes;
}

function bytesOf({ values, length }: ArrowChunk, itemBytes: number): Uint8Array {
  if (length === 0) return new Uint8Array(0);
  if (!ArrayBuffer.isView(values) || values.byteLength < length * itemBytes) {
    throw new UnsupportedError(
      'ERR_FEATURE',
      'Arrow table',
      `expected a chunk with ${String(length)} items of ${String(itemBytes)} bytes`,
    );
  }
  return new Uint8Array(values.buffer, values.byteOffset, length * itemBytes);
}

/** One bit a row over all chunks; null where no row is null. */
function validityOf({ data, length }: ArrowVector): Uint8Array | null {
  if (data.every(({ nullCount }) => nullCount === 0)) return null;
  const validity = new ValidityBuilder(length);
  let row = 0;
  for (const chunk of data) {
    const bitmap = chunk.nullCount === 0 || !chunk.nullBitmap ? null : chunk.nullBitmap;
    validity.copy(bitmap, chunk.offset, chunk.offset + chunk.length, row);
    row += chunk.length;
  }
  return validity.finish();
}
