// Results of scans equal a brute-force filter: on random data with random predicates, with the statistics as they are,
// removed, widened, and made senseless; and some of the work is really skipped.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import { bindPredicate } from '@colkit/table';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openSync, scan, scanSync } from '../../src/index.ts';
import type { Statistics } from '../../src/layout/statistics.ts';
import { Selection } from '../../src/read/filter/filter-jobs.ts';
import type { Narrowed } from '../../src/read/filter/filter-jobs.ts';
import { FetchedPages } from '../../src/read/pages/fetched-pages.ts';
import { backendsToAsk } from '../support/backends.ts';
import { cellsOfResult, sameCells } from '../support/cells.ts';
import { bruteForce, expressionOf, treeArbitrary } from '../support/predicates.ts';
import type { Tree } from '../support/predicates.ts';
import { tableArbitrary } from '../support/random-tables.ts';
import type { RandomColumn } from '../support/random-tables.ts';
import { withStatistics } from '../support/statistics.ts';
import type { ChangeStatistics } from '../support/statistics.ts';
import { writeTable } from '../support/table.ts';

const BACKENDS = backendsToAsk();
afterEach(() => setDefaultBackend('js'));

interface Case {
  readonly columns: readonly RandomColumn[];
  readonly trees: readonly Tree[];
  readonly options: {
    readonly rowGroupRows: number;
    readonly pageRows: number;
    readonly mode: 'default' | 'smallest' | 'plain';
    readonly joint: boolean;
  };
}

const cases: fc.Arbitrary<Case> = fc
  .tuple(
    tableArbitrary,
    fc.record({
      rowGroupRows: fc.constantFrom(24, 64, 1000),
      pageRows: fc.constantFrom(8, 16, 64),
      mode: fc.constantFrom('default' as const, 'smallest' as const, 'plain' as const),
      joint: fc.boolean(),
    }),
  )
  .chain(([columns, options]) =>
    fc.record({
      columns: fc.constant(columns),
      options: fc.constant(options),
      trees: fc.array(treeArbitrary(columns), { minLength: 3, maxLength: 6 }),
    }),
  );

interface Tally {
  groups: number;
  groupsSkipped: number;
  pagesSkipped: number;
  matched: number;
  bytesSaved: number;
}

/**
 * The file, through a change of its statistics or none; every predicate against the brute force, with the addon and
 * without.
 */
function check(
  { columns, trees, options }: Case,
  change: ChangeStatistics | null,
  tally: Tally,
  placed: (bytes: Uint8Array) => Uint8Array | string = (bytes) => bytes,
): void {
  setDefaultBackend('js');
  const written = writeTable(
    columns.map(({ column }) => column),
    options,
  ).bytes;
  const bytes = change === null ? written : withStatistics(written, change);
  const source = placed(bytes);
  const names = columns.map(({ column }) => column.name);
  for (const tree of trees) {
    const expected = bruteForce(tree, columns);
    const where = expressionOf(tree, names);
    for (const backend of BACKENDS) {
      setDefaultBackend(backend);
      const result = scanSync(source, { where });
      expect(result.stats.matched, textOf(tree)).toBe(expected.length);
      expect(result.rowCount).toBe(expected.length);
      for (const { column, cells } of columns) {
        const actual = cellsOfResult((result.columns as Record<string, unknown>)[column.name], column.type);
        if (
          !sameCells(
            actual,
            expected.map((row) => cells[row]!),
          )
        )
          expect(actual, `${column.name} where ${textOf(tree)}`).toEqual(expected.map((row) => cells[row]!));
      }
      const { stats } = result;
      expect(stats.bytesRead).toBeLessThanOrEqual(bytes.length);
      expect(stats.groups).toBe(Math.ceil(columns[0]!.cells.length / options.rowGroupRows));
      tally.groups += stats.groups;
      tally.groupsSkipped += stats.groupsSkipped;
      tally.pagesSkipped += stats.pagesSkipped;
      tally.matched += stats.matched;
      tally.bytesSaved += bytes.length - stats.bytesRead;
    }
  }
}

function run(change: ChangeStatistics | null, runs: number, seed: number): Tally {
  const tally: Tally = { groups: 0, groupsSkipped: 0, pagesSkipped: 0, matched: 0, bytesSaved: 0 };
  fc.assert(
    fc.property(cases, (each) => check(each, change, tally)),
    { numRuns: runs, seed, endOnFailure: true },
  );
  return tally;
}

describe('scan equals a brute-force filter', () => {
  it('with statistics as they are, skipping', () => {
    const tally = run(null, 120, 1);
    expect(tally.matched).toBeGreaterThan(1000);
    expect(tally.groupsSkipped).toBeGreaterThan(tally.groups / 10);
    expect(tally.pagesSkipped).toBeGreaterThan(100);
    expect(tally.bytesSaved).toBeGreaterThan(10_000);
  });

  it('in a file, where the addon tests what it can and picks what matches', () => {
    const folder = mkdtempSync(join(tmpdir(), 'columna-scan-'));
    const narrowed = vi.spyOn(Selection.prototype, 'of');
    const picked = vi.spyOn(FetchedPages.prototype, 'keepItems');
    const tally: Tally = { groups: 0, groupsSkipped: 0, pagesSkipped: 0, matched: 0, bytesSaved: 0 };
    let files = 0;
    const saved = (bytes: Uint8Array): string => {
      const path = join(folder, `${files++}.cna`);
      writeFileSync(path, bytes);
      return path;
    };
    try {
      fc.assert(
        fc.property(cases, (each) => check(each, null, tally, saved)),
        { numRuns: 80, seed: 6, endOnFailure: true },
      );
      // Without statistics that say what matches, more is looked at.
      const unknown: ChangeStatistics = (statistics) => ({ ...statistics, nanCount: null, min: null, max: null });
      fc.assert(
        fc.property(cases, (each) => check(each, unknown, tally, saved)),
        { numRuns: 80, seed: 7, endOnFailure: true },
      );
      const isNative = BACKENDS.includes('native');
      expect(narrowed.mock.results.filter(({ value }) => (value as Narrowed).terms > 0).length > 200).toBe(isNative);
      expect(picked.mock.calls.length > 20).toBe(isNative);
    } finally {
      vi.restoreAllMocks();
      rmSync(folder, { recursive: true });
    }
  });

  it('all rows of a page, where they pass one term of an `or` and no statistics tell it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'columna-scan-'));
    const path = join(folder, 'or.cna');
    const values = Int32Array.from({ length: 50 }, (_, row) => row);
    const { bytes } = writeTable([{ name: 'x', type: 'int32', values }], { pageRows: 8 });
    writeFileSync(
      path,
      withStatistics(bytes, (statistics) => ({ ...statistics, min: null, max: null })),
    );
    for (const backend of BACKENDS) {
      setDefaultBackend(backend);
      for (const where of ['x < 10 or x > 5', 'x < 0 or x >= 0', 'x >= 0 or x == 7', 'not (x between 10 and 5)'])
        expect(scanSync(path, { where }).columns['x'], `${where}, ${backend}`).toEqual(values);
    }
    rmSync(folder, { recursive: true });
  });

  it('with statistics removed: nothing is skipped but by the counts that are left', () => {
    const none = run((statistics) => ({ ...statistics, nanCount: null, min: null, max: null }), 30, 2);
    const some = run(
      (statistics, { column }) =>
        column % 2 === 0 ? { ...statistics, min: null } : { ...statistics, max: null, nanCount: null },
      30,
      3,
    );
    expect(none.matched).toBeGreaterThan(100);
    expect(some.groupsSkipped).toBeGreaterThan(0);
  });

  it('with statistics widened', () => {
    const widen = (statistics: Statistics): Statistics => ({
      ...statistics,
      min: statistics.min === null ? null : { value: lower(statistics.min.value), exact: false },
      max: statistics.max === null ? null : { value: higher(statistics.max.value), exact: false },
    });
    expect(run(widen, 50, 4).groupsSkipped).toBeGreaterThan(0);
  });

  it('with statistics that cannot be true, which prove nothing', () => {
    const nan = (statistics: Statistics, { type }: { readonly type: string }): Statistics =>
      type.startsWith('float')
        ? { ...statistics, min: { value: NaN, exact: true }, max: { value: NaN, exact: true } }
        : { ...statistics, min: null, max: null };
    const crossed = (statistics: Statistics): Statistics =>
      statistics.min === null || statistics.max === null || sameBound(statistics)
        ? { ...statistics, min: null, max: null }
        : { ...statistics, min: statistics.max, max: statistics.min };
    const counts = (statistics: Statistics, { rowCount }: { readonly rowCount: number }): Statistics => ({
      ...statistics,
      nullCount: rowCount + 1 + statistics.nullCount,
    });
    for (const change of [nan, crossed, counts]) expect(run(change, 25, 5).matched).toBeGreaterThan(100);
  });

  it('as a lazy view too, on slices, async and in text form', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ columns, trees, options }) => {
        const { bytes } = writeTable(
          columns.map(({ column }) => column),
          options,
        );
        const names = columns.map(({ column }) => column.name);
        const [tree] = trees;
        const where = expressionOf(tree!, names);
        const expected = bruteForce(tree!, columns);
        for (const backend of BACKENDS) {
          setDefaultBackend(backend);
          const table = openSync(bytes);
          const scanned = await scan(bytes, { where: bindPredicate(where, table.schema).text, columns: [names[0]!] });
          expect(scanned.stats.matched, textOf(tree!)).toBe(expected.length);
          const lazy = await table.where(where).toColumns();
          const { cells, column } = columns[0]!;
          expect(
            sameCells(
              cellsOfResult((lazy as Record<string, unknown>)[column.name], column.type),
              expected.map((row) => cells[row]!),
            ),
            textOf(tree!),
          ).toBe(true);
          const [start, end] = [Math.floor(cells.length / 4), Math.ceil((3 * cells.length) / 4)];
          expect(table.slice(start, end).where(where).countSync()).toBe(
            expected.filter((row) => row >= start && row < end).length,
          );
        }
      }),
      { numRuns: 40, seed: 6, endOnFailure: true },
    );
  });
});

function textOf(tree: Tree): string {
  return JSON.stringify(tree, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

function sameBound({ min, max }: Statistics): boolean {
  return (
    min !== null &&
    max !== null &&
    (min.value instanceof Uint8Array
      ? Buffer.compare(min.value, max.value as Uint8Array) === 0
      : min.value === max.value || (min.value === 0 && max.value === 0))
  );
}

function lower(value: bigint | number | Uint8Array): bigint | number | Uint8Array {
  if (typeof value === 'bigint')
    return value > 1000n || value < 0n ? value - (value > -(2n ** 63n) + 3n ? 3n : 0n) : 0n;
  return typeof value === 'number' ? value - Math.abs(value) / 8 - 1 : value.subarray(0, Math.floor(value.length / 2));
}

function higher(value: bigint | number | Uint8Array): bigint | number | Uint8Array {
  if (typeof value === 'bigint') return value + (value < 2n ** 63n - 4n ? 3n : 0n);
  if (typeof value === 'number') return value + Math.abs(value) / 8 + 1;
  // A longer one is refused.
  return value.length < 64 ? Uint8Array.from([...value, 0x7f]) : value;
}
