// Batches of ascending rows: every position once, with its row, in ascending runs, whatever the order, the repeats and
// the size of a batch.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowSelection } from '@colkit/io';
import { checkRequest } from '../../src/gather/gather-request.ts';
import { rowBatches } from '../../src/gather/row-batches.ts';
import { naiveRows } from '../support/naive-gather.ts';

function collect(
  selection: RowSelection,
  rowCount: number,
  batchRows: number,
): { rows: number[]; batches: number; ascending: boolean } {
  const segments = {
    rowStarts: Float64Array.of(0, rowCount),
    itemBytes: new Int32Array(0),
    bases: new Float64Array(0),
  };
  const checked = checkRequest(segments, rowCount, { columns: new Int32Array(0), rows: selection, outputs: [] });
  const rows = new Array<number>(checked.count).fill(-1);
  let batches = 0;
  let ascending = true;
  for (const batch of rowBatches(selection, rowCount, checked, batchRows)) {
    batches++;
    expect(batch.count).toBeGreaterThan(0);
    expect(batch.count).toBeLessThanOrEqual(batchRows);
    for (let i = 0; i < batch.count; i++) {
      expect(rows[batch.positions[i]!]).toBe(-1);
      rows[batch.positions[i]!] = batch.rows[i]!;
      if (i > 0 && batch.rows[i]! < batch.rows[i - 1]!) ascending = false;
    }
  }
  return { rows, batches, ascending };
}

test('hold each selected row once, ascending', () => {
  const rowCounts = fc.oneof(
    fc.integer({ min: 1, max: 50 }),
    fc.constant(10_000),
    fc.constant(2 ** 40),
    fc.constant(2 ** 53 - 1),
  );
  const cases = rowCounts.chain((rowCount) =>
    fc.tuple(
      fc.constant(rowCount),
      fc.array(
        fc.maxSafeInteger().map((n) => n % rowCount),
        { maxLength: 300 },
      ),
      fc.integer({ min: 1, max: 40 }),
    ),
  );
  fc.assert(
    fc.property(cases, ([rowCount, list, batchRows]) => {
      const selection: RowSelection = { kind: 'indices', indices: Float64Array.from(list) };
      const result = collect(selection, rowCount, batchRows);
      expect(result.ascending).toBe(true);
      expect(result.rows).toEqual(naiveRows(selection, rowCount));
    }),
  );
});

test('of a range of negative step come from its end', () => {
  const selection = { kind: 'range', start: 90, step: -7, count: 13 } as const;
  const result = collect(selection, 100, 4);
  expect(result).toEqual({ rows: naiveRows(selection, 100), batches: 4, ascending: true });
});

test('cover the file once where the rows are spread: each batch its own part', () => {
  const rowCount = 1_000_000;
  const indices = Int32Array.from({ length: 10_000 }, (_, i) => (i * 7919) % rowCount);
  const segments = {
    rowStarts: Float64Array.of(0, rowCount),
    itemBytes: new Int32Array(0),
    bases: new Float64Array(0),
  };
  const selection: RowSelection = { kind: 'indices', indices };
  const checked = checkRequest(segments, rowCount, { columns: new Int32Array(0), rows: selection, outputs: [] });
  let end = -1;
  let batches = 0;
  for (const batch of rowBatches(selection, rowCount, checked, 1000)) {
    expect(batch.rows[0]!).toBeGreaterThan(end);
    end = batch.rows[batch.count - 1]!;
    batches++;
  }
  expect(batches).toBeLessThan(12);
});
