// A Parquet file -> a .cna file, one row group of it at a time, through the optional peers hyparquet and hyparquet-compressors. Times keep every tick, integers every digit.
import { ArgumentError, CorruptFileError, UnknownColumnError, isColkitError, openSource, optionalPeer } from '@colkit/io';
import type { DType, Openable, RandomAccessSource } from '@colkit/io';
import { typed } from '@colkit/table';
import type { ColumnInput } from '@colkit/table';
import type { AsyncBuffer, FileMetaData, ParquetParsers } from 'hyparquet';
import { create } from '../write/create.ts';
import type { CreateOptions } from '../write/create.ts';
import type { WriteReport } from '../write/write-report.ts';
import { isDecimal, parquetColumns } from './parquet-types.ts';
import type { ParquetColumn } from './parquet-types.ts';

export interface FromParquetOptions extends Omit<CreateOptions, 'schema'> {
  /** Which columns, in which order; default: all. */
  readonly columns?: readonly string[];
  /** Called after every row group of the Parquet file. */
  readonly onProgress?: (progress: { readonly rows: number; readonly totalRows: number }) => void;
}

/** Times as ticks and dates as days, and JSON as the text that it is. */
const PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (ticks) => ticks,
  timestampFromMicroseconds: (ticks) => ticks,
  timestampFromNanoseconds: (ticks) => ticks,
  dateFromDays: (days) => BigInt(days),
  jsonFromBytes: (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
};

/**
 * Writes the columns of a Parquet file (a path, URL, Blob, bytes) to a new .cna file, which appears when it is whole. Memory: one row group of the Parquet file and one of the .cna file.
 * Timestamps lose their time zone (they are UTC then); DECIMAL becomes float64; a column is nullable where Parquet calls it optional.
 * @throws UnsupportedError ERR_FEATURE (a peer is missing), ERR_DTYPE (nested columns); CorruptFileError ERR_METADATA for what hyparquet cannot read; ArgumentError ERR_VALUE for nanoseconds
 * that are no whole microseconds; UnknownColumnError; IoError.
 */
export async function fromParquet(source: Openable, path: string | URL, options: FromParquetOptions = {}): Promise<WriteReport> {
  const { columns: names, onProgress, ...writing } = options;
  const hyparquet = await optionalPeer(() => import('hyparquet'), 'hyparquet');
  const { compressors } = await optionalPeer(() => import('hyparquet-compressors'), 'hyparquet-compressors');
  const opened = await openSource(source);
  try {
    const file = asyncBuffer(opened);
    const metadata = plainDecimals(await reading(opened, () => hyparquet.parquetMetadataAsync(file)));
    const columns = chosen(parquetColumns(hyparquet.parquetSchema(metadata.original), opened.path), names);
    const writer = await create(path, { ...writing, schema: columns.map(({ name, dtype, nullable }) => ({ name, dtype, nullable })) });
    try {
      const totalRows = Number(metadata.plain.num_rows);
      let rowStart = 0;
      for (const group of metadata.plain.row_groups) {
        const rowEnd = rowStart + Number(group.num_rows);
        const buffers = new Map(columns.map((column) => [column.name, new ColumnBuffer(column, rowStart, rowEnd)]));
        await reading(opened, () => hyparquet.parquetRead({
          file, metadata: metadata.plain, columns: columns.map(({ name }) => name), rowStart, rowEnd, compressors, parsers: PARSERS, utf8: false,
          onChunk: ({ columnName, columnData, rowStart: from }) => buffers.get(columnName)?.put(columnData, from),
        }));
        if (rowEnd > rowStart) await writer.write(Array.from(buffers, ([name, buffer]) => [name, buffer.finish(opened.path)] as const));
        rowStart = rowEnd;
        onProgress?.({ rows: rowEnd, totalRows });
      }
      return await writer.close();
    } catch (error) {
      await writer.abort();
      throw error;
    }
  } finally {
    if (opened !== source) opened.close();
  }
}

function asyncBuffer(source: RandomAccessSource): AsyncBuffer {
  return {
    byteLength: source.byteLength,
    async slice(start, end = source.byteLength) {
      const from = start < 0 ? Math.max(0, source.byteLength + start) : start;
      const out = new Uint8Array(Math.max(0, Math.min(end, source.byteLength) - from));
      await source.read(from, out);
      return out.buffer;
    },
  };
}

/** What hyparquet throws is plain Errors. */
async function reading<T>(source: RandomAccessSource, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isColkitError(error)) throw error;
    throw new CorruptFileError('ERR_METADATA', { path: source.path, region: 'Parquet file', byteOffset: 0, expected: 'a Parquet file that hyparquet reads', found: error instanceof Error ? error.message : String(error) });
  }
}

/** The metadata as they are, and a form in which decimals are the integers that are stored: dividing them by a power of ten is rounded once, multiplying by its inverse twice. */
function plainDecimals(original: FileMetaData): { readonly original: FileMetaData; readonly plain: FileMetaData } {
  const schema = original.schema.map((element) => {
    if (!isDecimal(element)) return element;
    const stored = { ...element };
    delete stored.converted_type;
    delete stored.logical_type;
    return stored;
  });
  return { original, plain: { ...original, schema } };
}

function chosen(columns: readonly ParquetColumn[], names: readonly string[] | undefined): readonly ParquetColumn[] {
  return names === undefined ? columns : names.map((name) => {
    const column = columns.find((each) => each.name === name);
    if (column === undefined) throw new UnknownColumnError(name, columns.map((each) => each.name));
    return column;
  });
}

type NumberArray = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;
const NUMBER_ARRAYS: Partial<Record<DType, new (length: number) => NumberArray>> = {
  bool: Uint8Array, int8: Int8Array, int16: Int16Array, int32: Int32Array, uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, float32: Float32Array, float64: Float64Array,
};

/** One column of one row group, filled piece by piece. */
class ColumnBuffer {
  readonly #column: ParquetColumn;
  readonly #start: number;
  readonly #count: number;
  readonly #numbers: NumberArray | null;
  readonly #bigints: BigInt64Array | BigUint64Array | null;
  readonly #values: (string | Uint8Array | null)[] | null;
  readonly #validity: Uint8Array;
  #filled = 0;

  constructor(column: ParquetColumn, start: number, end: number) {
    const { dtype } = column;
    this.#column = column;
    this.#start = start;
    this.#count = end - start;
    const Numbers = NUMBER_ARRAYS[dtype];
    this.#numbers = Numbers === undefined ? null : new Numbers(this.#count);
    const isText = dtype === 'string' || dtype === 'binary';
    this.#values = isText ? new Array<string | Uint8Array | null>(this.#count).fill(null) : null;
    this.#bigints = Numbers !== undefined || isText ? null : dtype === 'uint64' ? new BigUint64Array(this.#count) : new BigInt64Array(this.#count);
    this.#validity = new Uint8Array(Math.ceil(this.#count / 8));
  }

  /** Values from row `from` of the file on; rows outside of the row group are passed over. */
  put(data: ArrayLike<unknown>, from: number): void {
    const first = Math.max(0, this.#start - from);
    const last = Math.min(data.length, this.#start + this.#count - from);
    for (let i = first; i < last; i++) {
      const row = from + i - this.#start;
      this.#filled++;
      const value = data[i];
      if (value === null || value === undefined) continue;
      this.#validity[row >>> 3] = (this.#validity[row >>> 3] as number) | (1 << (row & 7));
      if (this.#numbers !== null) this.#numbers[row] = this.#number(value);
      else if (this.#bigints !== null) this.#bigints[row] = BigInt(value as bigint | number);
      else if (this.#values !== null) this.#values[row] = this.#text(value);
    }
  }

  /** @throws CorruptFileError where rows are missing. */
  finish(path: string): ColumnInput {
    const { name, dtype, nullable } = this.#column;
    if (this.#filled !== this.#count) throw new CorruptFileError('ERR_METADATA', { path, region: 'Parquet column', byteOffset: 0, expected: `${this.#count} rows`, found: String(this.#filled), column: name });
    if (this.#values !== null) return typed(dtype, this.#values);
    const values = typed(dtype, (this.#numbers ?? this.#bigints) as NumberArray | BigInt64Array);
    return nullable ? { values, validity: this.#validity } : values;
  }

  #number(value: unknown): number {
    const { scale } = this.#column;
    if (scale === null) return Number(value);
    // The integers of decimals are exact as bigints; their quotient is the double nearest to the decimal where both fit, which is up to 22 digits behind the point.
    const stored = value instanceof Uint8Array ? signedBigEndian(value) : BigInt(value as number | bigint);
    return Number(stored) / 10 ** scale;
  }

  #text(value: unknown): string | Uint8Array {
    const isText = this.#column.dtype === 'string';
    if (value instanceof Uint8Array) return isText ? new TextDecoder().decode(value) : value;
    if (typeof value === 'string' && isText) return value;
    throw new ArgumentError('ERR_VALUE', `column ${JSON.stringify(this.#column.name)}`, isText ? 'text' : 'bytes', typeof value);
  }
}

function signedBigEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}
