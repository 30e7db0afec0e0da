// One table in every wire layout and record structure, made by hand from packed columns; and the plain-array oracle
// that every read is compared with.
import { parseDescr } from '../../src/layout/descr.ts';
import { swapItems } from '../../src/columns/byte-order.ts';
import { concat, counters32, counters64, flatFile, recordFile, recordManifest } from './files.ts';

/** Packed little-endian items. */
export interface PackedColumn {
  readonly name: string;
  readonly descr: string;
  readonly itemBytes: number;
  readonly bytes: Uint8Array;
}

/** Deterministic bytes; every bit pattern of every dtype is legal but for bool and U, which get legal ones. */
export function packedColumn(name: string, descr: string, rowCount: number): PackedColumn {
  const { dtype } = parseDescr(descr)!;
  const bytes = new Uint8Array(rowCount * dtype.itemBytes);
  let state = (name.length * 7919 + rowCount) | 1;
  for (let at = 0; at < bytes.length; at += 1) {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    bytes[at] =
      dtype.kind === 'bool'
        ? (state >>> 16) & 1
        : dtype.kind === 'unicode'
          ? at % 4 === 0
            ? 97 + ((state >>> 16) % 26)
            : 0
          : state >>> 16;
  }
  return { name, descr, itemBytes: dtype.itemBytes, bytes };
}

/** One column of every kind, the odd width first so that hardly anything is aligned. */
export const ALL_KINDS: readonly (readonly [string, string])[] = [
  ['i1', '|i1'],
  ['f8', '<f8'],
  ['b1', '|b1'],
  ['u2', '<u2'],
  ['f2', '<f2'],
  ['i4', '<i4'],
  ['s5', '|S5'],
  ['i8', '<i8'],
  ['f4', '<f4'],
  ['u4', '<u4'],
  ['u8', '<u8'],
  ['i2', '<i2'],
  ['u1', '|u1'],
  ['ns', '<M8[ns]'],
  ['td', '<m8[s]'],
  ['t3', '<U3'],
];

export const allKinds = (rowCount: number): readonly PackedColumn[] =>
  ALL_KINDS.map(([name, descr]) => packedColumn(name, descr, rowCount));

const rowsOf = (column: PackedColumn, start: number, end: number): Uint8Array =>
  column.bytes.slice(start * column.itemBytes, end * column.itemBytes);
const body = (columns: readonly PackedColumn[], start: number, end: number): Uint8Array =>
  concat(...columns.map((column) => rowsOf(column, start, end)));

function swapped(column: PackedColumn): PackedColumn {
  const { dtype } = parseDescr(column.descr)!;
  if (column.descr.startsWith('|')) return column;
  const bytes = column.bytes.slice();
  swapItems(
    { bytes, byteOffset: 0, byteStride: column.itemBytes },
    bytes.length / column.itemBytes,
    column.itemBytes,
    dtype.kind === 'unicode' ? 4 : column.itemBytes,
  );
  return { ...column, descr: column.descr.replace('<', '>'), bytes };
}

function flat(columns: readonly PackedColumn[], rowCount: number): Uint8Array {
  const list = columns.map(({ name, descr }) => `{"name": "${name}", "dtype": "${descr}"}`).join(', ');
  return flatFile(
    `{"format_version": 1, "n_rows": ${String(rowCount)}, "columns": [${list}]}`,
    body(columns, 0, rowCount),
  );
}

function records(
  columns: readonly PackedColumn[],
  rowCount: number,
  recordRows: readonly number[],
  counters: typeof counters32,
): Uint8Array {
  let start = 0;
  const parts = recordRows.map((rows) => {
    const part = { rows, body: body(columns, start, start + rows) };
    start += rows;
    return part;
  });
  return recordFile(counters(recordRows.length, rowCount), recordManifest(columns), parts);
}

/** Parts that add up to `total`: of one size, or of many with empty ones among them. */
const equalParts = (total: number, size: number): number[] =>
  Array.from({ length: Math.ceil(total / size) }, (_, part) => Math.min(size, total - part * size));
function irregularParts(total: number): number[] {
  const parts = [0];
  for (let left = total, size = 1; left > 0; size = (size * 3 + 1) % 17) {
    const rows = Math.min(left, size);
    parts.push(rows);
    left -= rows;
  }
  return [...parts, 0];
}

/** The same table in every form that a reader may meet. */
export function inEveryLayout(columns: readonly PackedColumn[], rowCount: number): ReadonlyMap<string, Uint8Array> {
  return new Map([
    ['flat without checksum', flat(columns, rowCount)],
    ['flat big-endian', flat(columns.map(swapped), rowCount)],
    ['one record, 32-byte counters', records(columns, rowCount, [rowCount], counters32)],
    ['one record', records(columns, rowCount, [rowCount], counters64)],
    ['equal records', records(columns, rowCount, equalParts(rowCount, 7), counters64)],
    ['irregular records', records(columns, rowCount, irregularParts(rowCount), counters32)],
    ['a record a row', records(columns, rowCount, equalParts(rowCount, 1), counters64)],
    [
      'bytes behind the end',
      concat(records(columns, rowCount, equalParts(rowCount, 11), counters64), new Uint8Array(99).fill(255)),
    ],
  ]);
}

/** Items of the rows, picked one by one. */
export function pickItems({ bytes, itemBytes }: PackedColumn, rows: readonly number[]): Uint8Array {
  const picked = new Uint8Array(rows.length * itemBytes);
  rows.forEach((row, index) => picked.set(bytes.subarray(row * itemBytes, (row + 1) * itemBytes), index * itemBytes));
  return picked;
}
