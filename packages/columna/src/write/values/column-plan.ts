// The columns that a user hands in -> the schema of the file and, for every column, how its values become those that
// are stored. Types that the format does not have are stored as the type that holds every value of theirs exactly, or
// refused.
import {
  ArgumentError,
  UnsupportedError,
  isFixedText,
  isFloat,
  isMoment,
  isTime,
  parseDType,
  typedArrayOver,
} from '@colkit/io';
import type { DTypeInfo, FixedArray, TimeUnit } from '@colkit/io';
import { NAT, utf8OfFixed, valuesOf } from '@colkit/table';
import type { Chunk, Field } from '@colkit/table';
import { arrayOfItems, columnType, columnTypeOfDType } from '../../layout/column-type.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import type { ColumnSchema } from '../../layout/schema.ts';
import { binaryColumn, fixedColumn } from './column-values.ts';
import type { ColumnValues } from './column-values.ts';
import { stringColumn } from './string-column.ts';
import { utf8Column } from './utf8-column.ts';

export interface ColumnPlan {
  readonly schema: ColumnSchema;
  /**
   * Values as they were handed in, as the type that stores them: the same chunk where that is the same. `firstRow` is
   * only for messages.
   * @throws ArgumentError ERR_VALUE for a time that microseconds cannot hold exactly, or a range of another length.
   */
  store(chunk: Chunk, rowCount: number, firstRow: number): Chunk;
}

/**
 * How a column of this type is stored.
 * @throws UnsupportedError ERR_DTYPE for timedelta64, float128, and units of time that microseconds do not hold.
 */
export function planColumn(field: Field, info: DTypeInfo): ColumnPlan {
  const type = storedType(field, info);
  const label = `column ${JSON.stringify(field.name)}`;
  const store = (chunk: Chunk, rowCount: number, firstRow: number): Chunk => {
    checkLength(label, rowCount, chunk.rowCount);
    if (chunk.kind !== 'fixed') {
      if (chunk.kind === 'values') checkLength(label, rowCount, chunk.values.length);
      return chunk;
    }
    const { bytes, validity } = chunk;
    checkLength(label, rowCount * info.itemBytes, bytes.length);
    if (isFixedText(info)) return utf8OfFixed(chunk, info);
    const stored = storedItems(info, type, bytes, label, firstRow);
    return stored === bytes ? chunk : { kind: 'fixed', rowCount, bytes: stored, validity };
  };
  return { schema: Object.freeze({ name: field.name, type, nullable: field.nullable }), store };
}

/** `planColumn` of every field. */
export function planFields(fields: readonly Field[]): ColumnPlan[] {
  return fields.map((field) => planColumn(field, parseDType(field.dtype)));
}

/**
 * Stored values of a row group as the encoder takes them: without what stands in null rows, strings with their distinct
 * ones found.
 */
export function encoderValues(type: ColumnType, chunk: Chunk): ColumnValues {
  if (chunk.kind === 'fixed') return fixedColumn(type, arrayOfItems(type, chunk.bytes), chunk.validity);
  if (chunk.kind === 'utf8') return utf8Column(type, [chunk]);
  const values = valuesOf(chunk);
  return type.isText
    ? stringColumn(type, values as readonly string[], chunk.validity)
    : binaryColumn(type, values as readonly Uint8Array[], chunk.validity);
}

/** A source that hands out another number of values than it was asked for would shift every row behind it. */
function checkLength(label: string, expected: number, found: number): void {
  if (found !== expected) throw new ArgumentError('ERR_VALUE', label, `${expected} items or bytes`, String(found));
}

/** Microseconds of a unit; units that are no multiple of one are divided. */
const MICROSECONDS: Partial<Record<TimeUnit, bigint>> = {
  h: 3_600_000_000n,
  m: 60_000_000n,
  s: 1_000_000n,
  ms: 1000n,
  us: 1n,
};

function storedType({ name, dtype }: Field, info: DTypeInfo): ColumnType {
  const own = columnTypeOfDType(dtype);
  if (own !== null) return own;
  if (isFixedText(info)) return columnType('string');
  if (isFloat(info)) return columnType('float32');
  if (isMoment(info) && info.unit !== null && (MICROSECONDS[info.unit] !== undefined || info.unit === 'ns'))
    return columnType('datetime');
  const remedy = isTime(info) && !isMoment(info) ? '; store its ticks as int64' : '';
  throw new UnsupportedError(
    'ERR_DTYPE',
    dtype,
    `column ${JSON.stringify(name)}: the .cna format has no type for ${dtype}${remedy}`,
  );
}

function storedItems(
  info: DTypeInfo,
  type: ColumnType,
  bytes: Uint8Array,
  label: string,
  firstRow: number,
): Uint8Array {
  const aligned = bytes.byteOffset % Math.min(8, info.itemBytes) === 0 ? bytes : bytes.slice();
  if (isMoment(info) && info.name !== type.dtype) {
    const ticks = typedArrayOver(info, aligned) as BigInt64Array;
    return bytesOf(microseconds(ticks, info.unit, BigInt(info.step), label, firstRow));
  }
  if (!isFloat(info) || info.itemBytes === type.itemBytes) return aligned;
  return bytesOf(Float32Array.from(typedArrayOver(info, aligned) as ArrayLike<number>));
}

function bytesOf({ buffer, byteOffset, byteLength }: FixedArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

const LARGEST = 2n ** 63n - 1n;

function microseconds(
  ticks: BigInt64Array,
  unit: TimeUnit | null,
  step: bigint,
  label: string,
  firstRow: number,
): BigInt64Array {
  const divisor = unit === 'ns' ? 1000n : 1n;
  const factor = step * (unit === null ? 1n : (MICROSECONDS[unit] ?? 1n));
  const most = LARGEST / factor;
  const out = new BigInt64Array(ticks.length);
  for (let row = 0; row < ticks.length; row++) {
    const tick = ticks[row] as bigint;
    if (tick === NAT) out[row] = NAT;
    else if (tick > most || tick < -most || (divisor !== 1n && (tick * factor) % divisor !== 0n)) {
      throw new ArgumentError(
        'ERR_VALUE',
        label,
        'times that microseconds hold exactly',
        `${tick} ticks at row ${firstRow + row}`,
      );
    } else out[row] = (tick * factor) / divisor;
  }
  return out;
}
