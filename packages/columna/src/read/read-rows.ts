// A request of the table layer -> its columns: rows cut into spans, spans into windows, every page to the collectors of its columns.
import type { ColumnData, ReadRequest } from '@colkit/table';
import { collectorOf } from './collector.ts';
import type { Collector } from './fixed-collector.ts';
import { checkRows, spansOf } from './spans.ts';
import type { Steps } from './steps.ts';
import type { StoredFile } from './stored-file.ts';
import { eachWindowAhead } from './window.ts';

/** Reads the rows of a request, in the order of the file whatever theirs. Nothing is written before all indices are checked. */
export function* readRows(file: StoredFile, request: ReadRequest): Steps<readonly ColumnData[]> {
  const { columns, outputs, strings } = request;
  const rows = checkRows(request.rows, file.footer.rowCount);
  const count = rows.kind === 'range' ? rows.count : rows.rows.length;
  const session = file.borrow();
  try {
    const collectors = columns.map((column, index) => collectorOf(file.column(column).type, strings, session, outputs[index] ?? null, count, request.transferable));
    if (count > 0) {
      yield* file.loadBlocks(columns);
      yield* eachWindowAhead(file, session, columns, spansOf(rows, file.rowGroups), function* (window) {
        for (const span of window.spans) {
          for (const [index, column] of columns.entries()) {
            (collectors[index] as Collector).add(window.open(column, span), span);
            session.scratch.reset();
            yield null;
          }
        }
      });
    }
    return collectors.map((collector) => collector.finish());
  } finally {
    file.giveBack(session);
  }
}
