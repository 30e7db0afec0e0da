// A predicate over some rows of a source -> the rows that match: read batch by batch in memory that is used again, one
// term after the other, the columns of a term only where the terms before it left rows. Values are copied out of the
// file into memory that stays in the processor's cache: as fast as a view over the pages (measured), and neither a page
// fault nor a file that shrinks can hold up or end the thread that compares.
import { begin, perform, TURN, wait } from '@colkit/io/effects';
import type { Begun, Operation, Work } from '@colkit/io/effects';
import type { Chunk } from '../../chunk/chunk.ts';
import type { ReadRequest, TableSource } from '../../source.ts';
import { checkRows, resolveRange } from '../../views/resolve.ts';
import { countRows } from '../../views/rows.ts';
import type { Rows } from '../../views/rows.ts';
import { BatchSelector } from './batch-selector.ts';
import type { BoundPredicate, ColumnRef } from '../bound-predicate.ts';
import { conjuncts } from './evaluate.ts';
import { predicateRequest, setChunks } from './read-predicate-columns.ts';
import type { BatchMemory } from './read-predicate-columns.ts';

export interface ScanOptions {
  /** So many matches are enough. */
  readonly limit: number;
}

/** Takes the matches of a batch: row numbers from `start` on, ascending, good until the next call. */
export interface MatchSink {
  readonly count: number;
  add(matches: Int32Array, start: number): void;
}

/**
 * Bytes of the first term's columns in a batch: the Sync form stays in the cache, the async one has fewer turns to
 * take.
 */
const SYNC_BYTES = 1 << 20;
const ASYNC_BYTES = 1 << 22;
const MOST_ROWS = 1 << 20;
const LEAST_ROWS = 1024;
/** Bytes that are reckoned for a value of variable width. */
const VARIABLE_BYTES = 32;
/** Where a few matches are enough, the first batch is small and the next ones grow. */
const FIRST_ROWS = 8192;
const GROWTH = 4;

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

/** Each form has its own. */
const BATCH_BYTES: Operation<number> = { run: () => Promise.resolve(ASYNC_BYTES), runSync: () => SYNC_BYTES };

/**
 * Hands the matches to `sink`, batch by batch; the next batch is read while one is compared.
 * @throws what reading throws.
 */
export function* scan(
  source: TableSource,
  rows: Rows,
  predicate: BoundPredicate,
  { limit }: ScanOptions,
  sink: MatchSink,
): Work<void> {
  checkRows(rows);
  const terms = termsOf(predicate);
  const [first, ...others] = terms;
  if (first === undefined) return;
  const size = batchRows(first.refs, yield* perform(BATCH_BYTES));
  const memories: readonly [BatchMemory, BatchMemory] = [new Map(), new Map()];
  const total = countRows(rows);
  const makeBatch = (start: number, most: number, memory: BatchMemory): Batch | null => {
    const count = Math.min(most, total - start);
    return count <= 0
      ? null
      : {
          start,
          count,
          memory,
          request: predicateRequest(first.refs, resolveRange(rows, start, start + count), count, memory),
        };
  };
  let most = limit === Infinity ? size : Math.min(size, FIRST_ROWS);
  let turn = 0;
  let ahead: Begun<readonly Chunk[]> | null = null;
  for (let batch = makeBatch(0, most, memories[0]); batch !== null && sink.count < limit; ) {
    most = Math.min(size, most * GROWTH);
    turn ^= 1;
    const next = makeBatch(batch.start + batch.count, most, memories[turn as 0 | 1]);
    const data: readonly Chunk[] = yield* ahead === null ? perform(source.read(batch.request)) : wait(ahead);
    yield TURN;
    // What a limit makes unlikely to be needed is not read ahead.
    ahead = next === null || limit !== Infinity ? null : yield* begin(source.read(next.request));
    const columns = new Map<number, Chunk>();
    setChunks(first.refs, data, columns);
    let matches = first.selector.select({ rowCount: batch.count, columns, rows: batch.request.rows });
    for (const { selector, refs } of others) {
      if (matches.length === 0) break;
      if (refs.length > 0) {
        const request = predicateRequest(refs, batch.request.rows, batch.count, batch.memory);
        setChunks(refs, yield* perform(source.read(request)), columns);
        yield TURN;
      }
      matches = selector.select({ rowCount: batch.count, columns, rows: batch.request.rows }, matches);
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
