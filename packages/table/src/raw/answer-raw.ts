// Plans over a source whose columns the addon looks at as they lie -> answers: which rows match, how many, what they
// add up to, all of it in one pass. What the addon does not know is left to the table layer, of the rows that match.
import type { RawAnswer, RawFold, RawNode } from '@colkit/io';
import { RAW_LIMITS, parseDType } from '@colkit/io';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { domainOf } from '../aggregate/column-values.ts';
import type { Aggregation, Running } from '../aggregate/aggregation.ts';
import { decodeFixedStringsUnchecked } from '../values/fixed-strings.ts';
import type { FixedStringType } from '../values/fixed-strings.ts';
import type { BoundPredicate, ColumnRef } from '../query/bound-predicate.ts';
import { RowCollector } from '../query/evaluate/row-collector.ts';
import { wanting } from '../plan/plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { Answer, RowRange, TableSource } from '../source.ts';
import { countRows, rangeOf } from '../views/rows.ts';
import {
  addGroups,
  addResult,
  batchesWithin,
  isZero,
  keysOf,
  lookAtGroups,
  resultsOf,
  wantedFolds,
} from './fold-groups.ts';
import { rawPredicate } from './raw-predicate.ts';
import type { RawColumnOf } from './raw-predicate.ts';
import type { FoldedRunning, RawBatch, RawSource } from './raw-source.ts';

export type { RawSource } from './raw-source.ts';

/** Where a few matches are enough, the first rows that are looked at are few, and the next ones more. */
const FIRST_ROWS = 65_536;
const GROWTH = 4;
/** Columns of a predicate: there is room for those of the folds and keys beside them. */
const MOST_ASKED = RAW_LIMITS.columns - RAW_LIMITS.folds - RAW_LIMITS.keys;

/**
 * @param plan what was asked. @param rest what is left of it, over ranges of its rows, ascending and apart: the answer
 * where the predicate is not for the addon, or nothing is to be gained.
 */
export function* answerRaw(raw: RawSource, plan: Plan, rest: readonly Plan[]): Work<Answer> {
  const { want } = plan;
  if (want.kind === 'explanation' || plan.rows.kind !== 'range') return { kind: 'rest', plans: rest };
  // It tells groups in their order, and not to which of all rows the first ones belong.
  if (want.kind === 'aggregates' && want.aggregation.firstRows !== null) return { kind: 'rest', plans: rest };
  const wheres = wheresOf(rest, raw.columnOf);
  if (wheres === null) return { kind: 'rest', plans: rest };
  if (want.kind === 'aggregates') return yield* answerAggregates(raw, rest, wheres);
  if (plan.where === null) return { kind: 'rest', plans: rest };
  const found = new RowCollector(countRows(plan.rows));
  for (const part of rest) {
    if (found.count >= plan.limit) break;
    const range = rangeOf(part.rows) as RowRange;
    const where = part.where === null ? null : (wheres.get(part.where) ?? null);
    yield* findRows(raw, range, where, plan, found);
  }
  return { kind: 'rows', rows: found.rowsOf(plan.rows) };
}

type Wheres = ReadonlyMap<BoundPredicate, RawNode>;

/** The predicates of plans; null where one of them is not for the addon. */
function wheresOf(plans: readonly Plan[], columnOf: RawColumnOf): Wheres | null {
  const wheres = new Map<BoundPredicate, RawNode>();
  for (const { where, rows } of plans) {
    if (rangeOf(rows) === null) return null;
    if (where === null || wheres.has(where)) continue;
    const node = where.columns.length > MOST_ASKED ? null : rawPredicate(where.root, columnOf);
    if (node === null) return null;
    wheres.set(where, node);
  }
  return wheres;
}

function* findRows(
  raw: RawSource,
  range: RowRange,
  where: RawNode | null,
  { rows, limit }: Plan,
  found: RowCollector,
): Work<void> {
  const base = rangeOf(rows)?.start ?? 0;
  if (where === null) {
    found.addAll(range.start - base, range.end - range.start);
    return;
  }
  let most = limit === Infinity ? range.end - range.start : FIRST_ROWS;
  for (let { start } = range; start < range.end && found.count < limit; most *= GROWTH) {
    const end = Math.min(range.end, start + most);
    const answer = yield* perform(raw.run({ ranges: [{ start, end }], where, folds: [], bits: true, groups: null }));
    found.addBits(answer.bits, 0, start - base, end - start, answer.matches);
    start = end;
  }
}

function* answerAggregates(raw: RawSource, rest: readonly Plan[], wheres: Wheres): Work<Answer> {
  const batches = batchesOf(raw, rest, wheres);
  const answers: RawAnswer[] = [];
  for (const batch of batches) {
    const answer = yield* batch.keys.length > 0 ? lookAtGroups(raw, batch) : look(raw, batch);
    if (answer === null) return { kind: 'rest', plans: rest };
    answers.push(answer);
  }
  // Which of 0 and -0 an extreme is depends on which comes first: batches do not tell.
  if (batches.length > 1 && batches.some((batch, index) => hasZero(batch, answers[index] as RawAnswer)))
    return { kind: 'rest', plans: rest };
  yield* addGroups(raw.table, batches, answers);
  const left: Plan[] = [];
  for (const [index, batch] of batches.entries()) {
    const answer = answers[index] as RawAnswer;
    yield* addFolds(raw, batch, answer);
    for (const plan of leftOf(batch, answer)) left.push(plan);
  }
  left.sort((one, other) => startOf(one) - startOf(other));
  return left.length === 0 ? { kind: 'aggregates' } : { kind: 'rest', plans: left };
}

function batchesOf(raw: RawSource, rest: readonly Plan[], wheres: Wheres): readonly RawBatch[] {
  const batches: RawBatch[] = [];
  for (const plan of rest) {
    const { want } = plan;
    if (want.kind !== 'aggregates') throw new TypeError('what is left of aggregates adds up to something');
    const { aggregation } = want;
    const where = plan.where === null ? null : (wheres.get(plan.where) ?? null);
    const known = batches.find((batch) => batch.where === where && isAlike(batch.aggregation, aggregation));
    if (known !== undefined) {
      known.plans.push(plan);
      continue;
    }
    batches.push({ where, aggregation, plans: [plan], ...sharesOf(aggregation, raw.columnOf) });
  }
  return batches.flatMap((batch) => (batch.keys.length === 0 ? [batch] : batchesWithin(batch)));
}

/** Who of those that gather is told by the addon, and who has to see values: where rows are grouped all or none. */
function sharesOf(
  aggregation: Aggregation<ColumnRef>,
  columnOf: RawColumnOf,
): Pick<RawBatch, 'keys' | 'folded' | 'left'> {
  const { running: all, by } = aggregation;
  const folded: FoldedRunning[] = [];
  const left: Running<ColumnRef>[] = [];
  for (const running of all) {
    const fold = foldOf(running, columnOf);
    if (fold === undefined) left.push(running);
    else folded.push({ running, fold });
  }
  if (by.length === 0) return { keys: [], folded, left };
  const keys = left.length === 0 && wantedFolds(folded).length <= RAW_LIMITS.folds ? keysOf(by, columnOf) : null;
  return keys === null ? { keys: [], folded: [], left: all } : { keys, folded, left };
}

function isAlike(one: Aggregation<ColumnRef>, other: Aggregation<ColumnRef>): boolean {
  return (
    one.running.length === other.running.length &&
    one.running.every((running, index) => running === other.running[index])
  );
}

/** Null: rows are counted; undefined: it has to see values. */
function foldOf({ column, accumulator }: Running<ColumnRef>, columnOf: RawColumnOf): RawFold | null | undefined {
  const { fold } = accumulator;
  if (column === null || fold === 'count') return null;
  const seen = fold === null ? null : columnOf(column);
  if (seen === null || fold === null) return undefined;
  return { column: seen, kind: fold === 'sum' ? 'sum' : fold === 'min' ? 'least' : 'most' };
}

const NOTHING: RawAnswer = { matches: 0, folds: [], groups: null, bits: new Uint8Array(0) };

function* look(raw: RawSource, { where, plans, left, folded }: RawBatch): Work<RawAnswer> {
  const ranges = plans.map(({ rows }) => rangeOf(rows) as RowRange);
  const wanted = wantedFolds(folded);
  const bits = where !== null && left.length > 0;
  // Rows that all match are counted by their number.
  if (where === null && wanted.length === 0)
    return folded.length === 0
      ? NOTHING
      : { ...NOTHING, matches: ranges.reduce((sum, { start, end }) => sum + end - start, 0) };
  const first = wanted.slice(0, RAW_LIMITS.folds);
  const answer = yield* perform(raw.run({ ranges, where, folds: first, bits, groups: null }));
  const folds = [...answer.folds];
  // More than it takes at once are one more pass for each so many.
  while (folds.length < wanted.length) {
    const next = wanted.slice(folds.length, folds.length + RAW_LIMITS.folds);
    const more = yield* perform(raw.run({ ranges, where, folds: next, bits: false, groups: null }));
    for (const fold of more.folds) folds.push(fold);
  }
  return { ...answer, folds };
}

function hasZero({ folded }: RawBatch, { folds: answers, groups }: RawAnswer): boolean {
  const wanted = wantedFolds(folded);
  return isZero(wanted, answers) || (groups?.some((group) => isZero(wanted, group.folds)) ?? false);
}

function* addFolds(raw: RawSource, { keys, folded }: RawBatch, { matches, folds }: RawAnswer): Work<void> {
  if (matches === 0 || keys.length > 0) return;
  for (const { running, result } of resultsOf(folded, folds)) {
    const { accumulator, column } = running;
    const isText = column !== null && domainOf(column.info) === 'text';
    if (isText && result?.found.kind === 'value') {
      accumulator.addSummary?.(0, matches, yield* textAt(raw.table, column.number, Number(result.found.value)));
    } else addResult(accumulator, 0, matches, result);
  }
}

function* textAt(table: TableSource, column: number, row: number): Work<string> {
  const info = parseDType(table.fields[column]?.dtype ?? '');
  const bytes = new Uint8Array(info.itemBytes);
  const output = { bytes, byteOffset: 0, byteStride: info.itemBytes };
  const rows = { kind: 'range', start: row, step: 1, count: 1 } as const;
  yield* perform(table.read({ columns: [column], rows, outputs: [output], strings: 'values' }));
  const texts = [''];
  decodeFixedStringsUnchecked(bytes, info as FixedStringType, 0, 1, texts);
  return texts[0] ?? '';
}

/** What has to be read of a batch: all rows, or those that match. */
function* leftOf({ plans, where, left, aggregation, folded }: RawBatch, { bits }: RawAnswer): Generator<Plan> {
  if (left.length === 0) return;
  let byteOffset = 0;
  for (const plan of plans) {
    const { start, end } = rangeOf(plan.rows) as RowRange;
    const want = {
      kind: 'aggregates',
      aggregation: folded.length === 0 ? aggregation : aggregation.only(left),
    } as const;
    if (where === null) {
      yield wanting(plan, want);
      continue;
    }
    const found = new RowCollector(end - start);
    found.addBits(bits, byteOffset, 0, end - start, onesOf(bits, byteOffset, end - start));
    byteOffset += Math.ceil((end - start) / 8);
    if (found.count > 0) yield { ...wanting(plan, want), rows: found.rowsOf(plan.rows), where: null };
  }
}

function onesOf(bits: Uint8Array, byteOffset: number, rowCount: number): number {
  let count = 0;
  for (let byte = byteOffset; byte < byteOffset + Math.ceil(rowCount / 8); byte += 1) {
    let eight = bits[byte] as number;
    eight -= (eight >> 1) & 0x55;
    eight = (eight & 0x33) + ((eight >> 2) & 0x33);
    count += (eight + (eight >> 4)) & 0x0f;
  }
  return count;
}

function startOf({ rows }: Plan): number {
  return rows.kind === 'range' ? rows.start : rows.base.kind === 'range' ? rows.base.start : 0;
}
