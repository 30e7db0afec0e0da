// Every shape of values through every task: the addon, TypeScript alone and a plain look at the array agree.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SHAPES, groupKeys, takenRows } from '../shapes/distributions.ts';
import type { Shape } from '../shapes/distributions.ts';
import { runShapes, shapesNamed, shapesReport } from '../shapes/run-shapes.ts';
import { BATCH_ROWS, TAKEN, TOP_ROWS, shapeFile } from '../shapes/tasks.ts';

// More than one page, and a last one that is not full.
const ROWS = 70_001;
const folder = mkdtempSync(join(tmpdir(), 'colkit-shapes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Cell = number | bigint | string | null;

test.each(SHAPES)('$name: both backends, and the array itself', (shape) => {
  const values = shape.values(ROWS);
  const cells = Array.from(values as ArrayLike<Cell>);
  for (const backend of ['native', 'js'] as const) {
    const file = shapeFile(shape, values, join(folder, `${backend}.cna`), { backend });
    try {
      expect(cellsOf(file.tasks.read())).toEqual(cells);
      expect(cellsOf(file.tasks.take())).toEqual(Array.from(takenRows(ROWS, TAKEN), (row) => cells[row] ?? null));
      expect(cellsOf(file.tasks.filter())).toEqual(cells.filter((cell) => matches(shape, cell)));
      expect(cellsOf(file.tasks.batches())).toEqual(cells.slice(ROWS - (ROWS % BATCH_ROWS)));
      const present = cells.filter((cell) => cell !== null).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
      expect(cellsOf(file.tasks.top())).toEqual(present.slice(0, TOP_ROWS));
      expectTotal(shape, file.tasks.sum(), cells);
      const groups = file.tasks.group() as { key: ArrayLike<number>; answer: ArrayLike<Cell> };
      const keys = groupKeys(ROWS);
      expect(Array.from(groups.key)).toEqual([...new Set(keys)]);
      for (const [index, key] of Array.from(groups.key).entries())
        expectTotal(
          shape,
          { answer: groups.answer[index] },
          cells.filter((_, row) => keys[row] === key),
        );
    } finally {
      file.close();
    }
  }
});

test('the report has a line a shape, and ratios to the bit-packed one', () => {
  const names = ['cents', 'doubles'];
  const results = runShapes({
    rows: 2000,
    rounds: 1,
    clock: 'wall',
    mode: 'default',
    tasks: ['read'],
    names,
    folder: join(folder, 'run'),
    onProgress: () => undefined,
  });
  expect(results.map(({ shape }) => shape.name)).toEqual(names);
  expect(shapesReport(results)).toMatch(/random doubles +\| +[\d.]+ \| +[\d.]+ \([\d.]+\) \|/);
  expect(() => shapesNamed(['cent'])).toThrow('unknown shape cent; there are cents, doubles');
});

function matches({ bound }: Shape, cell: Cell): boolean {
  if (cell === null) return false;
  return typeof bound === 'string' ? cell === bound : (cell as number) > (bound as number);
}

/** Floats: within what a naive sum loses; all else exactly. */
function expectTotal({ dtype }: Shape, found: unknown, cells: readonly Cell[]): void {
  const { answer } = found as { answer: Cell };
  const present = cells.filter((cell) => cell !== null);
  if (dtype === 'string' || dtype.startsWith('datetime'))
    expect(answer).toBe(present.reduce((best, cell) => (cell > best ? cell : best)));
  else if (dtype === 'int64') expect(answer).toBe((present as bigint[]).reduce((sum, cell) => sum + cell, 0n));
  else {
    const sum = (present as number[]).reduce((total, cell) => total + cell, 0);
    const size = (present as number[]).reduce((total, cell) => total + Math.abs(cell), 0);
    expect(Math.abs(Number(answer) - sum)).toBeLessThanOrEqual(size * 1e-11);
  }
}

/** What came of a column, a value a row; nulls by its bitmap, texts by their codes. */
function cellsOf(found: unknown): Cell[] {
  const { value } = found as { value: unknown };
  const column = value as ArrayLike<Cell> & {
    values?: ArrayLike<Cell>;
    validity?: Uint8Array | null;
    codes?: Int32Array;
    dictionary?: readonly string[];
  };
  if (column.codes !== undefined) return Array.from(column.codes, (code) => column.dictionary?.[code] ?? null);
  if (column.values === undefined || ArrayBuffer.isView(column) || Array.isArray(column)) return Array.from(column);
  const { values, validity } = column;
  return Array.from(values, (cell, row) =>
    validity && (((validity[row >> 3] as number) >> (row & 7)) & 1) === 0 ? null : cell,
  );
}
