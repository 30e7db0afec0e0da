// Encoded row groups -> the bytes of a new file, and what is told of them: shared by all that write a file in one go.
import { option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import type { Output } from '@colkit/io/durable';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { encodeSchema } from '../../layout/schema.ts';
import type { ColumnSchema, FileSchema } from '../../layout/schema.ts';
import type { EncodedChunk } from '../encode/encode-chunk.ts';
import type { RowGroupOptions } from '../encode/encode-row-group.ts';
import { FileEncoder } from './file-encoder.ts';
import { CREATED_BY, METADATA_OPTION, metadataOf } from './file-metadata.ts';
import type { MetadataInput } from './file-metadata.ts';
import { joined } from './joined.ts';
import { ENCODING_OPTIONS, encoderOptions } from './write-options.ts';
import type { EncodingOptions } from './write-options.ts';
import { ReportBuilder } from './write-report.ts';
import type { RowGroupReport, WriteReport } from './write-report.ts';

export interface WriteProgress {
  readonly writtenRows: number;
  readonly totalRows: number;
  readonly writtenBytes: number;
}

/** What can be said of a file that is written in one go, wherever its row groups come from. */
export interface NewFileOptions extends EncodingOptions {
  /** Free text that is kept in the file, by key. */
  readonly metadata?: MetadataInput;
  /** Called after every row group. What it throws stops the write; the old file stays. */
  readonly onProgress?: (progress: WriteProgress) => void;
  /** Called with every row group: which encoding each page got, and the sizes of those that lost. */
  readonly onRowGroup?: (report: RowGroupReport) => void;
}

export const NEW_FILE_OPTIONS: OptionSet<NewFileOptions> = {
  ...ENCODING_OPTIONS,
  metadata: METADATA_OPTION,
  onProgress: option.callback(),
  onRowGroup: option.callback(),
};

export class NewFile {
  readonly encoder: FileEncoder;
  readonly #options: NewFileOptions;
  readonly #report: ReportBuilder;
  readonly #totalRows: number;
  #writtenBytes = 0;

  /** @throws ArgumentError for names that cannot be written, and for options. */
  constructor(columns: readonly ColumnSchema[], totalRows: number, options: NewFileOptions) {
    this.#options = options;
    this.#totalRows = totalRows;
    const schema: FileSchema = { columns, metadata: metadataOf(options.metadata), createdBy: CREATED_BY };
    // Names are looked at before anything is written.
    encodeSchema(schema);
    this.encoder = new FileEncoder(
      schema,
      encoderOptions(
        options,
        columns.map(({ name }) => name),
      ),
    );
    this.#report = new ReportBuilder(schema);
  }

  *start(output: Output): Work<void> {
    yield* this.#put([this.encoder.start()], output);
  }

  /** The next row group. */
  *add(
    chunks: readonly EncodedChunk[],
    options: Pick<RowGroupOptions, 'pageRows'>,
    rowCount: number,
    output: Output,
  ): Work<void> {
    const { onRowGroup, onProgress } = this.#options;
    const rowGroup = this.encoder.rowGroupCount;
    const { parts, reports } = this.encoder.add(chunks, rowCount, options);
    this.#report.add(reports);
    onRowGroup?.({
      rowGroup,
      rowCount,
      byteLength: parts.reduce((sum, part) => sum + part.length, 0),
      chunks: reports,
    });
    yield* this.#put(parts, output);
    onProgress?.({ writtenRows: this.encoder.rowCount, totalRows: this.#totalRows, writtenBytes: this.#writtenBytes });
  }

  *end(output: Output): Work<void> {
    yield* this.#put([this.encoder.footer()], output);
  }

  report(byteLength: number): WriteReport {
    return this.#report.report(byteLength, this.encoder.rowCount, this.encoder.rowGroupCount);
  }

  *#put(parts: readonly Uint8Array[], output: Output): Work<void> {
    for (const bytes of joined(parts)) {
      yield* perform(output.write(bytes));
      this.#writtenBytes += bytes.length;
    }
  }
}
