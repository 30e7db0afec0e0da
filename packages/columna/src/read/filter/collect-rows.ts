// A scan's matching rows -> chunks of columns, one a fetch: memory is the result's, and one fetch of pages.
import { allocateOutputs } from '@colkit/io';
import { TURN, begin, wait } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { BoundPredicate, Chunk, ReadRequest, RowRange } from '@colkit/table';
import { collectorOf } from '../pages/collector.ts';
import { DecodedBytes } from '../file/decoded-bytes.ts';
import { DirectColumns } from '../pages/direct-columns.ts';
import type { Reading } from '../pages/direct-columns.ts';
import type { PruneRecord } from './prune-record.ts';
import { scanPages } from './scan-pages.ts';
import type { Session } from '../file/session.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import { FixedCollector } from '../pages/fixed-collector.ts';
import type { PickedItems } from '../pages/decoded-page.ts';
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
  const { file, columns, form, decoded, session } = scan;
  const count = spans.reduce((sum, span) => sum + spanCount(span), 0);
  const memory = allocateOutputs(columns.map((column) => count * file.column(column).type.itemBytes));
  const reading = columns.map((column, index) => {
    const { type } = file.column(column);
    const bytes = type.itemBytes === 0 ? null : (memory[index] as Uint8Array);
    const output = bytes === null ? null : { bytes, byteOffset: 0, byteStride: type.itemBytes };
    const collector = collectorOf(type, form, session, output, count, false, decoded);
    // What the addon picked while it filtered has to be copied only.
    const left =
      collector instanceof FixedCollector
        ? spans.filter((span) => !takeItems(fetched.itemsOf(column, span), collector, span))
        : spans;
    return { column, collector, spans: left };
  });
  const direct = yield* DirectColumns.of(file, fetched, reading, spans);
  const begun = direct === null ? null : yield* begin(direct.operation());
  const others = reading.filter((each) => direct?.has(each) !== true);
  yield* collect(scan, fetched, spans, others);
  if (begun !== null) yield* wait(begun);
  for (const left of direct?.left() ?? []) yield* collect(scan, fetched, left.spans, [left]);
  direct?.release();
  for (const [index, { collector }] of reading.entries()) scan.chunks[index]?.push(collector.finish());
  scan.rowCount += count;
}

/** False where there are none. */
function takeItems(picked: PickedItems | null, collector: FixedCollector, span: Span): boolean {
  if (picked !== null) collector.put(span.to, picked, picked.items);
  return picked !== null;
}

/** Some columns, span by span. */
function* collect(
  { session }: Scan,
  fetched: FetchedPages,
  spans: readonly Span[],
  reading: readonly Reading[],
): Work<void> {
  const wanted = reading.map((each) => ({ ...each, spans: new Set(each.spans) }));
  const needed = spans.filter((span) => wanted.some((each) => each.spans.has(span)));
  yield* fetched.fetch(
    reading.map(({ column }) => column),
    needed,
    true,
  );
  for (const span of needed) {
    for (const { column, collector, spans: ofColumn } of wanted) {
      if (!ofColumn.has(span)) continue;
      collector.add(...fetched.openRows(column, span));
      session.scratch.reset();
      yield TURN;
    }
  }
}
