// The columns of one row group -> their chunks, each stored alone or, where that is smaller, as members of joint
// dictionaries.
import { giveBack } from '../../columns/kernels/lent-words.ts';
import type { EncodingName } from '../../layout/constants.ts';
import type { ColumnValues } from '../values/column-values.ts';
import { encodingChunk, finished } from './encode-chunk.ts';
import type { EncodedChunk, FirstLook } from './encode-chunk.ts';
import { ColumnCodes, chunksCost, encodeJoint } from './encode-joint.ts';
import type { EncodedJoint } from './encode-joint.ts';
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
): Generator<unknown, EncodedChunk[]> {
  const alone: Alone[] = [];
  let held = 0;
  for (const [number, column] of columns.entries()) {
    const steps = encodingAlone(column, number, options);
    const first = steps.next();
    yield;
    if (first.done === true) alone.push(encodedAlone(first.value));
    else if (held + options.pageRows > MOST_HELD) alone.push(encodedAlone(yield* steps));
    else {
      held += options.pageRows;
      alone.push({ firstLook: first.value, chunk: steps });
    }
  }
  return yield* joining(columns, alone, options);
}

/** Values of first pages that wait for the other columns, in memory of their own. No file depends on it. */
const MOST_HELD = 1 << 21;

/** One column of a row group, as if there were no others. */
export function encodingAlone(
  column: ColumnValues,
  number: number,
  { mode, pageRows, encodings }: RowGroupOptions,
): Generator<FirstLook | null, EncodedChunk> {
  return encodingChunk(column, number, pageRows, { mode, encoding: encodings.get(number) ?? null });
}

/** A column as if there were no others: what its first page said, and its chunk or the steps that are left to it. */
export interface Alone {
  readonly firstLook: FirstLook | null;
  readonly chunk: EncodedChunk | Generator<unknown, EncodedChunk>;
}

export function encodedAlone(chunk: EncodedChunk): Alone {
  return { firstLook: chunk.firstLook, chunk };
}

/**
 * Columns alone -> their chunks, with joint dictionaries in the place of those that they make smaller. Where first
 * pages say clearly that they do, the columns are not encoded alone; else both are, and compared.
 */
export function* joining(
  columns: readonly ColumnValues[],
  alone: readonly Alone[],
  { mode, pageRows, joint: mayJoin, encodings }: RowGroupOptions,
): Generator<unknown, EncodedChunk[]> {
  const codes = new Map<number, ColumnCodes>();
  if (mayJoin && mode !== 'plain')
    for (const [number, column] of columns.entries()) {
      const look = encodings.has(number) ? null : (alone[number] as Alone).firstLook;
      const found = isWorthJoining(look, column.rowCount) ? ColumnCodes.of(column, number, look.bytes) : null;
      if (found !== null) codes.set(number, found);
      yield;
    }
  const chunks: (EncodedChunk | undefined)[] = columns.map(() => undefined);
  const unclear: EncodedJoint[] = [];
  const put = (joint: EncodedJoint): void => {
    for (const [index, number] of joint.columns.entries()) chunks[number] = joint.chunks[index];
  };
  for (const joint of findJoints([...codes.values()].map(({ candidate }) => candidate))) {
    const members = joint.columns.map((number) => codes.get(number) as ColumnCodes);
    const looks = joint.columns.map((number) => (alone[number] as Alone).firstLook as FirstLook);
    const expected = looks.reduce(
      (sum, { cost }, i) => sum + Math.min(cost, (members[i] as ColumnCodes).codedBytes),
      0,
    );
    yield;
    const together = encodeJoint(joint, members, looks, pageRows, mode);
    giveBack(joint.codes);
    if (mode !== 'smallest' && together.cost < expected * CLEARLY_LESS) put(together);
    else unclear.push(together);
  }
  for (const each of codes.values()) each.release();
  const all: EncodedChunk[] = [];
  for (const [number, { chunk }] of alone.entries())
    all.push(chunks[number] ?? ('pages' in chunk ? chunk : yield* chunk));
  for (const joint of unclear) {
    const before = joint.columns.map((number) => all[number] as EncodedChunk);
    if (joint.cost < chunksCost(before, mode)) put(joint);
  }
  return all.map((chunk, number) => chunks[number] ?? chunk);
}

/** What first pages say leaves out DEFLATE. */
const CLEARLY_LESS = 0.7;

/** A column that takes hardly more than its headers cannot save anything. */
function isWorthJoining(look: FirstLook | null, rowCount: number): look is FirstLook {
  return look !== null && look.bytes > rowCount / 32;
}
