// Rows of CSV, block after block -> what a row group holds of a column of them.
import { giveWorkingMemory, parseDType, takeWorkingMemory } from '@colkit/io';
import { joinedChunk, sliceChunk } from '@colkit/table';
import type { Chunk, Field, Utf8Chunk } from '@colkit/table';
import { giveBack } from '../../columns/kernels/lent-words.ts';
import { encoderValues, planColumn } from '../values/column-plan.ts';
import type { ColumnValues } from '../values/column-values.ts';
import { utf8Column } from '../values/utf8-column.ts';

/** Rows of one block: a chunk for every column. */
export type BlockRows = readonly Chunk[];

/** Rows [start, end), with memory of their own. */
export function sliceRows(
  rows: BlockRows,
  fields: readonly Pick<Field, 'dtype'>[],
  start: number,
  end: number,
): BlockRows {
  return rows.map((chunk, column) =>
    sliceChunk(chunk, parseDType((fields[column] as Field).dtype).itemBytes, start, end),
  );
}

/** The memory of rows: what can be given away, and what is shared. */
export function memoryOf(blocks: readonly BlockRows[]): { own: ArrayBuffer[]; shared: SharedArrayBuffer[] } {
  const buffers = new Set<ArrayBufferLike>();
  for (const chunk of blocks.flat()) {
    const arrays = chunk.kind === 'utf8' ? [chunk.bytes, chunk.ends, chunk.codes] : [];
    if (chunk.kind === 'fixed') arrays.push(chunk.bytes);
    for (const array of [chunk.validity, ...arrays]) if (array !== null) buffers.add(array.buffer);
  }
  const own = [...buffers].filter((buffer) => buffer instanceof ArrayBuffer);
  return { own, shared: [...buffers].filter((buffer) => !(buffer instanceof ArrayBuffer)) };
}

/** A column of a row group, which may be in memory that is wanted back. */
interface JoinedColumn {
  readonly values: ColumnValues;
  /** Gives the memory back. */
  readonly release: () => void;
}

/**
 * Column number `column` of all blocks: the same, value for value and entry for entry, as from the column in one piece.
 * `firstRow` is only for messages.
 * @throws ArgumentError ERR_VALUE for values that the file's type cannot hold.
 */
export function joinBlocks(field: Field, blocks: readonly BlockRows[], column: number, firstRow: number): JoinedColumn {
  const info = parseDType(field.dtype);
  const plan = planColumn(field, info);
  const { type } = plan.schema;
  const chunks = blocks.map((rows) => rows[column] as Chunk);
  if (chunks.every(({ kind }) => kind === 'utf8')) {
    const values = utf8Column(type, chunks as readonly Utf8Chunk[]);
    return { values, release: () => (values.codes === null ? undefined : giveBack(values.codes)) };
  }
  const rowCount = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0);
  const byteLength = info.itemBytes * rowCount;
  const memory = byteLength === 0 ? null : takeWorkingMemory(byteLength);
  const bytes = memory === null ? new Uint8Array(0) : new Uint8Array(memory, 0, byteLength);
  const joined = joinedChunk(info.itemBytes, chunks, rowCount, bytes);
  const release = (): void => (memory === null ? undefined : giveWorkingMemory(memory));
  return { values: encoderValues(type, plan.store(joined, rowCount, firstRow)), release };
}
