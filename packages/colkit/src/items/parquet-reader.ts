// Parquet in, through the optional peer hyparquet: a row is an item, a plain column an array of one element, a list
// column an array of any length.
import { ArgumentError, CorruptFileError, UnsupportedError, isMoment, parseDType } from '@colkit/io';
import { toISO } from '@colkit/table';
import {
  TEXT_PARSERS,
  leafType,
  parquetFault,
  requireCodecs,
  requirePlainFooter,
  requireRowCounts,
  storedMetadata,
  textOrBytes,
  watchedReads,
} from '@colkit/table/parquet';
import type { LeafType } from '@colkit/table/parquet';
import type { SchemaTree } from 'hyparquet';
import { peers } from '../formats/peers.ts';
import { isText, keyDType } from './dtypes.ts';
import type { SyrahDType } from './dtypes.ts';
import type { SyrahInput } from 'syrah';
import type { KeySpec } from 'syrah';
import type { ItemReader } from './item-exchange.ts';
import { decompressors } from '../tables/parquet/decompressors.ts';
import { standardSchema } from '../tables/parquet/standard-schema.ts';
import { unreadable } from './read-text.ts';

/** Rows that are decoded at once. */
const ROWS_AT_ONCE = 4096;
const MAGIC_BYTES = 4;
const LEAVE_OUT = 'name the other columns in --schema';

interface ParquetKey extends KeySpec {
  readonly leaf: LeafType;
}

/**
 * With a schema its columns alone are looked at, whatever the others are.
 * @throws UnsupportedError ERR_DTYPE, ERR_ENCODING, ERR_FEATURE; CorruptFileError; ArgumentError ERR_SCHEMA; IoError.
 */
export async function openParquet(path: string, schema: readonly KeySpec[] | null): Promise<ItemReader> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetRead, parquetSchema } = await peers.hyparquet();
  const reading = async <T>(read: () => Promise<T> | T): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      throw parquetFault(path, error);
    }
  };
  const file = watchedReads(
    await asyncBufferFromFile(path).catch((error: unknown) => {
      throw unreadable(path, error);
    }),
  );
  requirePlainFooter(new Uint8Array(await file.slice(Math.max(0, file.byteLength - MAGIC_BYTES))), path);
  const metadata = await reading(async () =>
    standardSchema(await parquetMetadataAsync(file, { geoparquet: false }), path),
  );
  const keys = await reading(() => chosenKeys(parquetSchema(metadata).children, schema, path));
  const names = keys.map(({ name }) => name);
  const compressors = await decompressors(metadata, names);
  const stored = await reading(() => {
    requireRowCounts(metadata, path);
    requireCodecs(metadata, names, compressors, path, LEAVE_OUT);
    return storedMetadata(metadata);
  });
  const rowCount = Number(metadata.num_rows);
  return {
    schema: keys.map(({ name, dtype }) => ({ name, dtype })),
    itemCount: rowCount,
    notes: keys.flatMap(({ name, leaf: { note } }) => (note === null ? [] : [{ key: name, note }])),
    async *items() {
      for (let rowStart = 0; rowStart < rowCount; rowStart += ROWS_AT_ONCE) {
        const rowEnd = Math.min(rowStart + ROWS_AT_ONCE, rowCount);
        const rows = await reading(
          () =>
            new Promise<unknown[][]>((resolve, reject) => {
              parquetRead({
                file,
                metadata: stored,
                columns: names,
                rowStart,
                rowEnd,
                utf8: false,
                compressors,
                parsers: TEXT_PARSERS,
                onComplete: (all) => resolve(all as unknown[][]),
              }).catch(reject);
            }),
        );
        for (const [k, row] of rows.entries())
          yield keys.map((key, column) => [key.name, inputOf(row[column], key, path, rowStart + k)] as const);
      }
    },
  };
}

function chosenKeys(columns: readonly SchemaTree[], schema: readonly KeySpec[] | null, path: string): ParquetKey[] {
  if (schema === null) return columns.map((column) => keyOf(column, null, path));
  return schema.map(({ name, dtype }) => {
    const column = columns.find(({ element }) => element.name === name);
    if (column === undefined)
      throw new ArgumentError('ERR_SCHEMA', 'schema', `columns of ${path}`, JSON.stringify(name));
    return keyOf(column, dtype, path);
  });
}

/** A column is of its only leaf, where it is a value or a list of values. @throws UnsupportedError ERR_DTYPE. */
function keyOf(column: SchemaTree, dtype: SyrahDType | null, path: string): ParquetKey {
  let tree = column;
  while (tree.children.length === 1 && tree.children[0] !== undefined) tree = tree.children[0];
  const { name } = column.element;
  const leaf = tree.children.length === 0 ? leafType(tree.element, LEAVE_OUT) : null;
  if (leaf === null) {
    throw new UnsupportedError(
      'ERR_DTYPE',
      'nested Parquet column',
      `${path}: column ${JSON.stringify(name)} is neither numbers nor text nor a list of them; leave it out: ` +
        LEAVE_OUT,
    );
  }
  if (!isMoment(parseDType(leaf.dtype)))
    return { name, dtype: dtype ?? dtypeOf(leaf, tree), leaf: isHalf(tree) ? { ...leaf, note: null } : leaf };
  const ticks = dtype !== null && !isText(dtype);
  return {
    name,
    dtype: dtype ?? 'str',
    leaf: {
      ...leaf,
      note:
        'moments became ' +
        (ticks ? `the ticks of ${leaf.dtype}` : 'text in ISO 8601, UTC (int64 in --schema takes their ticks)'),
    },
  };
}

function dtypeOf({ dtype }: LeafType, tree: SchemaTree): SyrahDType {
  if (isHalf(tree)) return 'float16';
  return keyDType(dtype);
}

function isHalf({ element }: SchemaTree): boolean {
  return element.logical_type?.type === 'FLOAT16';
}

function inputOf(value: unknown, key: ParquetKey, path: string, row: number): SyrahInput {
  const { name, dtype, leaf } = key;
  const where = `${path}: row ${String(row)}: column ${JSON.stringify(name)}`;
  if (value === null || value === undefined)
    throw new ArgumentError('ERR_VALUE', where, `${dtype} (.syr files have no nulls)`, 'null');
  if (value instanceof Uint8Array && leaf.take === null && dtype === 'uint8') return value;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const bad = list.findIndex((element) => element === null || element === undefined);
  if (bad !== -1)
    throw new ArgumentError(
      'ERR_VALUE',
      where,
      `${dtype} (.syr files have no nulls)`,
      `null at position ${String(bad)}`,
    );
  if (isText(dtype)) return list.map((element) => textOf(element, leaf, row, where));
  return (leaf.take === null ? list : list.map((element) => leaf.take?.(element, row))) as SyrahInput;
}

function textOf(stored: unknown, { dtype, take }: LeafType, row: number, where: string): string {
  const value = take === null ? stored : take(stored, row);
  if (value instanceof Uint8Array) {
    const text = textOrBytes(value);
    if (typeof text === 'string') return text;
    throw new CorruptFileError('ERR_METADATA', {
      path: where,
      region: 'value',
      byteOffset: 0,
      expected: 'UTF-8',
      found: 'other bytes',
    });
  }
  return isMoment(parseDType(dtype)) ? toISO(BigInt(value as number | bigint), dtype) : String(value);
}
