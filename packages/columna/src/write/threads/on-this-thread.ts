// What encodes row groups, and the one that needs no other thread.
import { passTurn } from '@colkit/io/effects';
import type { Operation } from '@colkit/io/effects';
import type { ColumnValues } from '../values/column-values.ts';
import type { EncodedChunk } from '../encode/encode-chunk.ts';
import { encodeRowGroup, encodingRowGroup } from '../encode/encode-row-group.ts';
import type { RowGroupOptions } from '../encode/encode-row-group.ts';

export interface RowGroupEncoder {
  /** How many row groups may be begun before the first of them is waited for. */
  readonly ahead: number;
  /** Begins to encode; the action waits for the result. */
  begin(columns: readonly ColumnValues[], options: RowGroupOptions): Operation<EncodedChunk[]>;
  /** What was begun and not waited for is given up. Idempotent. */
  close(): Promise<void>;
}

/** On this thread, when it is waited for: page by page, so that others get their turn. */
export const ON_THIS_THREAD: RowGroupEncoder = Object.freeze({
  ahead: 0,
  begin: (columns: readonly ColumnValues[], options: RowGroupOptions): Operation<EncodedChunk[]> => {
    const run = (): Promise<EncodedChunk[]> => inTurns(encodingRowGroup(columns, options));
    return { run, runSync: () => encodeRowGroup(columns, options) };
  },
  close: () => Promise.resolve(),
});

/** What comes of work that is done in steps, between which others get their turn. */
export async function inTurns<T>(steps: Generator<unknown, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await passTurn();
  }
}

/** Who encodes the row groups of one file. In the Sync form this thread does. */
export interface EncodingThreads {
  /** For a row group of so many values. */
  encoder(values: number): Operation<RowGroupEncoder>;
  /** How many row groups may be begun before the first of them is waited for. */
  ahead(encoder: RowGroupEncoder): number;
  close(): Operation<void>;
  /** The same where nobody waits. */
  giveUp(): void;
}
