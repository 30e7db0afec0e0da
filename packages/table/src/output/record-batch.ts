// Packed records: all columns of some rows interleaved in one buffer, item after item without padding, as a C struct or
// a numpy structured array has them.
import {
  ArgumentError,
  OutOfRangeError,
  UnknownColumnError,
  UnsupportedError,
  attached,
  isFixedText,
  itemReader,
  parseDType,
} from '@colkit/io';
import type { DTypeInfo, ReadItem } from '@colkit/io';
import type { TableTypes } from '../schema.ts';
import type { Field } from '../source.ts';
import { isValid } from '../validity.ts';
import { decodeFixedStringsUnchecked } from '../values/fixed-strings.ts';
import type { Cell } from './forms/convert.ts';
import { nullObject } from './null-object.ts';

/** A column of the records: its items lie at `byteOffset` from each record's start. */
export interface RecordField extends Field {
  readonly byteOffset: number;
}

export interface RecordLayout {
  /** Each name once; no item beyond `byteStride`. */
  readonly fields: readonly RecordField[];
  readonly rowCount: number;
  /** The records, little-endian, `byteStride` bytes each. */
  readonly bytes: Uint8Array;
  readonly byteStride: number;
  /**
   * By column name: which rows are not null, one bit a row, least significant first. Columns without an entry have no
   * null.
   */
  readonly validity?: ReadonlyMap<string, Uint8Array>;
}

interface StoredField {
  readonly name: string;
  readonly byteOffset: number;
  readonly info: DTypeInfo;
  /** Null: packed text, and items without a value. */
  readonly read: ReadItem | null;
  readonly validity: Uint8Array | null;
}

/**
 * Records in one buffer. Record i starts at byte `byteOffset + i * byteStride` of `buffer`; a column's item at
 * `fields[k].byteOffset` from there, at any alignment.
 */
export class RecordBatch<S extends TableTypes = TableTypes> {
  /** Only for the compiler: the types of the columns. */
  declare readonly columnTypes?: S;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly byteStride: number;
  readonly rowCount: number;
  readonly fields: readonly RecordField[];
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #stored: readonly StoredField[];

  /**
   * Takes records that lie in memory; no copy.
   * @throws ArgumentError ERR_ARGUMENT where the fields do not fit the stride or the bytes are too few;
   * UnsupportedError ERR_DTYPE for a variable-width column.
   */
  constructor({ fields, rowCount, bytes, byteStride, validity }: RecordLayout) {
    this.#stored = fields.map((field) => storedField(field, byteStride, validity?.get(field.name) ?? null));
    const names = new Set(fields.map(({ name }) => name));
    if (names.size !== fields.length) throw new ArgumentError('ERR_SCHEMA', 'fields', 'each name once', 'a name twice');
    if (!isCount(rowCount) || !isCount(byteStride))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'rowCount, byteStride',
        'counts',
        `${String(rowCount)}, ${String(byteStride)}`,
      );
    if (rowCount * byteStride > bytes.byteLength)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'bytes',
        `${String(rowCount * byteStride)} bytes`,
        String(bytes.byteLength),
      );
    this.fields = fields;
    this.rowCount = rowCount;
    this.byteStride = byteStride;
    this.buffer = bytes.buffer;
    this.byteOffset = bytes.byteOffset;
    this.byteLength = rowCount * byteStride;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, this.byteLength);
  }

  /** All records, not a copy. @throws ClosedError ERR_DETACHED where the buffer was transferred. */
  get bytes(): Uint8Array {
    return attached(this.#bytes, 'records', 'the records').subarray(0, this.byteLength);
  }

  /**
   * Record `index` as an object with schema order and no prototype; negatives count from the end. 64-bit integers and
   * ticks are bigint.
   * @throws OutOfRangeError; ClosedError ERR_DETACHED.
   */
  at(index: number): Record<string, Cell> {
    if (!Number.isInteger(index) || index < -this.rowCount || index >= this.rowCount)
      throw new OutOfRangeError('index', index, this.rowCount);
    return this.#record(index < 0 ? index + this.rowCount : index);
  }

  *[Symbol.iterator](): Generator<Record<string, Cell>, void, undefined> {
    for (let row = 0; row < this.rowCount; row += 1) yield this.#record(row);
  }

  /**
   * One bit a row, least significant first, 1 = not null; null where the column has no null. Not a copy.
   * @throws UnknownColumnError.
   */
  validity(name: string): Uint8Array | null {
    const field = this.#stored.find((stored) => stored.name === name);
    if (field === undefined)
      throw new UnknownColumnError(
        name,
        this.fields.map((own) => own.name),
      );
    return field.validity;
  }

  #record(row: number): Record<string, Cell> {
    attached(this.#bytes, 'records', 'the records');
    const record = nullObject<Cell>();
    for (const field of this.#stored) {
      const position = row * this.byteStride + field.byteOffset;
      record[field.name] = isValid(field.validity, row) ? this.#cell(field, position) : null;
    }
    return record;
  }

  #cell({ info, read }: StoredField, position: number): Cell {
    if (read !== null) return read(this.#view, position);
    const item = this.#item(position, info.itemBytes);
    if (!isFixedText(info)) return item;
    const text: string[] = [''];
    decodeFixedStringsUnchecked(item, info, 0, 1, text);
    return text[0] ?? '';
  }

  /** A copy. */
  #item(position: number, byteLength: number): Uint8Array {
    return this.#bytes.slice(position, position + byteLength);
  }
}

function storedField(
  { name, dtype, byteOffset }: RecordField,
  byteStride: number,
  validity: Uint8Array | null,
): StoredField {
  const info = parseDType(dtype);
  if (info.itemBytes === 0) {
    throw new UnsupportedError(
      'ERR_DTYPE',
      dtype,
      `packed records: column ${JSON.stringify(name)} is ${dtype}, which has no fixed width; drop() it, or use ` +
        'toColumns() or toRows()',
    );
  }
  if (!isCount(byteOffset) || byteOffset + info.itemBytes > byteStride) {
    throw new ArgumentError(
      'ERR_ARGUMENT',
      `byteOffset of ${JSON.stringify(name)}`,
      `an item of ${String(info.itemBytes)} bytes within ${String(byteStride)}`,
      String(byteOffset),
    );
  }
  return { name, byteOffset, info, read: itemReader(info), validity };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
