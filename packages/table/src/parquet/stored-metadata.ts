// What hyparquet is told, so that it gives values as they are stored where its own conversion loses something, reads
// pages that it would stumble over, and is not asked for what it cannot decompress.
import { CorruptFileError, LimitError, UnsupportedError, isColkitError } from '@colkit/io';
import type { ParquetElement } from './leaf-type.ts';

/** Of hyparquet's FileMetaData what matters here. */
export interface ParquetMetadata {
  readonly schema: readonly ParquetElement[];
  readonly row_groups: readonly {
    readonly columns: readonly {
      readonly crypto_metadata?: unknown;
      readonly meta_data?: {
        readonly type: string;
        readonly codec: string;
        readonly path_in_schema: readonly string[];
      };
    }[];
  }[];
}

type Compressor = (input: Uint8Array, outputLength: number) => Uint8Array;

/** What hyparquet converts as it should be. */
const CONVERTED: ReadonlySet<string> = new Set([
  'UTF8',
  'STRING',
  'JSON',
  'UUID',
  'FLOAT16',
  'INTEGER',
  'INT_8',
  'INT_16',
  'INT_32',
  'INT_64',
  'UINT_8',
  'UINT_16',
  'UINT_32',
  'UINT_64',
]);
const STRUCTURE: ReadonlySet<string> = new Set(['LIST', 'MAP', 'MAP_KEY_VALUE', 'VARIANT']);
const INT96_BYTES = 12;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text, or, where it is none, the bytes, which whoever knows column and row then refuses. */
export function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  try {
    return UTF8.decode(bytes);
  } catch {
    return bytes;
  }
}

/** For hyparquet: JSON is the text that it is. */
export const TEXT_PARSERS = { stringFromBytes: textOrBytes, jsonFromBytes: textOrBytes };

/**
 * The same metadata, with annotations left out where values shall come as they are stored; INT96 as its twelve bytes.
 * For `leafType` of the metadata as they were.
 */
export function storedMetadata<M extends ParquetMetadata>(metadata: M): M {
  return {
    ...metadata,
    schema: metadata.schema.map(storedElement),
    row_groups: metadata.row_groups.map((group) => ({
      ...group,
      columns: group.columns.map((column) =>
        column.meta_data?.type === 'INT96'
          ? { ...column, meta_data: { ...column.meta_data, type: 'FIXED_LEN_BYTE_ARRAY' } }
          : column,
      ),
    })),
  };
}

function storedElement(element: ParquetElement): ParquetElement {
  if (element.type === 'INT96')
    return { name: element.name, ...repetition(element), type: 'FIXED_LEN_BYTE_ARRAY', type_length: INT96_BYTES };
  const kind = element.logical_type?.type ?? element.converted_type;
  if (kind === undefined || CONVERTED.has(kind) || STRUCTURE.has(kind)) return element;
  const stored = { ...element };
  Reflect.deleteProperty(stored, 'converted_type');
  Reflect.deleteProperty(stored, 'logical_type');
  return stored;
}

function repetition(element: ParquetElement): object {
  return 'repetition_type' in element ? { repetition_type: element.repetition_type } : {};
}

/**
 * Pages without a value have no bytes, compressed to none (data pages of version 2) or to whatever a codec makes of
 * nothing (dictionaries). hyparquet 1.31 hands them to the decompressors, of which SNAPPY refuses the former and
 * LZ4_RAW the latter.
 */
export function emptyPages(compressors: Readonly<Record<string, Compressor | undefined>>): Record<string, Compressor> {
  const checked: Record<string, Compressor> = {};
  for (const [codec, decompress] of Object.entries(compressors)) {
    if (decompress !== undefined)
      checked[codec] = (input, outputLength) =>
        outputLength === 0 ? new Uint8Array(0) : decompress(input, outputLength);
  }
  return checked;
}

/**
 * @throws UnsupportedError ERR_ENCODING for a chosen column that is compressed with something else;
 * @param remedy how the column can be left out.
 */
export function requireCodecs(
  { row_groups: groups }: ParquetMetadata,
  names: readonly string[],
  compressors: Readonly<Record<string, unknown>>,
  path: string,
  remedy: string,
): void {
  for (const { columns } of groups) {
    for (const { meta_data: meta, crypto_metadata: crypto } of columns) {
      const name = meta?.path_in_schema[0];
      if (crypto !== undefined && (name === undefined || names.includes(name)))
        throw new UnsupportedError(
          'ERR_FEATURE',
          'Parquet encryption',
          `${path}: ${name === undefined ? 'a column' : `column ${JSON.stringify(name)}`} is encrypted, which is ` +
            `not read; ${remedy}`,
        );
      if (
        meta === undefined ||
        name === undefined ||
        !names.includes(name) ||
        meta.codec === 'UNCOMPRESSED' ||
        compressors[meta.codec] !== undefined
      )
        continue;
      throw new UnsupportedError(
        'ERR_ENCODING',
        meta.codec,
        `${path}: column ${JSON.stringify(name)} is compressed with ${meta.codec}, which is not read; write it ` +
          `with ZSTD or SNAPPY, or ${remedy}`,
      );
    }
  }
}

/** What hyparquet threw, which is plain Errors: what it does not know is no damage. */
export function parquetFault(path: string, error: unknown): Error {
  if (isColkitError(error)) return error;
  const found = error instanceof Error ? error.message : String(error);
  // A name: `undefined` is a number that the format does not have.
  const unknown =
    /^parquet (?:byte_stream_split )?(?:unsupported|unhandled) [a-z ]+: [A-Z][A-Z0-9_]+$|^parquet file_path not supported$/u.test(
      found,
    );
  if (unknown) return new UnsupportedError('ERR_ENCODING', found, `${path}: ${found}; write the file again without it`);
  return new CorruptFileError('ERR_METADATA', {
    path,
    region: 'Parquet file',
    byteOffset: 0,
    expected: 'a Parquet file that hyparquet reads',
    found,
    cause: error,
  });
}

/** Of hyparquet's AsyncBuffer. */
interface Slices {
  readonly byteLength: number;
  slice(start: number, end?: number): Promise<ArrayBuffer> | ArrayBuffer;
}

/**
 * Reads that may fail with nobody waiting: hyparquet begins them ahead, and what it throws before it comes to them
 * would leave rejections that end the process. Who waits is told as before.
 */
export function watchedReads(file: Slices): {
  readonly byteLength: number;
  slice(start: number, end?: number): Promise<ArrayBuffer>;
} {
  return {
    byteLength: file.byteLength,
    slice(start, end) {
      const bytes = Promise.resolve().then(() => {
        // Where a footer is damaged.
        if (!(start <= file.byteLength)) throw new Error(`bytes at ${String(start)}`);
        return file.slice(start, end);
      });
      bytes.catch(() => undefined);
      return bytes;
    },
  };
}

/** More than any writer puts into one row group, whose values are in memory at once. */
const MOST_ROWS = 2 ** 28;

/** What a Parquet footer says of its rows: in all, and of each row group. */
interface StoredRowCounts {
  readonly num_rows: bigint;
  readonly row_groups: readonly { readonly num_rows: bigint }[];
}

/** @throws CorruptFileError for counts of rows that are none; LimitError. */
export function requireRowCounts({ num_rows: total, row_groups: groups }: StoredRowCounts, path: string): void {
  for (const count of [total, ...groups.map(({ num_rows: rows }) => rows)]) {
    const rows = Number(count);
    if (!Number.isSafeInteger(rows) || rows < 0)
      throw new CorruptFileError('ERR_METADATA', {
        path,
        region: 'Parquet file',
        byteOffset: 0,
        expected: 'a count of rows',
        found: String(rows),
      });
  }
  const most = groups.reduce((largest, { num_rows: rows }) => Math.max(largest, Number(rows)), 0);
  if (most > MOST_ROWS) throw new LimitError('ERR_LIMIT', `${path}: rows of a Parquet row group`, MOST_ROWS, most);
}

const ENCRYPTED = [0x50, 0x41, 0x52, 0x45];

/**
 * @param tail the last bytes of the file.
 * @throws UnsupportedError ERR_FEATURE where the footer is encrypted ('PARE').
 */
export function requirePlainFooter(tail: Uint8Array, path: string): void {
  if (tail.length >= 4 && ENCRYPTED.every((byte, index) => tail[tail.length - 4 + index] === byte)) {
    throw new UnsupportedError(
      'ERR_FEATURE',
      'Parquet encryption',
      `${path}: the file is encrypted, which is not read; write it without encryption`,
    );
  }
}
