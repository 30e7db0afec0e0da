// The table of the benchmark that Python's colstore publishes: columns of float64, and a fifth of the rows by sorted,
// distinct numbers; the same as random ones with repeats; and a few rows that are written again and again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteContext } from '../../src/checkouts/peer.ts';
import type { Progress } from '../../src/run/progress.ts';
import { uniform } from '../uniform.ts';
import { readWhole } from '../w1-data.ts';

export const NAMES = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7'] as const;
export type PublishedColumns = Readonly<Record<(typeof NAMES)[number], Float64Array>>;

export interface PublishedInputs {
  readonly ids: Int32Array;
  readonly random: Int32Array;
}

/** Numbers that Python reads too: how the table is cut, and what is streamed. */
export function publishedParameters(rows: number): Record<string, number> {
  return { rows, taken: rows / 5, pieces: 1000, smallRecords: 1000, smallRows: 50 };
}

export function parameter({ parameters }: SuiteContext, name: string): number {
  const value = parameters[name];
  if (value === undefined) throw new Error(`published: no parameter ${name}`);
  return value;
}

export function generatePublished(
  { rows = 0, taken = 0 }: SuiteContext['parameters'],
  directory: string,
  progress: Progress,
): void {
  for (const [number, name] of NAMES.entries()) {
    progress.update(`published: writing ${name}`);
    const next = uniform(number + 1);
    writeFileSync(
      join(directory, `${name}.bin`),
      new Float64Array(rows).map(() => next()),
    );
  }
  const next = uniform(9);
  const all = new Int32Array(rows).map((_, row) => row);
  // The first ones of a shuffled list are distinct.
  for (let at = 0; at < taken; at += 1) {
    const other = at + Math.floor(next() * (rows - at));
    [all[at], all[other]] = [all[other] as number, all[at] as number];
  }
  writeFileSync(join(directory, 'ids.bin'), all.slice(0, taken).sort());
  writeFileSync(
    join(directory, 'random.bin'),
    new Int32Array(taken).map(() => Math.floor(next() * rows)),
  );
}

export function readPublished({ directory }: SuiteContext): PublishedColumns {
  return Object.fromEntries(
    NAMES.map((name) => [name, new Float64Array(readWhole(join(directory, `${name}.bin`)))]),
  ) as unknown as PublishedColumns;
}

export function readPublishedInputs({ directory }: SuiteContext): PublishedInputs {
  const read = (name: string): Int32Array => new Int32Array(readWhole(join(directory, `${name}.bin`)));
  return { ids: read('ids'), random: read('random') };
}

/** Some rows of every column, not copied. */
export function rowsOf(columns: PublishedColumns, start: number, end: number): PublishedColumns {
  return Object.fromEntries(
    NAMES.map((name) => [name, columns[name].subarray(start, end)]),
  ) as unknown as PublishedColumns;
}
