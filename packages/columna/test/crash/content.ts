// What the crashing writers write, and what the harness expects of it: every value follows from a version and the
// number of its row, so that a file tells which rows it holds.
const TEXTS = ['red', 'green', 'blue', null, 'żółty'];

// A type and not an interface: only those fit the record of columns that writers take.
export type Rows = {
  readonly id: Int32Array;
  readonly amount: Float64Array;
  readonly text: (string | null)[];
};

export function rowsOf(version: number, start: number, count: number): Rows {
  return {
    id: Int32Array.from({ length: count }, (_, i) => start + i),
    amount: Float64Array.from({ length: count }, (_, i) => (Math.imul(start + i, version + 7919) % 100_000) / 100),
    text: Array.from({ length: count }, (_, i) => TEXTS[(start + i + version) % TEXTS.length]!),
  };
}

/** Of a one-shot write. */
export const WHOLE_ROWS = 6000;
export const GROUP_ROWS = 500;
/** Of a streaming writer, or of one call of `appender`: so many row groups, a checkpoint after every second. */
export const STREAMED_GROUPS = 10;
/** What a file holds before it is appended to. */
export const ROWS_BEFORE = 700;
