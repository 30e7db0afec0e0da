// Folders of small .cstore files, for tests of tables of many files.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { open, openSync, writeSync } from '../../src/index.ts';
import type { ManyOpenable, Table } from '../../src/index.ts';

/** What it gives, or the code of its error. */
export function codeOf(of: () => unknown): unknown {
  try {
    return of();
  } catch (error) {
    return (error as { code?: string }).code ?? error;
  }
}

/** To be called once in a file of tests, after which the folders are removed. */
export function foldersOfFiles(): (files: Readonly<Record<string, Parameters<typeof writeSync>[1]>>) => string {
  let folder = '';
  let made = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'colstore-many-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A new folder of files of one int32 column `x` (and others), by name. */
  return (files) => {
    const own = join(folder, `set ${String(made++)}`);
    mkdirSync(own);
    for (const [name, data] of Object.entries(files)) writeSync(join(own, name), data, { durability: 'none' });
    return own;
  };
}

export const x = (...values: number[]): { x: Int32Array } => ({ x: Int32Array.from(values) });
export const xs = (table: Table): number[] => Array.from(table.select('x').toColumnsSync()['x'] as Int32Array);

/** In both forms. */
export async function xsOf(what: ManyOpenable): Promise<number[]> {
  await using late = await open(what);
  using now = openSync(what);
  expect(Array.from((await late.toColumns())['x'] as Int32Array)).toEqual(xs(now));
  return xs(now);
}
