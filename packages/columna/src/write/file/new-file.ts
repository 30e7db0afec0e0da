// What can be said of a file that is written in one go, and the encoder that follows from it.
import { option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { encodeSchema } from '../../layout/schema.ts';
import type { ColumnSchema, FileSchema } from '../../layout/schema.ts';
import { FileEncoder } from './file-encoder.ts';
import { CREATED_BY, METADATA_OPTION, metadataOf } from './file-metadata.ts';
import type { MetadataInput } from './file-metadata.ts';
import { ENCODING_OPTIONS, encoderOptions } from './write-options.ts';
import type { EncodingOptions } from './write-options.ts';
import type { RowGroupReport } from './write-report.ts';

export interface WriteProgress {
  readonly writtenRows: number;
  /** Of batches that come one after the other, those so far. */
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

/** @throws ArgumentError for names that cannot be written, and for options, before anything is written. */
export function newFileEncoder(columns: readonly ColumnSchema[], options: NewFileOptions): FileEncoder {
  const schema: FileSchema = { columns, metadata: metadataOf(options.metadata), createdBy: CREATED_BY };
  encodeSchema(schema);
  return new FileEncoder(
    schema,
    encoderOptions(
      options,
      columns.map(({ name }) => name),
    ),
  );
}
