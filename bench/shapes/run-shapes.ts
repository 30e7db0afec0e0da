// Every shape through every task; then the table, with the ratio to the bit-packed shape of the same type.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { WriteMode } from 'columna';
import { table } from '../src/report/report.ts';
import { SHAPES } from './distributions.ts';
import type { Shape } from './distributions.ts';
import { SHAPE_TASKS, shapeFile } from './tasks.ts';
import type { ShapeTask } from './tasks.ts';

export interface ShapesOptions {
  readonly rows: number;
  readonly rounds: number;
  readonly clock: 'wall' | 'cpu';
  readonly mode: WriteMode;
  readonly tasks: readonly string[];
  /** Names of shapes; none: all. */
  readonly names: readonly string[];
  readonly folder: string;
  readonly onProgress: (text: string) => void;
}

export interface ShapeResult {
  readonly shape: Shape;
  /** Bytes of the column's pages for each row; the other column's are left out. */
  readonly bytes: number;
  readonly encoding: string;
  /** Milliseconds of the fastest run. */
  readonly times: Readonly<Partial<Record<ShapeTask, number>>>;
}

/** @throws Error for a name that is none. */
export function shapesNamed(names: readonly string[]): readonly Shape[] {
  for (const name of names)
    if (!SHAPES.some((shape) => shape.name === name))
      throw new Error(`unknown shape ${name}; there are ${SHAPES.map((shape) => shape.name).join(', ')}`);
  return names.length === 0 ? SHAPES : SHAPES.filter(({ name }) => names.includes(name));
}

export function runShapes(options: ShapesOptions): ShapeResult[] {
  const { rows, rounds, clock, mode, folder, onProgress } = options;
  const tasks = SHAPE_TASKS.filter((task) => options.tasks.length === 0 || options.tasks.includes(task));
  mkdirSync(folder, { recursive: true });
  return shapesNamed(options.names).map((shape, index) => {
    onProgress(`shapes: ${shape.name}`);
    const path = join(folder, `shape-${String(index)}.cna`);
    const file = shapeFile(shape, shape.values(rows), path, { mode });
    try {
      const times: Partial<Record<ShapeTask, number>> = {};
      for (const task of tasks) {
        const runs = task === 'write' ? 1 : rounds;
        if (task !== 'write') file.tasks[task]();
        let best = Number.POSITIVE_INFINITY;
        for (let run = 0; run < runs; run += 1) best = Math.min(best, timeOf(file.tasks[task], clock));
        times[task] = best;
      }
      return { shape, bytes: file.valueBytes / rows, encoding: file.encoding, times };
    } finally {
      file.close();
      rmSync(path, { force: true });
    }
  });
}

export function timeOf(run: () => unknown, clock: ShapesOptions['clock']): number {
  if (clock === 'wall') {
    const start = performance.now();
    run();
    return performance.now() - start;
  }
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** A line a shape: bytes a value, milliseconds, and how many times those of the bit-packed shape of its type. */
export function shapesReport(results: readonly ShapeResult[]): string {
  const tasks = SHAPE_TASKS.filter((task) => results.some(({ times }) => times[task] !== undefined));
  const byName = new Map(results.map((result) => [result.shape.name, result]));
  const cell = ({ shape, times }: ShapeResult, task: ShapeTask): string => {
    const time = times[task];
    const other = byName.get(shape.against)?.times[task];
    if (time === undefined) return '';
    const shown = time < 10 ? time.toFixed(1) : time.toFixed(0);
    return other === undefined || other === 0 || shape.against === shape.name
      ? shown
      : `${shown} (${(time / other).toFixed(1)})`;
  };
  return table(
    ['values', 'bytes a value', ...tasks.map((task) => `${task} ms`), 'encoding'],
    results.map((result) => [
      result.shape.title,
      result.bytes.toFixed(2),
      ...tasks.map((task) => cell(result, task)),
      result.encoding,
    ]),
  );
}
