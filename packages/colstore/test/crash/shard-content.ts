// What the writer of a folder adds, batch after batch: decided by a number, so that rows are told apart.
export const BATCHES = 4;
export const BATCH_ROWS = 1000;

export function batchOf(version: number, batch: number): { x: Float64Array; k: Int32Array } {
  return {
    x: Float64Array.from({ length: BATCH_ROWS }, (_, row) => (batch * BATCH_ROWS + row) * version + 0.5),
    k: Int32Array.from({ length: BATCH_ROWS }, (_, row) => batch * BATCH_ROWS + row),
  };
}
