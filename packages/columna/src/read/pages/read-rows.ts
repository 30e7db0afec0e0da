// A request of the table layer -> its columns: rows cut into spans; what the addon can decode straight into the output
// goes to its threads, the other columns meanwhile fetch by fetch.
import { begin, TURN, wait } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Chunk, ReadRequest } from '@colkit/table';
import { needsDictionary } from '../../layout/column-block.ts';
import { collectorOf } from './collector.ts';
import { DecodedBytes } from '../file/decoded-bytes.ts';
import { FixedCollector } from './fixed-collector.ts';
import type { Collector } from './fixed-collector.ts';
import { PageJobs } from './page-jobs.ts';
import { PickedRows } from '../file/picked-rows.ts';
import type { Room } from '../file/picked-rows.ts';
import type { Session } from '../file/session.ts';
import { checkRows, spansOf } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import { readAhead } from './read-ahead.ts';
import { FetchedEntries } from './fetched-entries.ts';
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
    const decoded = new DecodedBytes(file);
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
    }));
    if (count > 0) {
      yield* file.loadBlocks(columns);
      const spans = [...spansOf(rows, file.rowGroups)];
      const fetched = new FetchedPages(file, session, spans);
      const direct = yield* directly(file, fetched, reading, spans);
      if (direct === null) yield* collect(file, session, reading, spans);
      else {
        const begun = yield* begin(direct.jobs.operation());
        const sentAhead = new Set<Collector>(direct.columns.map(({ collector }) => collector));
        yield* collect(
          file,
          session,
          reading.filter(({ collector }) => !sentAhead.has(collector)),
          spans,
        );
        yield* wait(begun);
        for (const { column, collector, work } of direct.columns)
          yield* collect(file, session, [{ column, collector }], accepted(direct, collector, work));
        direct.picked.release();
        fetched.release();
      }
    }
    return reading.map(({ collector }) => collector.finish());
  } finally {
    file.giveBack(session);
  }
}

/** A column that is read. */
interface Reading {
  readonly column: number;
  readonly collector: Collector;
}

/** Every span of every column to its collector. */
function* collect(file: StoredFile, session: Session, reading: readonly Reading[], spans: readonly Span[]): Work<void> {
  if (reading.length === 0 || spans.length === 0) return;
  yield* readAhead(
    file,
    session,
    reading.map(({ column }) => column),
    spans,
    (fetched) => collectFetched(fetched, session, reading),
  );
}

function* collectFetched(fetched: FetchedPages, session: Session, reading: readonly Reading[]): Work<void> {
  for (const span of fetched.spans) {
    for (const { column, collector } of reading) {
      collector.add(fetched.open(column, span), span);
      session.scratch.reset();
      yield TURN;
    }
  }
}

/** Of all columns and row groups of a read together: half a megabyte each, at most. */
const MOST_DICTIONARIES = 64;

interface SpanJob {
  readonly span: Span;
  /** Null where the addon was not asked. */
  readonly job: number | null;
  /** Where the items wait for their places; null: they are there. */
  readonly apart: Room | null;
}

interface DirectColumn {
  readonly column: number;
  readonly collector: FixedCollector;
  readonly work: readonly SpanJob[];
}

interface Direct {
  readonly jobs: PageJobs;
  readonly columns: readonly DirectColumn[];
  readonly picked: PickedRows;
}

/** Jobs for the columns of which the addon may decode some pages; null where there are none. */
function* directly(
  file: StoredFile,
  fetched: FetchedPages,
  reading: readonly Reading[],
  spans: readonly Span[],
): Work<Direct | null> {
  const jobs = PageJobs.of(file);
  if (jobs === null) return null;
  const fixed = reading.filter(({ collector }) => collector instanceof FixedCollector);
  const groups = new Set(spans.map(({ group }) => group));
  // Where the dictionaries are too many to be held at once, their columns are read fetch by fetch.
  const lookUp = fixed.length * groups.size <= MOST_DICTIONARIES;
  const coded = fixed.map(({ column }) => column);
  if (lookUp) yield* fetched.fetchDictionaries(coded, groups, () => false);
  const entries = new FetchedEntries(file, fetched, jobs);
  const columns: DirectColumn[] = [];
  // Small results share a buffer, which the addon takes once: a hundred thousand arrays would each be looked at and
  // kept.
  const outputs = new Map<ArrayBufferLike, number>();
  const picked = new PickedRows(jobs, spans);
  for (const { column, collector } of reading) {
    if (!(collector instanceof FixedCollector)) continue;
    const { itemBytes } = file.column(column).type;
    const work = spans.map((span) => {
      const destination = collector.destinationOf(span);
      const rows = picked.listOf(span);
      const needed = needsDictionary(file.chunk(column, span.group).entry);
      const found = needed && !lookUp ? undefined : entries.of(column, span.group);
      if (found === undefined || (destination === null && rows === null)) return { span, job: null, apart: null };
      if (destination === null) {
        const apart = picked.roomFor(span, itemBytes);
        return { span, job: jobs.addItems(column, span, apart, { rows, entries: found }), apart };
      }
      const { buffer, byteOffset } = destination.bytes;
      const output = outputs.get(buffer) ?? jobs.addOutput(new Uint8Array(buffer));
      outputs.set(buffer, output);
      const to = { output, byteOffset: byteOffset + destination.byteOffset };
      return { span, job: jobs.addItems(column, span, to, { rows, entries: found }), apart: null };
    });
    if (work.some(({ job }) => job !== null)) columns.push({ column, collector, work });
  }
  return jobs.count === 0 ? null : { jobs, columns, picked };
}

/** Tells the collector what is decoded; returns the spans that are not. */
function accepted({ jobs, picked }: Direct, collector: FixedCollector, work: readonly SpanJob[]): readonly Span[] {
  return work
    .filter(({ span, job, apart }) => {
      const result = job === null ? null : jobs.resultOf(job);
      if (result !== null && apart !== null) collector.place(span, result, picked.at(apart));
      else if (result !== null) collector.accept(span, result);
      return result === null;
    })
    .map(({ span }) => span);
}
