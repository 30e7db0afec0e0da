// Rows that follow each other, picked from packed pages: they are unpacked from a byte that all planes have in common;
// and rows of runs of equal values, near each other and far apart, in every order.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSync, writeSync } from '../../../src/index.ts';
import { newFolders } from '../../support/new-folders.ts';

const { folder } = newFolders('picked-runs')();

// Below these, values take bits alone, base-3 digits, base-5 digits, or some of each.
const CAPACITIES = [2, 3, 5, 6, 9, 15, 25, 27, 45, 75, 135, 160, 225, 675, 1000, 4096, 48_000, 3_000_000, 2 ** 31];

function mixed(seed: number): number {
  let bits = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

it.each(CAPACITIES)('values below %d', (capacity) => {
  const rowCount = 70_001;
  const values = Float64Array.from({ length: rowCount }, (_, row) => 3 * (mixed(row) % capacity) - 7);
  const x = BigInt64Array.from(values, BigInt);
  const path = join(folder, `${String(capacity)}.cna`);
  writeSync(path, { x }, { encodings: { x: 'BITPACK' } });
  using table = openSync(path);
  for (let round = 0; round < 60; round++) {
    const rows: number[] = [];
    for (let run = 0; run < 5; run++) {
      const start = mixed(1000 * round + run) % rowCount;
      const length = 1 + (mixed(7000 * round + run) % (run === 0 ? 2000 : 70));
      for (let row = start; row < Math.min(rowCount, start + length); row++) rows.push(row);
    }
    const taken = table.take(Int32Array.from(rows)).toColumnsSync()['x'];
    expect(taken).toEqual(BigInt64Array.from(rows, (row) => x[row] as bigint));
  }
});

it.each([1, 3, 40])('runs of some %d rows', (length) => {
  const rowCount = 70_001;
  let [value, left] = [0, 0];
  const x = Int32Array.from({ length: rowCount }, (_, row) => {
    if (left-- === 0) [value, left] = [mixed(row) % 100_000, mixed(3 * row) % (2 * length)];
    return value;
  });
  const path = join(folder, `runs-${String(length)}.cna`);
  writeSync(path, { x }, { encodings: { x: 'RLE' } });
  using table = openSync(path);
  for (let round = 0; round < 60; round++) {
    const step = 1 + (mixed(round) % (round % 2 === 0 ? 5 : 900));
    const ascending: number[] = [];
    for (let row = mixed(50 + round) % 1000; row < rowCount && ascending.length < 700; row += step) ascending.push(row);
    const shuffled = ascending.toSorted((a, b) => mixed(a + round) - mixed(b + round));
    for (const rows of [ascending, ascending.toReversed(), shuffled, [...shuffled, ...ascending]])
      expect(table.take(Int32Array.from(rows)).toColumnsSync()['x']).toEqual(Int32Array.from(rows, (row) => x[row]!));
    const [start, end] = [ascending[0]!, Math.min(rowCount, ascending[0]! + 3 * step)];
    expect(table.slice(start, end).toColumnsSync()['x']).toEqual(x.slice(start, end));
  }
});
