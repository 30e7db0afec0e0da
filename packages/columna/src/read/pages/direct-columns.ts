// Columns of fixed width whose rows the addon writes where they are wanted: one job a page, lists of picked rows in
// memory that all columns share. Pages that it leaves are for whoever asked.
import type { Operation, Work } from '@colkit/io/effects';
import { needsDictionary } from '../../layout/column-block.ts';
import { FixedCollector } from './fixed-collector.ts';
import type { Collector } from './fixed-collector.ts';
import { FetchedEntries } from './fetched-entries.ts';
import type { FetchedPages } from './fetched-pages.ts';
import type { PageJobs } from './jobs/page-jobs.ts';
import { PickedRows } from '../file/picked-rows.ts';
import type { Room } from '../file/picked-rows.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';

/** A column that is read. */
export interface Reading {
  readonly column: number;
  readonly collector: Collector;
  /** The spans that are wanted of it. */
  readonly spans: readonly Span[];
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

export class DirectColumns {
  readonly #jobs: PageJobs;
  /** By their collectors: a read may be of a hundred thousand columns. */
  readonly #columns: ReadonlyMap<Collector, DirectColumn>;
  readonly #picked: PickedRows;

  private constructor(jobs: PageJobs, columns: readonly DirectColumn[], picked: PickedRows) {
    this.#jobs = jobs;
    this.#columns = new Map(columns.map((each) => [each.collector, each]));
    this.#picked = picked;
  }

  /**
   * Null where there is nothing for the addon. Dictionaries of the columns are fetched before.
   * @param spans all that are wanted of some column.
   */
  static *of(
    file: StoredFile,
    fetched: FetchedPages,
    reading: readonly Reading[],
    spans: readonly Span[],
  ): Work<DirectColumns | null> {
    const jobs = fetched.jobs();
    const fixed = reading.filter((each) => each.collector instanceof FixedCollector && each.spans.length > 0);
    if (jobs === null || fixed.length === 0) return null;
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
    for (const { column, collector, spans: wanted } of reading) {
      if (!(collector instanceof FixedCollector)) continue;
      const { itemBytes } = file.column(column).type;
      const work = wanted.map((span) => {
        const destination = collector.destinationOf(span);
        const rows = picked.listOf(span);
        const needed = needsDictionary(file.chunk(column, span.group).entry);
        const found = needed && !lookUp ? undefined : entries.nullableOf(column, span.group);
        const isListed = rows !== null || (span.picks === null && destination !== null);
        if (found === undefined || !isListed) return { span, job: null, apart: null };
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
    return jobs.count === 0 ? null : new DirectColumns(jobs, columns, picked);
  }

  operation(): Operation<void> {
    return this.#jobs.operation();
  }

  has({ collector }: Reading): boolean {
    return this.#columns.has(collector);
  }

  /** What the addon left, once it is done: the collectors are told of the rest. */
  left(): readonly Reading[] {
    return Array.from(this.#columns.values(), ({ column, collector, work }) => ({
      column,
      collector,
      spans: work.filter((each) => !this.#accept(collector, each)).map(({ span }) => span),
    }));
  }

  /** Nobody uses its memory any more. */
  release(): void {
    this.#picked.release();
  }

  /** Tells the collector what is decoded; false of what is not. */
  #accept(collector: FixedCollector, { span, job, apart }: SpanJob): boolean {
    const result = job === null ? null : this.#jobs.resultOf(job);
    if (result === null) return false;
    if (apart === null) collector.accept(span, result);
    else collector.place(span, result, this.#picked.at(apart));
    return true;
  }
}
