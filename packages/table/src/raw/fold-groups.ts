// Groups of rows that the addon has made: what is asked of it, and what it found, told to those who gather.
import { RAW_LIMITS } from '@colkit/io';
import type { RawAnswer, RawColumn, RawFold, RawFolded, RawGroup } from '@colkit/io';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Accumulator } from '../aggregate/accumulator.ts';
import { readBlocks } from '../aggregate/read-blocks.ts';
import { NAT } from '../values/nat.ts';
import type { ColumnRef } from '../query/bound-predicate.ts';
import type { RowRange, TableSource } from '../source.ts';
import { allRows, rangeOf } from '../views/rows.ts';
import type { RawColumnOf } from './raw-predicate.ts';
import type { RawBatch, RawSource } from './raw-source.ts';

/** Room for groups is taken before it is known how many there are. */
const FIRST_MOST = 1024;
const MOST_ROWS = 2 ** 32 - 1;

/** What was found; or of a text, which the addon tells by its row, the text. */
type Found = RawFolded | { readonly kind: 'text'; readonly value: string };

/** The columns that rows are grouped by, as the addon sees them; null where it does not group them. */
export function keysOf(
  by: readonly ColumnRef[],
  folds: readonly (RawFold | null)[],
  columnOf: RawColumnOf,
): readonly RawColumn[] | null {
  if (by.length > RAW_LIMITS.keys || folds.some((fold) => fold !== null && isText(fold.column))) return null;
  const keys: RawColumn[] = [];
  let keyBytes = 0;
  for (const column of by) {
    const key = columnOf(column);
    if (key === null) return null;
    keys.push(key);
    keyBytes += isText(key) ? column.info.itemBytes : 8;
  }
  return keyBytes > RAW_LIMITS.keyBytes ? null : keys;
}

function isText({ type }: RawColumn): boolean {
  return type === 'bytes' || type === 'points';
}

/** Null: there are more groups than the addon keeps. */
export function* lookAtGroups(raw: RawSource, { where, plans, folds, keys }: RawBatch): Work<RawAnswer | null> {
  const ranges = plans.map(({ rows }) => rangeOf(rows) as RowRange);
  if (ranges.reduce((sum, { start, end }) => sum + end - start, 0) > MOST_ROWS) return null;
  const wanted = folds.filter((fold) => fold !== null);
  for (const most of [FIRST_MOST, RAW_LIMITS.groups]) {
    const program = { ranges, where, folds: wanted, bits: false, groups: { by: keys, most } };
    const answer = yield* perform(raw.run(program));
    if (answer.groups !== null) return answer;
  }
  return null;
}

/** Whether an extreme is 0 or -0. */
export function isZero(folds: readonly RawFold[], found: readonly RawFolded[]): boolean {
  return found.some((folded, index) => folds[index]?.kind !== 'sum' && folded.kind === 'value' && folded.value === 0);
}

/** @param fold null: rows are counted. */
export function addFolded(
  accumulator: Accumulator,
  group: number,
  count: number,
  fold: RawFold | null,
  found: Found | null,
): void {
  if (fold === null || found === null) {
    accumulator.addSummary?.(group, count, 0);
    return;
  }
  switch (found.kind) {
    case 'nothing':
      return;
    case 'unknown':
      accumulator.addSummary?.(group, count, fold.column.type === 'ticks' ? NAT : Number.NaN);
      return;
    case 'floats':
      accumulator.addExact?.(group, count, found.fixed, found.special);
      return;
    case 'value':
    case 'text':
      accumulator.addSummary?.(group, count, found.value);
  }
}

/** The groups of all batches, in the order of their first rows, by which groups are numbered. */
export function* addGroups(
  table: TableSource,
  batches: readonly RawBatch[],
  answers: readonly RawAnswer[],
): Work<void> {
  const found: { readonly batch: RawBatch; readonly group: RawGroup }[] = [];
  for (const [index, batch] of batches.entries())
    for (const group of answers[index]?.groups ?? []) found.push({ batch, group });
  const [{ batch } = { batch: null }] = found;
  if (batch === null) return;
  found.sort((one, other) => one.group.first - other.group.first);
  const { by, keys } = batch.aggregation;
  const indices = Float64Array.from(found, ({ group }) => group.first);
  const rows = { kind: 'take', base: allRows(table.rowCount), indices } as const;
  yield* readBlocks(table, rows, by, (block) => {
    const numbers =
      keys?.groupsOf(
        by.map((column) => block.valuesOf(column)),
        block.rowCount,
      ) ?? [];
    for (const [index, number] of numbers.entries()) {
      const each = found[block.start + index];
      if (each !== undefined) addGroup(each.batch, number, each.group);
    }
    return true;
  });
}

function addGroup({ folded, folds }: RawBatch, number: number, { count, folds: found }: RawGroup): void {
  let used = 0;
  for (const [index, { accumulator }] of folded.entries()) {
    const fold = folds[index] ?? null;
    addFolded(accumulator, number, count, fold, fold === null ? null : (found[used++] ?? null));
  }
}
