// The one form in which every writer gets values, whatever a user handed in: fields, a row count, and each column's
// items for any range of rows. All values were checked when it was made, so that a writer meets no bad value half way;
// a lazy table is read as the writer goes, in bounded memory.
import type { DTypeInfo } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import type { Chunk } from '../chunk/chunk.ts';
import type { Field } from '../source.ts';

export type InputRange = readonly [start: number, end: number, mostBytes?: number];

export interface InputColumn {
  readonly field: Field;
  readonly info: DTypeInfo;
  readonly rowCount: number;
  /**
   * Rows [start, end), which lie within the row count; good until the next read of the column. No copy where the
   * caller's memory already has them packed. Items of null rows are zero bytes.
   * @throws LimitError where what is made for this read, not what is in memory anyway, takes more than `mostBytes`.
   */
  read(...range: InputRange): Operation<Chunk>;
}

/** Reading where nothing has to be waited for. */
export function readAtOnce(read: () => Chunk): Operation<Chunk> {
  return { run: () => Promise.resolve(read()), runSync: read };
}

export interface InputColumns {
  /** At least one; each name once. */
  readonly fields: readonly Field[];
  readonly rowCount: number;
  /** One per field. */
  readonly columns: readonly InputColumn[];
}
