// write: columns, rows, records, an Arrow table or a lazy table of any format -> one new .cna file, whole or not at all. Row group after row group: of a lazy table, one is held at a time.
import { ArgumentError, openFileSink, openFileSinkSync } from '@colkit/io';
import type { FileSinkOptions } from '@colkit/io';
import { Table, toInputColumns } from '@colkit/table';
import type { InputColumns, SchemaInput, TableInput } from '@colkit/table';
import type { FileSchema } from '../layout/schema.ts';
import { planColumn } from './column-plan.ts';
import type { ColumnPlan } from './column-plan.ts';
import type { ColumnValues } from './column-values.ts';
import { FileEncoder } from './file-encoder.ts';
import { encoderOptions } from './write-options.ts';
import type { EncodingOptions } from './write-options.ts';
import { ReportBuilder } from './write-report.ts';
import type { RowGroupReport, WriteReport } from './write-report.ts';

/** A table or view, whatever the compiler knows of its columns. */
export type AnyTable = Pick<Table, 'view'>;
/** Everything that can be written. */
export type WriteInput = TableInput | AnyTable;

export interface WriteProgress {
  readonly writtenRows: number;
  readonly totalRows: number;
  readonly writtenBytes: number;
}

export interface WriteOptions extends EncodingOptions {
  /** Replace an existing file, at the very end and in one step; without it, an existing path throws ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Fixes names, order and dtypes; values are checked against it. */
  readonly schema?: SchemaInput;
  /** Free text that is kept in the file, by key. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** 'full', the default: the file survives a power failure once the call is over. 'none' does not wait for the disk. */
  readonly durability?: 'full' | 'none';
  /** Called after every row group. What it throws stops the write; the old file stays. */
  readonly onProgress?: (progress: WriteProgress) => void;
  /** Called with every row group: which encoding each page got, and the sizes of those that lost. */
  readonly onRowGroup?: (report: RowGroupReport) => void;
  /** In place of the system's files, for tests. */
  readonly operations?: FileSinkOptions['operations'];
  readonly signal?: AbortSignal;
}

/**
 * Writes a file and resolves to what became of it. The destination holds the old file or the new one at every moment; after a failure the old one, and nothing beside it.
 * Memory: the input, and one row group; of a lazy table only the row group.
 * @throws ArgumentError (ragged or repeated columns, values that their dtype cannot hold, a forced encoding that does not apply), UnknownColumnError, UnsupportedError ERR_DTYPE, IoError
 * ERR_EXISTS, ERR_WRITE; what a lazy table throws when it is read.
 */
export async function write(path: string | URL, data: WriteInput, options: WriteOptions = {}): Promise<WriteReport> {
  const job = prepare(data, options);
  options.signal?.throwIfAborted();
  const sink = await openFileSink(path, sinkOptions(options));
  try {
    await sink.write(job.encoder.start());
    for (const { start, end } of job.ranges) {
      const columns: ColumnValues[] = [];
      for (const [number, column] of job.input.columns.entries()) columns.push(job.valuesOf(number, await column.read(start, end, options.signal), start, end));
      options.signal?.throwIfAborted();
      for (const part of job.encode(columns)) await sink.write(part);
      job.tell(sink.position);
    }
    await sink.write(job.encoder.footer());
    await sink.finish();
  } catch (error) {
    await sink.abort();
    throw error;
  }
  return job.report(sink.position);
}

/** The Sync twin of `write`. @throws as `write`; UnsupportedError for a lazy table over a URL or Blob. */
export function writeSync(path: string | URL, data: WriteInput, options: WriteOptions = {}): WriteReport {
  const job = prepare(data, options);
  options.signal?.throwIfAborted();
  const sink = openFileSinkSync(path, sinkOptions(options));
  try {
    sink.writeSync(job.encoder.start());
    for (const { start, end } of job.ranges) {
      options.signal?.throwIfAborted();
      const columns = job.input.columns.map((column, number) => job.valuesOf(number, column.readSync(start, end), start, end));
      for (const part of job.encode(columns)) sink.writeSync(part);
      job.tell(sink.position);
    }
    sink.writeSync(job.encoder.footer());
    sink.finishSync();
  } catch (error) {
    sink.abortSync();
    throw error;
  }
  return job.report(sink.position);
}

function prepare(data: WriteInput, options: WriteOptions): WriteJob {
  const input = toInputColumns(data instanceof Table ? new Table(data.view) : (data as TableInput), options.schema === undefined ? {} : { schema: options.schema });
  return new WriteJob(input, options);
}

/** What both forms of a write share: the plan, the encoder, and what is told of it. */
class WriteJob {
  readonly input: InputColumns;
  readonly encoder: FileEncoder;
  readonly #plans: readonly ColumnPlan[];
  readonly #options: WriteOptions;
  readonly #report: ReportBuilder;
  readonly #rowGroupSize: number;
  #groups = 0;

  constructor(input: InputColumns, options: WriteOptions) {
    this.input = input;
    this.#options = options;
    this.#plans = input.columns.map(({ field, info }) => planColumn(field, info));
    const schema: FileSchema = { columns: this.#plans.map((plan) => plan.schema), metadata: metadataOf(options.metadata), createdBy: CREATED_BY };
    const { rowGroupSize, ...encoding } = encoderOptions(options, input.fields.map(({ name }) => name));
    this.#rowGroupSize = rowGroupSize;
    this.encoder = new FileEncoder(schema, encoding);
    this.#report = new ReportBuilder(schema);
  }

  get ranges(): { readonly start: number; readonly end: number }[] {
    const { rowCount } = this.input;
    return Array.from({ length: Math.ceil(rowCount / this.#rowGroupSize) }, (_, group) => ({ start: group * this.#rowGroupSize, end: Math.min(rowCount, (group + 1) * this.#rowGroupSize) }));
  }

  valuesOf(column: number, chunk: Parameters<ColumnPlan['toValues']>[0], start: number, end: number): ColumnValues {
    return (this.#plans[column] as ColumnPlan).toValues(chunk, end - start, start);
  }

  encode(columns: readonly ColumnValues[]): readonly Uint8Array[] {
    const { parts, reports } = this.encoder.rowGroup(columns);
    this.#report.add(reports);
    const byteLength = parts.reduce((sum, part) => sum + part.length, 0);
    this.#options.onRowGroup?.({ rowGroup: this.#groups, rowCount: columns[0]?.rowCount ?? 0, byteLength, chunks: reports });
    this.#groups++;
    return parts;
  }

  tell(writtenBytes: number): void {
    this.#options.onProgress?.({ writtenRows: this.encoder.rowCount, totalRows: this.input.rowCount, writtenBytes });
  }

  report(byteLength: number): WriteReport {
    return this.#report.report(byteLength, this.encoder.rowCount, this.#groups);
  }
}

export const CREATED_BY = 'columna (colkit)';

/** @throws ArgumentError ERR_ARGUMENT for a value that is no text. */
export function metadataOf(metadata: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, string> {
  const entries = Object.entries(metadata ?? {});
  for (const [key, value] of entries) if (typeof value !== 'string') throw new ArgumentError('ERR_ARGUMENT', `options.metadata[${JSON.stringify(key)}]`, 'text', typeof value);
  return new Map(entries);
}

function sinkOptions({ overwrite, durability, operations }: WriteOptions): FileSinkOptions {
  return { ...(overwrite === undefined ? {} : { overwrite }), ...(durability === undefined ? {} : { durability }), ...(operations === undefined ? {} : { operations }) };
}
