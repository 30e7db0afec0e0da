// The columns of one row group -> their chunks, each stored alone or, where that is smaller, as members of joint
// dictionaries.
import { giveBack } from '../../columns/kernels/lent-words.ts';
import type { EncodingName } from '../../layout/constants.ts';
import type { ColumnValues } from '../values/column-values.ts';
import { chunkBytes, encodingChunk, finished } from './encode-chunk.ts';
import type { EncodedChunk } from './encode-chunk.ts';
import { columnCodes, encodeJoint } from './encode-joint.ts';
import type { ColumnCodes } from './encode-joint.ts';
import { findJoints } from './joint.ts';
import type { WriteMode } from './modes.ts';

export interface RowGroupOptions {
  readonly mode: WriteMode;
  readonly pageRows: number;
  /** Whether columns may share codes. */
  readonly joint: boolean;
  /** Encodings that are forced, by column number. */
  readonly encodings: ReadonlyMap<number, EncodingName>;
}

/** One chunk a column, in order. */
export function encodeRowGroup(columns: readonly ColumnValues[], options: RowGroupOptions): EncodedChunk[] {
  return finished(encodingRowGroup(columns, options));
}

/** The same in steps, of some milliseconds each: between two of them others may get their turn. */
export function* encodingRowGroup(
  columns: readonly ColumnValues[],
  options: RowGroupOptions,
): Generator<void, EncodedChunk[]> {
  const chunks: EncodedChunk[] = [];
  for (const [number, column] of columns.entries()) chunks.push(yield* encodingAlone(column, number, options));
  return yield* joining(columns, chunks, options);
}

/** One column of a row group, as if there were no others. */
export function encodingAlone(
  column: ColumnValues,
  number: number,
  { mode, pageRows, encodings }: RowGroupOptions,
): Generator<void, EncodedChunk> {
  return encodingChunk(column, number, pageRows, { mode, encoding: encodings.get(number) ?? null });
}

/** Chunks of columns encoded alone -> with joint dictionaries in the place of chunks that they make smaller. */
export function* joining(
  columns: readonly ColumnValues[],
  alone: readonly EncodedChunk[],
  { mode, pageRows, joint: mayJoin, encodings }: RowGroupOptions,
): Generator<void, EncodedChunk[]> {
  const chunks = [...alone];
  if (!mayJoin || mode === 'plain') return chunks;
  const codes = new Map<number, ColumnCodes>();
  for (const [number, column] of columns.entries()) {
    const chunk = chunks[number] as EncodedChunk;
    const found =
      encodings.has(number) || !isWorthJoining(chunk, column.rowCount)
        ? null
        : columnCodes(column, number, chunkBytes(chunk));
    if (found !== null) codes.set(number, found);
    yield;
  }
  for (const joint of findJoints([...codes.values()].map(({ candidate }) => candidate))) {
    const members = joint.columns.map((number) => codes.get(number) as ColumnCodes);
    const before = joint.columns.map((number) => chunks[number] as EncodedChunk);
    yield;
    const together = encodeJoint(joint, members, before, pageRows, { mode, encoding: null });
    giveBack(joint.codes);
    if (together === null) continue;
    for (const [index, number] of joint.columns.entries()) chunks[number] = together[index] as EncodedChunk;
  }
  for (const { release } of codes.values()) release();
  return chunks;
}

/** A column that takes hardly more than its headers cannot save anything. */
function isWorthJoining(chunk: EncodedChunk, rowCount: number): boolean {
  return chunkBytes(chunk) > rowCount / 32;
}
