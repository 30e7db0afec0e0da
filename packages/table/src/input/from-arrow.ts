// An Arrow table -> columns of values, by its shape (apache-arrow's tables and whatever has the same members): nothing
// is imported. Numbers of one chunk are not copied.
import { UnsupportedError, isTime, parseDType, typedArrayOver } from '@colkit/io';
import type { DType, FixedArray } from '@colkit/io';
import { isValid, setValid } from '../validity.ts';
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
  INT,
  FLOAT,
  BINARY,
  UTF8,
  BOOL,
  DATE,
  TIMESTAMP,
  DURATION,
  LARGE_BINARY,
  LARGE_UTF8,
  UTF8_VIEW,
  BINARY_VIEW,
  DICTIONARY,
] = [2, 3, 4, 5, 6, 8, 10, 18, 19, 20, 24, 23, -1];
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
  if (!isPacked)
    return new TypedValues(
      dtype,
      Array.from({ length: vector.length }, (_, row) => vector.get(row) as InputValue),
    );
  const values = packedValues(vector, dtype);
  const validity = validityOf(vector);
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
      return { dtype: 'bool', isPacked: false };
    case UTF8:
    case LARGE_UTF8:
    case UTF8_VIEW:
      return { dtype: 'string', isPacked: false };
    case BINARY:
    case LARGE_BINARY:
    case BINARY_VIEW:
      return { dtype: 'binary', isPacked: false };
    case DICTIONARY: {
      const dictionary = type.dictionary?.typeId;
      if (dictionary === UTF8 || dictionary === LARGE_UTF8 || dictionary === UTF8_VIEW)
        return { dtype: 'string', isPacked: false };
      break;
    }
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

/** All chunks as one array of the dtype's items; a single chunk is not copied. */
function packedValues({ data, length, type }: ArrowVector, dtype: DType): FixedArray {
  if (type.typeId === DATE && type.unit === 0) return daysOf(data, length);
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

function daysOf(data: readonly ArrowChunk[], length: number): BigInt64Array {
  const ticks = new BigInt64Array(length);
  let row = 0;
  for (const chunk of data) {
    const days = typedArrayOver(parseDType('int32'), bytesOf(chunk, 4).slice());
    for (const day of days) {
      ticks[row] = BigInt(day);
      row += 1;
    }
  }
  return ticks;
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
  const validity = new Uint8Array((length + 7) >>> 3);
  let row = 0;
  for (const chunk of data) {
    const bitmap = chunk.nullCount === 0 || !chunk.nullBitmap ? null : chunk.nullBitmap;
    for (let index = 0; index < chunk.length; index += 1, row += 1)
      if (isValid(bitmap, chunk.offset + index)) setValid(validity, row);
  }
  return validity;
}
