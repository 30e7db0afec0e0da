// Input columns -> the bytes of a file with one record, and behind it what its items were found to be like, where that
// is wanted: each column is seen as it is written.
import type { Output } from '@colkit/io/durable';
import { operationOf, perform } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { Chunk, InputColumn, InputColumns } from '@colkit/table';
import { parseStatistics } from '../layout/statistics-footer.ts';
import type { Statistics } from '../layout/statistics-footer.ts';
import { FooterBuilder } from './footer-builder.ts';
import { storedColumns } from './plan-file.ts';
import type { FilePlan } from './plan-file.ts';
import { itemsOf, streamFile } from './stream-file.ts';
import type { StreamOptions } from './stream-file.ts';

/**
 * @param found gets the statistics that the file has.
 * @throws as `streamFile`.
 */
export function* fillFile(
  output: Output,
  plan: FilePlan,
  input: InputColumns,
  options: StreamOptions,
  found: { statistics: Statistics | null } = { statistics: null },
): Work<void> {
  const stored = storedColumns(input.fields);
  const statistics = new FooterBuilder(stored, null);
  const isSeen = plan.statisticsOffset > 0;
  const columns = isSeen ? input.columns.map((column, number) => new SeenColumn(column, number, statistics)) : null;
  yield* streamFile(output, plan, columns === null ? input : { ...input, columns }, options);
  statistics.endRecord(0);
  const footer = isSeen ? statistics.format(1) : null;
  if (footer === null) return;
  yield* perform(output.write(footer));
  options.onProgress?.({ writtenBytes: output.position, totalBytes: plan.byteLength });
  found.statistics = parseStatistics(footer, stored, 1);
}

/** Shows the items that are read of a column to the statistics. */
class SeenColumn implements InputColumn {
  readonly field: InputColumn['field'];
  readonly info: InputColumn['info'];
  readonly rowCount: number;
  readonly #column: InputColumn;
  readonly #see: (items: Uint8Array) => void;

  constructor(column: InputColumn, number: number, statistics: FooterBuilder) {
    this.field = column.field;
    this.info = column.info;
    this.rowCount = column.rowCount;
    this.#column = column;
    this.#see = (items) => {
      statistics.add(number, items);
    };
  }

  read(start: number, end: number): Operation<Chunk> {
    return operationOf(() => this.#read(start, end));
  }

  *#read(start: number, end: number): Work<Chunk> {
    const chunk = yield* perform(this.#column.read(start, end));
    this.#see(itemsOf({ column: this.#column, start, end }, chunk));
    return chunk;
  }
}
