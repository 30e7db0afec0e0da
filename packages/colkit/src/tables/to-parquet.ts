// A .cna file or a lazy table -> a Parquet file, row group by row group, through the optional peer hyparquet-writer.
// The file appears when it is whole.
import { ArgumentError, checkOptions, isBool, isTime, option, parseDType } from '@colkit/io';
import type { DType, Openable, OptionSet, WriteTarget } from '@colkit/io';
import { NAT, isValid } from '@colkit/table';
import type { Table } from '@colkit/table';
import type { KeyValue, SchemaElement } from 'hyparquet';
import type { AnyTable } from 'columna';
import { peers } from '../formats/peers.ts';
import { fillTarget } from './open-target.ts';
import type { OpenTarget } from './open-target.ts';
import { FROM_TABLE_OPTIONS, withTable } from './opened-table.ts';
import type { FromTableOptions } from './opened-table.ts';
import { ARROW_SCHEMA_KEY, arrowSchemaText } from './parquet/arrow-schema.ts';
import { isDuration, isNarrowed, storedTicks } from './parquet/parquet-elements.ts';
import { RowGroupWriter } from './parquet/row-group-writer.ts';
import type { ParquetColumnData } from './parquet/row-group-writer.ts';
import { parquetElement } from './parquet-types.ts';

export interface ToParquetOptions extends FromTableOptions {
  /** Replace an existing file; without it ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Rows of a row group, what is in memory at a time. Default: 131,072, or as many as 64 MiB of values have. */
  readonly rowGroupSize?: number;
  /** Called after each row group, with the rows written so far. */
  readonly onProgress?: (progress: { readonly rows: number }) => void;
}

const TO_PARQUET_OPTIONS: OptionSet<ToParquetOptions> = {
  ...FROM_TABLE_OPTIONS,
  overwrite: option.flag,
  rowGroupSize: option.count('rows', 1),
  onProgress: option.callback(),
};

export interface ParquetReport {
  readonly byteLength: number;
  readonly rowCount: number;
}

const ROW_GROUP_SIZE = 131_072;
const ROW_GROUP_BYTES = 1 << 26;
const LARGEST_DAY = 2n ** 31n;

/**
 * Writes a Parquet file (to a path, a sink, the handle of a file; Snappy, dictionaries where they help). datetime
 * becomes TIMESTAMP of its unit without a zone (of seconds, of milliseconds), date DATE, text of fixed width text,
 * binary BYTE_ARRAY, float16 FLOAT. NaT becomes null; a column is OPTIONAL where it may hold nulls, or holds a NaT (of
 * which times are looked through once before). Parquet has no durations: timedelta64 becomes INT64 (weeks to minutes as
 * seconds), and the file's metadata have the Arrow schema (`ARROW:schema`), by which pyarrow, Polars and pandas read
 * durations; others read integers.
 * @throws UnsupportedError ERR_FEATURE (the peer is missing), ERR_DTYPE; ArgumentError ERR_VALUE for dates beyond 32
 * bits of days, and times beyond 64 bits of the unit that they get; as `open`; IoError ERR_EXISTS, ERR_WRITE.
 */
export async function toParquet(
  source: Openable | AnyTable,
  target: WriteTarget,
  options: ToParquetOptions = {},
): Promise<ParquetReport> {
  checkOptions('toParquet', TO_PARQUET_OPTIONS, options);
  const peer = await peers.parquetWriter();
  const { rowGroupSize: rows, onProgress, overwrite = false } = options;
  const most = rows === undefined ? { rows: ROW_GROUP_SIZE, bytes: ROW_GROUP_BYTES } : { rows };
  return withTable(source, options, async (table) => {
    for (const { name, dtype, nullable } of table.schema) parquetElement(name, dtype, nullable);
    return fillTarget(target, overwrite, async (output) => {
      const fields = await storedFields(table, most.rows);
      return { rowCount: await putRows(table, fields, output, { peer, most, onProgress }) };
    });
  });
}

/** The columns as they are written: a time that holds a NaT may be null. */
async function storedFields(table: Table, rows: number): Promise<Table['schema']> {
  const missing = new Set<string>();
  const times = table.schema.filter(({ dtype, nullable }) => !nullable && isTime(parseDType(dtype)));
  for (const { name } of times)
    for await (const batch of table.select(name).batches({ rows, dates: 'ticks' })) {
      if (!((batch as Record<string, unknown>)[name] as BigInt64Array).includes(NAT)) continue;
      missing.add(name);
      break;
    }
  return table.schema.map((field) => (missing.has(field.name) ? { ...field, nullable: true } : field));
}

async function putRows(
  table: Table,
  fields: Table['schema'],
  output: OpenTarget,
  { peer, most, onProgress }: Putting,
): Promise<number> {
  const columns = fields.map(({ name, dtype, nullable }) => parquetElement(name, dtype, nullable));
  const schema: SchemaElement[] = [{ name: 'schema', num_children: columns.length }, ...columns];
  const metadata = { createdBy: 'colkit', ...metadataOf(fields) };
  const file = new RowGroupWriter(peer, { schema, metadata, put: (bytes) => output.write(bytes) });
  let rowCount = 0;
  for await (const batch of table.batches({ ...most, nulls: 'bitmap' })) {
    const data = fields.map(({ name, dtype, nullable }) => {
      const values = (batch as Record<string, BatchValues>)[name] as BatchValues;
      return { name, data: parquetValues(values, dtype, name, nullable) };
    });
    const rows = data[0]?.data.length ?? 0;
    await file.write(data, rows);
    rowCount += rows;
    onProgress?.({ rows: rowCount });
  }
  await file.finish();
  return rowCount;
}

interface Putting {
  readonly peer: Awaited<ReturnType<typeof peers.parquetWriter>>;
  readonly most: { readonly rows: number; readonly bytes?: number };
  readonly onProgress: ToParquetOptions['onProgress'];
}

/** Only what Parquet itself does not tell takes more words. */
function metadataOf(fields: Table['schema']): { kvMetadata?: KeyValue[] } {
  if (!fields.some(({ dtype }) => isDuration(dtype))) return {};
  const stored = fields.map((field) => ({ ...field, dtype: storedTicks(field.dtype)?.dtype ?? field.dtype }));
  return { kvMetadata: [{ key: ARROW_SCHEMA_KEY, value: arrowSchemaText(stored) }] };
}

type Values = ArrayLike<number | bigint | string | boolean | Uint8Array>;
type BatchValues = Values | { readonly values: Values; readonly validity: Uint8Array };
function parquetValues(column: BatchValues, dtype: DType, name: string, nullable: boolean): ParquetColumnData['data'] {
  const { values, validity } = 'validity' in column ? column : { values: column, validity: null };
  const mayBeNaT = nullable && isTime(parseDType(dtype));
  if (
    validity === null &&
    !mayBeNaT &&
    (values instanceof Int32Array ||
      values instanceof Float32Array ||
      values instanceof Float64Array ||
      values instanceof BigInt64Array) &&
    !isNarrowed(dtype) &&
    (storedTicks(dtype)?.factor ?? 1n) === 1n
  )
    return values;
  const convert = converterOf(dtype, name);
  const isNull = (value: Values[number], row: number): boolean =>
    (validity !== null && !isValid(validity, row)) || (mayBeNaT && value === NAT);
  return Array.from(values, (value, row) => (isNull(value, row) ? null : convert(value)));
}

/** What the Parquet writer wants for a value of a dtype. */
function converterOf(dtype: DType, name: string): (value: Values[number]) => unknown {
  if (isBool(parseDType(dtype))) return (value) => value === true || value === 1;
  const ticks = storedTicks(dtype);
  if (ticks !== null && ticks.factor !== 1n)
    return (value) => scaled(value as bigint, ticks.factor, `64 bits of ${ticks.dtype}`, name);
  if (!isNarrowed(dtype)) return (value) => value;
  return (value) => {
    const days = value as bigint;
    if (days >= LARGEST_DAY || days < -LARGEST_DAY)
      throw beyond(name, 'dates of 32 bits of days, as Parquet has them', days);
    return Number(days);
  };
}

function scaled(ticks: bigint, factor: bigint, room: string, name: string): bigint {
  const stored = ticks * factor;
  if (stored !== BigInt.asIntN(64, stored) || stored === NAT) throw beyond(name, room, ticks);
  return stored;
}

function beyond(name: string, expected: string, found: bigint): ArgumentError {
  return new ArgumentError('ERR_VALUE', `column ${JSON.stringify(name)}`, expected, String(found));
}
