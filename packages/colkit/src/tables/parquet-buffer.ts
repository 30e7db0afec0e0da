// One column of one row group of a Parquet file, filled piece by piece as hyparquet gives it -> a column for the
// writer.
import { CorruptFileError, isBinary, isFloat, parseDType, typedArrayOver } from '@colkit/io';
import { typed } from '@colkit/table';
import { textOrBytes } from '@colkit/table/parquet';
import type { ColumnInput } from '@colkit/table';
import type { ParquetColumn } from './parquet-types.ts';

type NumberArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | Float64Array;
export class ParquetBuffer {
  readonly #column: ParquetColumn;
  readonly #path: string;
  readonly #start: number;
  readonly #count: number;
  readonly #numbers: NumberArray | null;
  readonly #isInteger: boolean;
  readonly #isText: boolean;
  readonly #bigints: BigInt64Array | BigUint64Array | null;
  readonly #values: (string | Uint8Array | null)[] | null;
  readonly #validity: Uint8Array;
  #filled = 0;
  #fault: Error | null = null;

  /** Of rows [start, end) of the file `path`. */
  constructor(column: ParquetColumn, path: string, start: number, end: number) {
    const { dtype } = column;
    this.#column = column;
    this.#path = path;
    this.#start = start;
    this.#count = end - start;
    const info = parseDType(dtype);
    this.#isInteger = !isFloat(info);
    this.#isText = !isBinary(info);
    const items = info.itemBytes === 0 ? null : typedArrayOver(info, new Uint8Array(info.itemBytes * this.#count));
    this.#values = items === null ? new Array<string | Uint8Array | null>(this.#count).fill(null) : null;
    this.#bigints = items instanceof BigInt64Array || items instanceof BigUint64Array ? items : null;
    this.#numbers = this.#bigints === null ? (items as NumberArray | null) : null;
    this.#validity = new Uint8Array(Math.ceil(this.#count / 8));
  }

  /** What the column is called here. */
  get name(): string {
    return this.#column.name;
  }

  /**
   * Values from row `from` of the file on; rows outside of the row group are passed over. What cannot be taken is told
   * by `finish`: an error thrown here would reach nobody.
   */
  put(data: ArrayLike<unknown>, from: number): void {
    try {
      this.#put(data, from);
    } catch (error) {
      this.#fault ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  #put(data: ArrayLike<unknown>, from: number): void {
    const { take } = this.#column;
    const first = Math.max(0, this.#start - from);
    const last = Math.min(data.length, this.#start + this.#count - from);
    for (let i = first; i < last; i++) {
      const row = from + i - this.#start;
      this.#filled++;
      const stored = data[i];
      if (stored === null || stored === undefined) continue;
      this.#validity[row >>> 3] = (this.#validity[row >>> 3] as number) | (1 << (row & 7));
      const value = take === null ? stored : take(stored, from + i);
      if (this.#numbers !== null) {
        const number = Number(value);
        this.#numbers[row] = number;
        if (this.#isInteger && this.#numbers[row] !== number)
          throw this.#corrupt(`values of ${this.#column.dtype}`, `${String(number)} in row ${String(from + i)}`);
      } else if (this.#bigints !== null) this.#bigints[row] = BigInt(value as bigint | number);
      else if (this.#values !== null) this.#values[row] = this.#text(value, from + i);
    }
  }

  /**
   * @throws CorruptFileError where rows are missing or are not what the schema says; ArgumentError ERR_VALUE for what
   * the column's type cannot hold.
   */
  finish(): ColumnInput {
    const { dtype, nullable } = this.#column;
    if (this.#fault !== null) throw this.#fault;
    if (this.#filled !== this.#count) throw this.#corrupt(`${String(this.#count)} rows`, String(this.#filled));
    if (this.#values !== null) return typed(dtype, this.#values);
    const values = typed(dtype, (this.#numbers ?? this.#bigints) as NumberArray | BigInt64Array);
    return nullable ? { values, validity: this.#validity } : values;
  }

  #text(value: unknown, row: number): string | Uint8Array {
    const isText = this.#isText;
    const text = isText && value instanceof Uint8Array ? textOrBytes(value) : value;
    if (typeof text === 'string' && isText) return text;
    if (text instanceof Uint8Array && !isText) return text;
    throw this.#corrupt(
      isText ? 'UTF-8' : 'bytes',
      `${text instanceof Uint8Array ? 'other bytes' : typeof text} in row ${String(row)}`,
    );
  }

  #corrupt(expected: string, found: string): CorruptFileError {
    return new CorruptFileError('ERR_METADATA', {
      path: this.#path,
      region: 'Parquet column',
      byteOffset: 0,
      expected,
      found,
      column: this.#column.name,
    });
  }
}
