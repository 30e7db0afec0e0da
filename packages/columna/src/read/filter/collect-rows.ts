// A scan's matching rows -> chunks of columns, one a fetch: memory is the result's, and one fetch of pages.
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { BoundPredicate, Chunk, ReadRequest, RowRange } from '@colkit/table';
import { collectorOf } from '../pages/collector.ts';
import { DecodedBytes } from '../file/decoded-bytes.ts';
import type { PruneRecord } from './prune-record.ts';
import { scanPages } from './scan-pages.ts';
import type { Session } from '../file/session.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import type { FetchedPages } from '../pages/fetched-pages.ts';

interface CollectedScan {
  /** For every column asked for, its chunks in order. */
  readonly columns: readonly (readonly Chunk[])[];
  readonly rowCount: number;
}

/** Columns of the rows of `rows` that match. */
export function* collectRows(
  file: StoredFile,
  predicate: BoundPredicate,
  rows: RowRange,
  columns: readonly number[],
  form: ReadRequest['strings'],
  record: PruneRecord,
): Work<CollectedScan> {
  const session = file.borrow();
  const scan: Scan = {
    file,
    session,
    columns,
    form,
    decoded: new DecodedBytes(file),
    chunks: columns.map(() => []),
    rowCount: 0,
  };
  try {
    yield* scanPages(file, session, { predicate, rows, columns, takesItems: true }, record, (fetched, spans) =>
      collectFetched(scan, fetched, spans),
    );
  } finally {
    file.giveBack(session);
  }
  const { chunks, rowCount } = scan;
  record.matched += rowCount;
  return { columns: chunks, rowCount };
}

/** What the fetches of one scan share. */
interface Scan {
  readonly file: StoredFile;
  readonly session: Session;
  readonly columns: readonly number[];
  readonly form: ReadRequest['strings'];
  readonly decoded: DecodedBytes;
  readonly chunks: readonly Chunk[][];
  rowCount: number;
}

function* collectFetched(scan: Scan, fetched: FetchedPages, spans: readonly Span[]): Work<void> {
  const { file, session, columns, form, decoded } = scan;
  yield* fetched.fetch(columns, spans, true);
  const count = spans.reduce((sum, span) => sum + spanCount(span), 0);
  const collectors = columns.map((column) => {
    const { type } = file.column(column);
    const bytes = type.itemBytes === 0 ? null : new Uint8Array(count * type.itemBytes);
    const output = bytes === null ? null : { bytes, byteOffset: 0, byteStride: type.itemBytes };
    return { bytes, collector: collectorOf(type, form, session, output, count, false, decoded) };
  });
  for (const span of spans) {
    for (const [index, column] of columns.entries()) {
      const items = fetched.itemsOf(column, span);
      if (items === null) collectors[index]?.collector.add(fetched.open(column, span), span);
      else collectors[index]?.bytes?.set(items, span.to * file.column(column).type.itemBytes);
      session.scratch.reset();
      yield TURN;
    }
  }
  for (const [index, { collector }] of collectors.entries()) scan.chunks[index]?.push(collector.finish());
  scan.rowCount += count;
}
