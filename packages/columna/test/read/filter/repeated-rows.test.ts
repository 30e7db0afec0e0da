// More rows of a page than it has, as samples with replacement ask for: in every form, with and without nulls.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSync, writeSync } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-repeated-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 1000;
const x = Float64Array.from({ length: ROWS }, (_, row) => row / 8);
const n = Array.from({ length: ROWS }, (_, row) => (row % 3 === 0 ? null : row));
const text = Array.from({ length: ROWS }, (_, row) => `text ${String(row % 17)}`);

interface Columns {
  readonly x: Float64Array;
  readonly n: readonly (number | null)[];
  readonly text: readonly string[];
}

describe.each(['default', 'fast', 'plain'] as const)('mode %s', (mode) => {
  const path = join(folder, `${mode}.cna`);
  writeSync(path, { x, n, text }, { mode, schema: { x: 'float64', n: 'int32', text: 'string' } });

  it.each([65_535, 65_536, 65_537, 200_003])('%i rows', async (count) => {
    const rows = Int32Array.from({ length: count }, (_, i) => (i * 7) % ROWS);
    const view = openSync(path).take(rows);
    const asked = Array.from(rows);
    const columns = view.toColumnsSync() as unknown as Columns;
    expect(columns.x).toEqual(Float64Array.from(asked, (row) => x[row]!));
    expect(Array.from(columns.n)).toEqual(asked.map((row) => n[row]));
    expect(Array.from(columns.text)).toEqual(asked.map((row) => text[row]));
    expect(((await view.toColumns()) as unknown as Columns).x).toEqual(columns.x);
    expect((view.where('x > 100').toColumnsSync() as unknown as Columns).x).toEqual(
      Float64Array.from(
        asked.filter((row) => x[row]! > 100),
        (row) => x[row]!,
      ),
    );
    let seen = 0;
    for (const batch of view.batchesSync({ rows: 100_000 })) {
      const { x: values } = batch as unknown as Columns;
      expect(values).toEqual(columns.x.slice(seen, seen + values.length));
      seen += values.length;
    }
    expect(seen).toBe(count);
  });
});
