// A request of the table layer -> its columns: rows cut into spans, spans into windows, every page to the collectors of its columns.
import { ArgumentError } from '@colkit/io';
import type { GatherOutput } from '@colkit/io';
import type { ColumnData, ReadRequest } from '@colkit/table';
import type { ColumnType } from '../layout/column-type.ts';
import { FixedCollector } from './fixed-collector.ts';
import type { Collector } from './fixed-collector.ts';
import type { Session } from './session.ts';
import { checkRows, spansOf } from './spans.ts';
import type { Steps } from './steps.ts';
import type { StoredFile } from './stored-file.ts';
import { BinaryCollector, CodeCollector, TextCollector } from './string-collectors.ts';
import { eachWindow } from './window.ts';

/** Reads the rows of a request, in the order of the file whatever theirs. Nothing is written before all indices are checked. */
export function* readRows(file: StoredFile, request: ReadRequest): Steps<readonly ColumnData[]> {
  const { columns, outputs, strings } = request;
  const rows = checkRows(request.rows, file.footer.rowCount);
  const count = rows.kind === 'range' ? rows.count : rows.rows.length;
  const session = file.borrow();
  try {
    const collectors = columns.map((column, index) => collectorOf(file.column(column).type, strings, session, outputs[index] ?? null, count));
    if (count > 0) {
      yield* file.loadBlocks(columns);
      yield* eachWindow(file, session, columns, spansOf(rows, file.rowGroups), function* (window) {
        yield* window.fetch(columns, window.spans);
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

function collectorOf(type: ColumnType, strings: ReadRequest['strings'], session: Session, output: GatherOutput | null, count: number): Collector {
  if (type.name === 'binary') return new BinaryCollector(count);
  if (type.name === 'string') return strings === 'dictionary' ? new CodeCollector(count) : new TextCollector(count);
  if (output === null) throw new ArgumentError('ERR_OUT_BUFFER', 'outputs', `a buffer for a column of ${type.dtype}, which has a fixed width`, 'null');
  return new FixedCollector(type, session, output, count);
}
