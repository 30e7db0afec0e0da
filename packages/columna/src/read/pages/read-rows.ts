// A request of the table layer -> its columns: rows cut into spans; what the addon can decode straight into the output
// goes to its threads, the other columns meanwhile fetch by fetch.
import { begin, TURN, wait } from '@colkit/io/effects';
import type { Begun, Operation, Work } from '@colkit/io/effects';
import type { Chunk, ReadRequest } from '@colkit/table';
import { partOfPage } from './coded-page.ts';
import { collectorOf } from './collector.ts';
import { DecodedBytes } from '../file/decoded-bytes.ts';
import { DirectColumns } from './direct-columns.ts';
import type { Reading } from './direct-columns.ts';
import type { Session } from '../file/session.ts';
import { checkRows, spansOf } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import { readAhead } from './read-ahead.ts';
import { FetchedPages } from './fetched-pages.ts';

/**
 * Reads the rows of a request, in the order of the file whatever theirs. Nothing is written before all indices are
 * checked.
 */
export function* readRows(file: StoredFile, request: ReadRequest): Work<readonly Chunk[]> {
  const { columns, outputs, strings } = request;
  const rows = checkRows(request.rows, file.footer.rowCount);
  const count = rows.kind === 'range' ? rows.count : rows.rows.length;
  const session = file.borrow();
  try {
    const decoded = new DecodedBytes(file, request.mostBytes);
    const spans = [...spansOf(rows, file.rowGroups)];
    const reading = columns.map((column, index) => ({
      column,
      collector: collectorOf(
        file.column(column).type,
        strings,
        session,
        outputs[index] ?? null,
        count,
        request.transferable,
        decoded,
      ),
      spans,
    }));
    if (count > 0) {
      yield* file.loadBlocks(columns);
      const isOnly = columns.every((column) => file.column(column).type.itemBytes > 0);
      const fetched = new FetchedPages(file, session, spans, isOnly);
      const direct = yield* DirectColumns.of(file, fetched, reading, spans);
      if (direct === null) yield* collect(file, session, reading, spans);
      else {
        const others = reading.filter((each) => !direct.has(each));
        // Behind what the others wait for: while theirs is used here, threads decode these.
        const behind = { operation: direct.operation(), begun: null };
        yield* collect(file, session, others, spans, () => beginOnce(behind));
        yield* wait(yield* beginOnce(behind));
        for (const left of direct.left()) yield* collect(file, session, [left], left.spans);
        direct.release();
        fetched.release();
      }
    }
    return reading.map(({ collector }) => collector.finish());
  } finally {
    file.giveBack(session);
  }
}

/** What is begun when something else is on its way. */
interface Behind {
  readonly operation: Operation<void>;
  begun: Begun<void> | null;
}

function* beginOnce(behind: Behind): Work<Begun<void>> {
  return (behind.begun ??= yield* begin(behind.operation));
}

/** Every span of every column to its collector. @param started runs once what they need first is on its way. */
function* collect(
  file: StoredFile,
  session: Session,
  reading: readonly Reading[],
  spans: readonly Span[],
  started?: () => Work<unknown>,
): Work<void> {
  if (reading.length === 0 || spans.length === 0) return;
  yield* readAhead(
    file,
    session,
    reading.map(({ column }) => column),
    spans,
    (fetched) => collectFetched(fetched, session, reading),
    started,
  );
}

function* collectFetched(fetched: FetchedPages, session: Session, reading: readonly Reading[]): Work<void> {
  for (const span of fetched.spans) {
    for (const { column, collector } of reading) {
      const [page, rows] = fetched.openRows(column, span);
      collector.add(...partOfPage(page, rows, session.scratch));
      session.scratch.reset();
      yield TURN;
    }
  }
}
