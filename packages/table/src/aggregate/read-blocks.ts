// Rows of a source, all of them known -> blocks of their values, in order: two blocks are in memory, the one that is
// worked on and the one that is being read.
import { ArgumentError, LimitError } from '@colkit/io';
import { Result, TURN, begin, forEach, wait } from '@colkit/io/effects';
import type { Begun, Work, WorkStream } from '@colkit/io/effects';
import type { Chunk } from '../chunk/chunk.ts';
import { predicateRequest, setChunks } from '../query/evaluate/read-predicate-columns.ts';
import type { BatchMemory } from '../query/evaluate/read-predicate-columns.ts';
import type { ColumnRef } from '../query/bound-predicate.ts';
import type { TableSource } from '../source.ts';
import { checkRows, resolveRange } from '../views/resolve.ts';
import { countRows } from '../views/rows.ts';
import type { Rows } from '../views/rows.ts';
import type { AggregateBlock } from './aggregation.ts';
import { ValueReader } from './column-values.ts';
import type { ColumnValues } from './column-values.ts';

/** Rows of a block; fewer where rows are wide. Sources answer best in whole stretches of a power of two. */
const BLOCK_ROWS = 65_536;
const LEAST_ROWS = 1024;
const BLOCK_BYTES = 1 << 22;
/** Bytes that are reckoned for a value of variable width. */
const VARIABLE_BYTES = 32;
/** Of a block of more than a row, however long texts are. */
const MOST_BYTES = 1 << 27;
/** A block that is too much for one read is read once more, as so many. */
const PARTS = 8;

/** A block and where it lies in the rows that were asked for. */
export interface RowBlock extends AggregateBlock<ColumnRef> {
  readonly start: number;
}

interface Ahead {
  readonly start: number;
  readonly rowCount: number;
  readonly chunks: Begun<readonly Chunk[]>;
}

/**
 * @param wanted the columns; one that comes again (grouped by and added up, ordered by twice) is read once: a source
 * writes what it reads of a column into its memory, and some change it there.
 * @param takesUtf8 whether texts may come as UTF-8, for those who need no string of each.
 * @returns The blocks, each good until the next is asked for.
 * @throws OutOfRangeError for an index of the rows, before anything is read; what reading throws.
 */
export function* blocksOf(
  source: TableSource,
  rows: Rows,
  wanted: readonly ColumnRef[],
  takesUtf8 = false,
): WorkStream<RowBlock> {
  checkRows(rows);
  const columns = [...new Map(wanted.map((column) => [column.number, column])).values()];
  const total = countRows(rows);
  let size = blockRows(columns);
  const readers = new Map(columns.map((column) => [column.number, new ValueReader(column.info, takesUtf8)]));
  // They take turns.
  const memories = [0, 1].map((): BatchMemory => new Map());
  const ahead = (start: number): Work<Ahead | null> =>
    beginBlock(source, columns, rows, start, Math.min(start + size, total), memories.reverse()[0] as BatchMemory);
  for (let next = yield* ahead(0); next !== null; ) {
    const { start, rowCount, chunks } = next;
    let given: readonly Chunk[];
    try {
      given = yield* wait(chunks);
    } catch (error) {
      if (!(error instanceof LimitError) || rowCount === 1) throw error;
      size = Math.ceil(rowCount / PARTS);
      next = yield* ahead(start);
      continue;
    }
    next = yield* ahead(start + rowCount);
    const stored = new Map<number, Chunk>();
    setChunks(columns, given, stored);
    yield new Result(new StoredBlock(start, rowCount, stored, readers));
    yield TURN;
  }
}

/** As `blocksOf`. @param use takes the blocks, each good until it returns; false: it wants no more. */
export function readBlocks(
  source: TableSource,
  rows: Rows,
  columns: readonly ColumnRef[],
  use: (block: RowBlock) => boolean,
  takesUtf8 = false,
): Work<void> {
  return forEach(blocksOf(source, rows, columns, takesUtf8), use);
}

/** Null where no rows are left. */
function* beginBlock(
  source: TableSource,
  columns: readonly ColumnRef[],
  rows: Rows,
  start: number,
  end: number,
  memory: BatchMemory,
): Work<Ahead | null> {
  if (start >= end) return null;
  const rowCount = end - start;
  const asked = predicateRequest(columns, resolveRange(rows, start, end), rowCount, memory);
  const request = { ...asked, mostBytes: rowCount === 1 ? undefined : MOST_BYTES };
  return { start, rowCount, chunks: yield* begin(source.read(request)) };
}

class StoredBlock implements RowBlock {
  readonly start: number;
  readonly rowCount: number;
  readonly #stored: ReadonlyMap<number, Chunk>;
  readonly #readers: ReadonlyMap<number, ValueReader>;
  readonly #values = new Map<number, ColumnValues>();

  constructor(
    start: number,
    rowCount: number,
    stored: ReadonlyMap<number, Chunk>,
    readers: ReadonlyMap<number, ValueReader>,
  ) {
    this.start = start;
    this.rowCount = rowCount;
    this.#stored = stored;
    this.#readers = readers;
  }

  valuesOf({ number, name }: ColumnRef): ColumnValues {
    let values = this.#values.get(number);
    if (values === undefined) {
      const [stored, reader] = [this.#stored.get(number), this.#readers.get(number)];
      if (stored === undefined || reader === undefined)
        throw new ArgumentError('ERR_ARGUMENT', 'column', 'one that is read', name);
      this.#values.set(number, (values = reader.read(stored)));
    }
    return values;
  }
}

function blockRows(columns: readonly ColumnRef[]): number {
  const rowBytes = columns.reduce((sum, { info }) => sum + (info.itemBytes === 0 ? VARIABLE_BYTES : info.itemBytes), 0);
  let size = BLOCK_ROWS;
  while (size > LEAST_ROWS && size * rowBytes > BLOCK_BYTES) size /= 2;
  return size;
}
