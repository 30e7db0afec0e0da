// A dataset of every kind of value that JSON has no form for, and what is asked of it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset, typed, writeSync } from 'columna';
import type { AggregateSpecs, Dataset } from 'columna';
import { afterAll } from 'vitest';

const ROWS = 1000;

export const AGGREGATES = {
  n: 'count',
  total: { sum: 'wide' },
  sum: { sum: 'price' },
  mean: { mean: 'price' },
  low: { min: 'price' },
  lowest: { min: 'wide' },
  latest: { max: 'day' },
  highest: { max: 'name' },
  names: { countDistinct: 'name' },
  first: { first: 'name' },
  last: { last: 'odd' },
  strange: { sum: 'odd' },
} as const satisfies AggregateSpecs;

export function writeRows(path: string, part: number, rows = ROWS): void {
  const id = Array.from({ length: rows }, (_, row) => part * rows + row);
  writeSync(
    path,
    {
      id: Int32Array.from(id),
      wide: BigInt64Array.from(id, (each) => BigInt(each) * 12_345_678_901n - 9_007_199_254_740_993n),
      price: Float64Array.from(id, (each) => (each % 11 === 0 ? 1e16 : each * 0.1)),
      odd: Float64Array.from(id, (each) => [NaN, -0, Infinity, 1.5][(each + part) % 4] as number),
      name: typed(
        'string',
        id.map((each) => (each % 13 === 0 ? '"é\u0000\\' : `n${String(each % 9)}`)),
      ),
      day: typed(
        'datetime64[us]',
        id.map((each) => BigInt(each) * 86_400_000_001n),
      ),
    },
    { rowGroupSize: 100, durability: 'none', overwrite: true },
  );
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-bullmq-'));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** `files` files of ten row groups each. */
export async function newDataset(files = 2): Promise<{ folder: string; dataset: Dataset }> {
  const folder = newFolder();
  for (let part = 0; part < files; part += 1) writeRows(join(folder, `part-${String(part)}.cna`), part);
  return { folder, dataset: await openDataset(folder) };
}
