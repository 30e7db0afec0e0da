// What the writer of a folder adds, batch after batch: decided by a number, so that rows are told apart.
/** The moments of a folder that is made and gets files, one after another. */
export const SHARD_PHASES = [
  'before the first byte',
  'folder made',
  'folder on the disk',
  'temporary file made',
  'writing',
  'synced, not yet in place',
  'in place',
  'temporary name gone',
  'acknowledged',
  'finished',
] as const;
export type ShardPhase = (typeof SHARD_PHASES)[number];

export const BATCHES = 4;
export const BATCH_ROWS = 1000;

export function batchOf(version: number, batch: number): { x: Float64Array; k: Int32Array } {
  return {
    x: Float64Array.from({ length: BATCH_ROWS }, (_, row) => (batch * BATCH_ROWS + row) * version + 0.5),
    k: Int32Array.from({ length: BATCH_ROWS }, (_, row) => batch * BATCH_ROWS + row),
  };
}
