// What the crashing writer writes, and what the harness expects of it: a table that is decided by one number, so that
// old and new files are told apart by their bytes.
export const ROWS = 60_000;

export function contentOf(version: number): { x: Float64Array; k: Int32Array; flag: Uint8Array } {
  return {
    x: Float64Array.from({ length: ROWS }, (_, row) => row * version + 0.5),
    k: Int32Array.from({ length: ROWS }, (_, row) => Math.imul(row, version)),
    flag: Uint8Array.from({ length: ROWS }, (_, row) => (row + version) % 251),
  };
}
