// Parquet through the optional peers hyparquet with hyparquet-compressors (reading) and hyparquet-writer: a row is an item, a plain column an array of one element, a list column an array of any length.
import { ArgumentError, CorruptFileError, UnsupportedError, openFileSink, optionalPeer } from '@colkit/io';
import type { SchemaElement, SchemaTree } from 'hyparquet';
import type { SyrahFile } from '../items/file.ts';
import type { SyrahDType, SyrahValue } from '../layout/dtype.ts';
import type { SyrahInput } from '../write/encode-array.ts';
import type { KeySpec } from '../write/item-encoder.ts';
import type { InputEntries, ItemReader, ItemSink, OutputEntries } from './item-exchange.ts';
import { unreadable } from './read-text.ts';

/** Rows that are decoded at once, and bytes of arrays that make a row group. */
const ROWS_AT_ONCE = 4096;
const ROW_GROUP_BYTES = 16 * 1024 * 1024;

export async function openParquet(path: string, schema: readonly KeySpec[] | null): Promise<ItemReader> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } = await optionalPeer(() => import('hyparquet'), 'hyparquet');
  const { compressors } = await optionalPeer(() => import('hyparquet-compressors'), 'hyparquet-compressors');
  const file = await asyncBufferFromFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => refuse(path, error));
  const found = parquetSchema(metadata).children.map((column) => ({ name: column.element.name, dtype: dtypeOf(column, path) }));
  const keys = schema ?? found;
  for (const { name } of keys) if (!found.some((column) => column.name === name)) throw new ArgumentError('ERR_SCHEMA', 'schema', `columns of ${path}`, JSON.stringify(name));
  const rowCount = Number(metadata.num_rows);
  return {
    schema: keys,
    itemCount: rowCount,
    async *items() {
      for (let rowStart = 0; rowStart < rowCount; rowStart += ROWS_AT_ONCE) {
        const rows = await parquetReadObjects({ file, metadata, columns: keys.map(({ name }) => name), rowStart, rowEnd: Math.min(rowStart + ROWS_AT_ONCE, rowCount), utf8: false, compressors }).catch((error: unknown) => refuse(path, error));
        for (const [k, row] of rows.entries()) yield entriesOfRow(row, keys, `${path}: row ${String(rowStart + k)}`);
      }
    },
  };
}

function refuse(path: string, error: unknown): never {
  const found = error instanceof Error ? error.message : String(error);
  throw new CorruptFileError('ERR_METADATA', { path, region: 'Parquet file', byteOffset: 0, expected: 'a Parquet file that hyparquet reads', found });
}

function entriesOfRow(row: Readonly<Record<string, unknown>>, keys: readonly KeySpec[], where: string): InputEntries {
  return keys.map(({ name, dtype }) => {
    const value = row[name];
    const place = `${where}: column ${JSON.stringify(name)}`;
    if (value === null || value === undefined) throw new ArgumentError('ERR_VALUE', place, `${dtype} (.syr files have no nulls)`, 'null');
    if (dtype === 'str') return [name, textOf(value)];
    if (value instanceof Uint8Array && dtype === 'uint8') return [name, value];
    const list: readonly unknown[] = Array.isArray(value) ? value : ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<number>) : [value];
    const bad = list.findIndex((element) => element === null || element === undefined);
    if (bad !== -1) throw new ArgumentError('ERR_VALUE', place, `${dtype} (.syr files have no nulls)`, `null at position ${String(bad)}`);
    return [name, list as SyrahInput];
  });
}

const utf8 = new TextDecoder();

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return utf8.decode(value);
  return Array.isArray(value) ? value.map(textOf).join('') : String(value);
}

/** The dtype of a column: of its only leaf, where it is a value or a list of values. @throws UnsupportedError ERR_DTYPE. */
function dtypeOf(column: SchemaTree, path: string): SyrahDType {
  let leaf = column;
  while (leaf.children.length === 1 && leaf.children[0] !== undefined) leaf = leaf.children[0];
  const dtype = leaf.children.length === 0 ? dtypeOfLeaf(leaf.element) : null;
  if (dtype !== null) return dtype;
  throw new UnsupportedError('ERR_DTYPE', 'nested Parquet column', `${path}: column ${JSON.stringify(column.element.name)} is neither numbers nor text nor a list of them`);
}

function dtypeOfLeaf({ type, converted_type: converted, logical_type: logical }: SchemaElement): SyrahDType | null {
  if (converted === 'UTF8' || logical?.type === 'STRING' || converted === 'ENUM' || converted === 'JSON') return 'str';
  if (converted?.startsWith('INT_') === true) return converted.toLowerCase().replace('_', '') as SyrahDType;
  if (converted?.startsWith('UINT_') === true) return converted.toLowerCase().replace('_', '') as SyrahDType;
  if (logical?.type === 'FLOAT16') return 'float16';
  if (converted !== undefined || (logical !== undefined && logical.type !== 'INTEGER')) return null;
  switch (type) {
    case 'BOOLEAN': return 'bool';
    case 'INT32': return 'int32';
    case 'INT64': return 'int64';
    case 'FLOAT': return 'float32';
    case 'DOUBLE': return 'float64';
    case 'BYTE_ARRAY': return 'uint8';
    default: return null;
  }
}

/** Numbers of 8 and 16 bits are INT32 with an annotation; float16 becomes FLOAT, float128 DOUBLE (with loss). A key whose arrays all have one element is a plain column. */
export async function openParquetSink(path: string, file: SyrahFile, options: { readonly overwrite: boolean }): Promise<ItemSink> {
  const { ByteWriter, ParquetWriter } = await optionalPeer(() => import('hyparquet-writer'), 'hyparquet-writer');
  const columns = file.schema.map(({ name, dtype }) => columnOf(file, name, dtype));
  const schema: SchemaElement[] = [{ name: 'schema', num_children: columns.length }, ...columns.flatMap(({ elements }) => elements)];
  const sink = await openFileSink(path, options);
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema });
  let rows: unknown[][] = columns.map(() => []);
  let bytes = 0;
  const drain = async (): Promise<void> => {
    const piece = new Uint8Array(writer.buffer.slice(0, writer.index));
    writer.index = 0;
    await sink.write(piece);
  };
  const flush = async (): Promise<void> => {
    const count = rows[0]?.length ?? 0;
    if (count === 0) return;
    await parquet.write({ columnData: columns.map(({ name }, k) => ({ name, data: rows[k] ?? [] })), rowGroupSize: count });
    rows = columns.map(() => []);
    bytes = 0;
    await drain();
  };
  return {
    async put(entries: OutputEntries) {
      for (const [k, [, value]] of entries.entries()) {
        rows[k]?.push(columns[k]?.single === true && typeof value !== 'string' ? elementsOf(value)[0] : typeof value === 'string' ? value : elementsOf(value));
        bytes += typeof value === 'string' ? value.length : value.byteLength;
      }
      if (bytes >= ROW_GROUP_BYTES) await flush();
    },
    async finish() {
      await flush();
      await parquet.finish();
      await drain();
      await sink.finish();
    },
    abort: () => sink.abort(),
  };

  function elementsOf(value: Exclude<SyrahValue, string>): unknown[] {
    return Array.from(value as ArrayLike<number | bigint>);
  }
}

interface Column {
  readonly name: string;
  readonly single: boolean;
  readonly elements: readonly SchemaElement[];
}

function columnOf(file: SyrahFile, name: string, dtype: string | null): Column {
  const type = dtype === null ? undefined : PARQUET_TYPES.get(dtype);
  if (type === undefined) throw new UnsupportedError('ERR_DTYPE', 'Parquet', `${file.path}: key ${JSON.stringify(name)} of ${dtype ?? 'several dtypes'} has no place in Parquet`);
  const single = dtype === 'str' || file.lengths(name).every((length) => length === 1);
  if (single) return { name, single, elements: [{ name, repetition_type: 'REQUIRED', ...type }] };
  return {
    name,
    single,
    elements: [
      { name, repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'REQUIRED', ...type },
    ],
  };
}

const PARQUET_TYPES: ReadonlyMap<string, Pick<SchemaElement, 'type' | 'converted_type'>> = new Map<string, Pick<SchemaElement, 'type' | 'converted_type'>>([
  ['bool', { type: 'BOOLEAN' }], ['str', { type: 'BYTE_ARRAY', converted_type: 'UTF8' }],
  ['int8', { type: 'INT32', converted_type: 'INT_8' }], ['int16', { type: 'INT32', converted_type: 'INT_16' }], ['int32', { type: 'INT32' }], ['int64', { type: 'INT64' }],
  ['uint8', { type: 'INT32', converted_type: 'UINT_8' }], ['uint16', { type: 'INT32', converted_type: 'UINT_16' }], ['uint32', { type: 'INT32', converted_type: 'UINT_32' }],
  ['uint64', { type: 'INT64', converted_type: 'UINT_64' }],
  ['float16', { type: 'FLOAT' }], ['float32', { type: 'FLOAT' }], ['float64', { type: 'DOUBLE' }], ['float128', { type: 'DOUBLE' }],
]);
