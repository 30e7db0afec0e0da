// A file that is written in one go: row groups to an atomic output, a footer, a report.
import type { Output } from '@colkit/io/durable';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { ColumnPlan } from '../values/column-plan.ts';
import type { EncodingThreads } from '../threads/on-this-thread.ts';
import type { FileEncoder } from '../file/file-encoder.ts';
import type { NewFileOptions } from '../file/new-file.ts';
import { encodingSettings } from '../file/write-options.ts';
import type { WriteReport } from '../file/write-report.ts';
import { RowGroupWriter } from './row-group-writer.ts';

interface WholeFile {
  readonly plans: readonly ColumnPlan[];
  readonly encoder: FileEncoder;
  /** Null: as many as come. */
  readonly rowCount: number | null;
  readonly options: NewFileOptions;
  /** Null where row groups come encoded. */
  readonly threads: EncodingThreads | null;
}

/** @param fill puts the row groups. */
export function* fillWhole(
  output: Output,
  { plans, encoder, rowCount, options, threads }: WholeFile,
  fill: (rows: RowGroupWriter) => Work<void>,
): Work<WriteReport> {
  const { onRowGroup, onProgress } = options;
  const rows: RowGroupWriter = new RowGroupWriter({
    plans,
    encoder,
    rowGroupSize: encodingSettings(options).rowGroupSize,
    threads,
    file: output,
    write: (bytes) => output.write(bytes),
    onRowGroup,
    told: () =>
      onProgress?.({
        writtenRows: encoder.rowCount,
        totalRows: rowCount ?? encoder.rowCount,
        writtenBytes: rows.writtenBytes,
      }),
  });
  try {
    yield* fill(rows);
    yield* rows.footer();
    return rows.report();
  } finally {
    if (threads !== null) yield* perform(threads.close());
  }
}
