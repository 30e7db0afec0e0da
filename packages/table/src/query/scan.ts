// A predicate over some rows of a source -> the rows that match: read batch by batch in memory that is used again, one term after the other, the columns of a term only where the terms
// before it left rows. Values are copied out of the file into memory that stays in the processor's cache: as fast as a view over the pages (measured), and neither a page fault nor a file
// that shrinks can hold up or end the thread that compares.
import { Turns } from '../pieces.ts';
import type { ColumnData, ReadRequest, TableSource } from '../source.ts';
import { checkRows, resolveWindow } from '../views/resolve.ts';
import { countRows } from '../views/rows.ts';
import type { Rows } from '../views/rows.ts';
import { BatchSelector } from './batch-selector.ts';
import type { BoundPredicate, ColumnRef } from './bound-predicate.ts';
import { conjuncts } from './evaluate.ts';
import type { BatchColumn } from './predicate-batch.ts';
import { batchColumns, predicateRequest } from './read-predicate-columns.ts';
import type { BatchMemory, RunOptions } from './read-predicate-columns.ts';

export interface ScanOptions extends RunOptions {
  /** So many matches are enough. */
  readonly limit: number;
}

/** Takes the matches of a batch: row numbers from `start` on, ascending, good until the next call. */
export interface MatchSink {
  readonly count: number;
  add(matches: Int32Array, start: number): void;
}

/** A read that is wanted now, and one that will be. */
interface Wanted {
  readonly request: ReadRequest;
  readonly ahead: ReadRequest | null;
}

/** Bytes of the first term's columns in a batch: the Sync form stays in the cache, the async one has fewer turns to take. */
const SYNC_BYTES = 1 << 20;
const ASYNC_BYTES = 1 << 22;
const MOST_ROWS = 1 << 20;
const LEAST_ROWS = 1024;
/** Bytes that are reckoned for a value of variable width. */
const VARIABLE_BYTES = 32;
/** Where a few matches are enough, the first batch is small and the next ones grow. */
const FIRST_ROWS = 8192;
const GROWTH = 4;

export async function scan(source: TableSource, rows: Rows, predicate: BoundPredicate, options: ScanOptions, sink: MatchSink): Promise<void> {
  const steps = scanSteps(rows, predicate, options, ASYNC_BYTES, sink);
  const turns = new Turns();
  let ahead: { readonly request: ReadRequest; readonly data: Promise<readonly ColumnData[]> } | null = null;
  try {
    for (let step = steps.next(); step.done !== true;) {
      const { request, ahead: next }: Wanted = step.value;
      const reading: Promise<readonly ColumnData[]> = ahead?.request === request ? ahead.data : source.read(request);
      if (ahead?.request === request) ahead = null;
      const data = await reading;
      await turns.pass(options.signal);
      if (next !== null && ahead === null) {
        ahead = { request: next, data: source.read(next) };
        // Whether it fails is asked when it is its turn; if that never comes, nobody needs to know.
        ahead.data.catch(() => undefined);
      }
      step = steps.next(data);
    }
  } finally {
    // Its memory must not be let go while the read still writes there.
    await ahead?.data.catch(() => undefined);
  }
}

export function scanSync(source: TableSource, rows: Rows, predicate: BoundPredicate, options: ScanOptions, sink: MatchSink): void {
  const steps = scanSteps(rows, predicate, options, SYNC_BYTES, sink);
  for (let step = steps.next(); step.done !== true;) step = steps.next(source.readSync(step.value.request));
}

/** A term with the columns that no term before it reads. */
interface Term {
  readonly selector: BatchSelector;
  readonly refs: readonly ColumnRef[];
}

interface Batch {
  readonly start: number;
  readonly count: number;
  readonly request: ReadRequest;
  readonly memory: BatchMemory;
}

/** Asks for reads and is given what they brought. */
function* scanSteps(rows: Rows, predicate: BoundPredicate, options: ScanOptions, batchBytes: number, sink: MatchSink): Generator<Wanted, void, readonly ColumnData[]> {
  checkRows(rows);
  const terms = termsOf(predicate);
  const [first, ...others] = terms;
  if (first === undefined) return;
  const size = batchRows(first.refs, batchBytes);
  const memories: readonly [BatchMemory, BatchMemory] = [new Map(), new Map()];
  const total = countRows(rows);
  const makeBatch = (start: number, most: number, memory: BatchMemory): Batch | null => {
    const count = Math.min(most, total - start);
    return count <= 0 ? null : { start, count, memory, request: predicateRequest(first.refs, resolveWindow(rows, start, start + count), count, memory, options) };
  };
  let most = options.limit === Infinity ? size : Math.min(size, FIRST_ROWS);
  let turn = 0;
  for (let batch = makeBatch(0, most, memories[0]); batch !== null && sink.count < options.limit;) {
    most = Math.min(size, most * GROWTH);
    turn ^= 1;
    // What a limit makes unlikely to be needed is not read ahead.
    const next = makeBatch(batch.start + batch.count, most, memories[turn as 0 | 1]);
    const columns = new Map<number, BatchColumn>();
    batchColumns(first.refs, batch.request, yield { request: batch.request, ahead: options.limit === Infinity ? (next?.request ?? null) : null }, columns);
    let matches = first.selector.select({ rowCount: batch.count, columns });
    for (const { selector, refs } of others) {
      if (matches.length === 0) break;
      if (refs.length > 0) {
        const request = predicateRequest(refs, batch.request.rows, batch.count, batch.memory, options);
        batchColumns(refs, request, yield { request, ahead: null }, columns);
      }
      matches = selector.select({ rowCount: batch.count, columns }, matches);
    }
    sink.add(matches, batch.start);
    batch = next;
  }
}

function termsOf(predicate: BoundPredicate): readonly Term[] {
  const seen = new Set<number>();
  return conjuncts(predicate).map((term) => {
    const refs = term.refs.filter(({ number }) => !seen.has(number));
    for (const { number } of refs) seen.add(number);
    return { selector: new BatchSelector(term), refs };
  });
}

function batchRows(refs: readonly ColumnRef[], batchBytes: number): number {
  const rowBytes = refs.reduce((sum, { info }) => sum + (info.itemBytes === 0 ? VARIABLE_BYTES : info.itemBytes), 0);
  return Math.max(LEAST_ROWS, Math.min(MOST_ROWS, Math.floor(batchBytes / Math.max(1, rowBytes))));
}
