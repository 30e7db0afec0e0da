// A file of one page made by hand, and jobs for it.
import { crc32 } from 'node:zlib';
import type { PageJobNumbers } from '../index.js';
import { COLUMN_TYPES, ENCODINGS, JOB } from '../scripts/page-program-table.mjs';

export const [PLAIN, CODES] = ['plain', 'codes'].map((name) => ENCODINGS.indexOf(name)) as [number, number];
export const [INT32, STRING] = ['int32', 'string'].map((name) => COLUMN_TYPES.findIndex(([each]) => each === name)) as [
  number,
  number,
];

export interface Header {
  readonly rows: number;
  readonly values: number;
  readonly type: number;
  readonly encoding: number;
  readonly parameter: number;
  readonly codec: number;
}

/** A page of column 5 at byte 4 of a file, as docs/formats/columna.md lays it out. */
export function fileWith(body: Uint8Array, header: Partial<Header> = {}): { bytes: Uint8Array; byteLength: number } {
  const { rows = 3, values = rows, type = INT32, encoding = PLAIN, parameter = 2, codec = 0 } = header;
  const byteLength = Math.ceil((28 + body.length) / 8) * 8;
  const page = new Uint8Array(byteLength);
  const view = new DataView(page.buffer);
  for (const [at, number] of [
    [4, body.length],
    [8, body.length],
    [12, rows],
    [16, values],
  ] as const)
    view.setUint32(at, number, true);
  page.set([0, type, encoding, parameter, codec], 20);
  view.setUint16(26, 5, true);
  page.set(body, 28);
  view.setUint32(0, crc32(page.subarray(4, 28 + body.length)), true);
  const bytes = new Uint8Array(4 + byteLength);
  bytes.set(page, 4);
  return { bytes, byteLength };
}

/** What is asked, by the names of the table; the rest is 0, but for a bitmap that is not wanted. */
export type Job = Partial<Record<keyof PageJobNumbers, number>>;

export function jobOf(byteLength: number, job: Job = {}): Float64Array {
  const all: Job = { byteOffset: 4, byteLength, typeId: INT32, column: 5, rowCount: 3, end: 3, validityOutput: -1 };
  return Float64Array.from(JOB, ([name]) => ({ ...all, ...job })[name as keyof Job] ?? 0);
}
