// Groups of rows that the addon has made: what is asked of it, and what it found, told to those who gather.
import { RAW_LIMITS } from '@colkit/io';
import type { RawAnswer, RawColumn, RawFold, RawFolded, RawGroup, RawType } from '@colkit/io';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Accumulator } from '../aggregate/accumulator.ts';
import type { Running } from '../aggregate/aggregation.ts';
import { readBlocks } from '../aggregate/read-blocks.ts';
import { NAT } from '../values/nat.ts';
import type { ColumnRef } from '../query/bound-predicate.ts';
import type { RowRange, TableSource } from '../source.ts';
import { allRows, rangeOf, sliceRows } from '../views/rows.ts';
import type { RawColumnOf } from './raw-predicate.ts';
import type { FoldedRunning, RawBatch, RawSource } from './raw-source.ts';

/** Room for groups is taken before it is known how many there are. */
const FIRST_MOST = 1024;
/** The addon adds up as many numbers of 32 bits in 64. */
const MOST_ROWS = 2 ** 32 - 1;

/** Bytes of an answer, and of what each thread gathers, at most: about so many for each fold of a group. */
const FOLD_BYTES = 600;
const MOST_BYTES = 1 << 26;

/** What a fold found in items of a type. */
interface FoldResult {
  readonly type: RawType;
  readonly found: RawFolded;
}

/** What is folded: those who count rows need nothing. */
export function wantedFolds(folded: readonly FoldedRunning[]): readonly RawFold[] {
  return folded.map(({ fold }) => fold).filter((fold) => fold !== null);
}

/** What was found for each of those that gather, in their order; null: rows are counted. */
export function* resultsOf(
  folded: readonly FoldedRunning[],
  found: readonly RawFolded[],
): Generator<{ readonly running: Running<ColumnRef>; readonly result: FoldResult | null }> {
  let used = 0;
  for (const { running, fold } of folded)
    yield { running, result: fold && { type: fold.column.type, found: found[used++] as RawFolded } };
}

/** The columns that rows are grouped by, as the addon sees them; null where it does not group them. */
export function keysOf(by: readonly ColumnRef[], columnOf: RawColumnOf): readonly RawColumn[] | null {
  if (by.length > RAW_LIMITS.keys) return null;
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
  return isTextType(type);
}

function isTextType(type: RawType): boolean {
  return type === 'bytes' || type === 'points';
}

/** Plans whose rows are grouped, in batches that have as many rows as the addon groups at once. */
export function batchesWithin(batch: RawBatch, most = MOST_ROWS): readonly RawBatch[] {
  let last: RawBatch = { ...batch, plans: [] };
  const batches = [last];
  let room = most;
  for (const plan of batch.plans) {
    const { start: first, end } = rangeOf(plan.rows) as RowRange;
    for (let start = first; start < end; ) {
      if (room === 0) {
        batches.push((last = { ...batch, plans: [] }));
        room = most;
      }
      const count = Math.min(room, end - start);
      last.plans.push({ ...plan, rows: sliceRows(plan.rows, { start: start - first, step: 1, count }) });
      start += count;
      room -= count;
    }
  }
  return batches;
}

/** Null: there are more groups than the addon keeps. */
export function* lookAtGroups(raw: RawSource, { where, plans, folded, keys }: RawBatch): Work<RawAnswer | null> {
  const ranges = plans.map(({ rows }) => rangeOf(rows) as RowRange);
  const wanted = wantedFolds(folded);
  const rows = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  const room = Math.floor(MOST_BYTES / (FOLD_BYTES * (1 + wanted.length)));
  for (const most of [Math.max(1, Math.min(FIRST_MOST, rows)), Math.min(room, RAW_LIMITS.groups)]) {
    const program = { ranges, where, folds: wanted, bits: false, groups: { by: keys, most } };
    const answer = yield* perform(raw.run(program));
    if (answer.groups !== null) return answer;
  }
  return null;
}

/** Whether an extreme of floats is 0 or -0. */
export function isZero(folds: readonly RawFold[], found: readonly RawFolded[]): boolean {
  return found.some((folded, index) => {
    const fold = folds[index];
    if (fold === undefined || fold.kind === 'sum' || folded.kind !== 'value' || folded.value !== 0) return false;
    return fold.column.type.startsWith('float');
  });
}

/** @param result null: rows are counted. */
export function addResult(accumulator: Accumulator, group: number, count: number, result: FoldResult | null): void {
  if (result === null) {
    accumulator.addSummary?.(group, count, 0);
    return;
  }
  const { type, found } = result;
  switch (found.kind) {
    case 'nothing':
      return;
    case 'unknown':
      accumulator.addSummary?.(group, count, type === 'ticks' ? NAT : Number.NaN);
      return;
    case 'floats':
      accumulator.addExact?.(group, count, found.fixed, found.special);
      return;
    case 'value':
      accumulator.addSummary?.(group, count, found.value);
  }
}

interface FoundGroup {
  readonly batch: RawBatch;
  readonly group: RawGroup;
}

/** What folds over texts found: the addon tells the rows that have them. */
function* textsOf(table: TableSource, groups: readonly FoundGroup[]): Work<ReadonlyMap<RawFolded, string>> {
  const wanted = new Map<ColumnRef, { readonly found: RawFolded; readonly row: number }[]>();
  for (const { batch, group } of groups)
    for (const { running, result } of resultsOf(batch.folded, group.folds)) {
      if (running.column === null || result?.found.kind !== 'value' || !isTextType(result.type)) continue;
      const rows = wanted.get(running.column) ?? [];
      rows.push({ found: result.found, row: Number(result.found.value) });
      wanted.set(running.column, rows);
    }
  const texts = new Map<RawFolded, string>();
  for (const [column, rows] of wanted) {
    const indices = Float64Array.from(rows, ({ row }) => row);
    yield* readBlocks(table, { kind: 'take', base: allRows(table.rowCount), indices }, [column], (block) => {
      const values = block.valuesOf(column);
      if (values.kind !== 'codes') return false;
      for (let index = 0; index < block.rowCount; index += 1) {
        const each = rows[block.start + index];
        if (each !== undefined) texts.set(each.found, values.texts[values.codes[index] as number] ?? '');
      }
      return true;
    });
  }
  return texts;
}

/** The groups of all batches, in the order of their first rows, by which groups are numbered. */
export function* addGroups(
  table: TableSource,
  batches: readonly RawBatch[],
  answers: readonly RawAnswer[],
): Work<void> {
  const found: FoundGroup[] = [];
  for (const [index, batch] of batches.entries())
    for (const group of answers[index]?.groups ?? []) found.push({ batch, group });
  const [{ batch } = { batch: null }] = found;
  if (batch === null) return;
  found.sort((one, other) => one.group.first - other.group.first);
  const texts = yield* textsOf(table, found);
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
      if (each === undefined) continue;
      for (const { running, result } of resultsOf(each.batch.folded, each.group.folds)) {
        const text = result === null ? undefined : texts.get(result.found);
        if (text === undefined) addResult(running.accumulator, number, each.group.count, result);
        else running.accumulator.addSummary?.(number, each.group.count, text);
      }
    }
    return true;
  });
}
