// What a growing file holds in the crash tests: records that are told apart by their number and a version.
export const RECORD_ROWS = 500;
export const RECORDS_BEFORE = 3;
export const STREAMED_RECORDS = 8;

export function recordOf(version: number, record: number): { x: Float64Array; k: Int32Array } {
  const first = record * RECORD_ROWS;
  return {
    x: Float64Array.from({ length: RECORD_ROWS }, (_, row) => (first + row) * version + 0.5),
    k: Int32Array.from({ length: RECORD_ROWS }, (_, row) => Math.imul(first + row, version)),
  };
}

export const GROW_PHASES = {
  stream: [
    'before the first byte',
    'partial file made',
    'writing records',
    'records written',
    'writing counters',
    'counters written',
    'checkpoint acknowledged',
    'in place',
    'finished',
  ],
  append: [
    'before the first byte',
    'writing records',
    'records written',
    'writing counters',
    'counters written',
    'checkpoint acknowledged',
    'finished',
  ],
  compact: ['before the first byte', 'partial file made', 'writing records', 'records written', 'in place', 'finished'],
} as const;
export type GrowMode = keyof typeof GROW_PHASES;
export type GrowPhase = (typeof GROW_PHASES)[GrowMode][number];
