// A plan of a table of parts -> plans of its parts, whose answers are put together in the order of the rows. Parts in
// which nothing can match, by their constant columns or by what is known of the others, are not opened. Parts that are
// in memory are asked many at a time. Parts that know nothing but their values are left to the table layer, which reads
// many of them at a time.
import { TURN, begin, operationOf, wait } from '@colkit/io/effects';
import type { Begun, Work } from '@colkit/io/effects';
import { addRest, addRows } from '../plan/add-rows.ts';
import { ShiftedMatches, explainPlan, findRows } from '../plan/execute.ts';
import { ROWS, wanting } from '../plan/plan.ts';
import type { Plan, WantedAggregates } from '../plan/plan.ts';
import type { BoundPredicate } from '../query/bound-predicate.ts';
import { RowCollector } from '../query/evaluate/row-collector.ts';
import { scan } from '../query/evaluate/scan.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { provesAllMatch, provesNoMatch } from '../query/proof/proof.ts';
import type { Answer, RowRange, TableSource } from '../source.ts';
import { resolveRows } from '../views/resolve.ts';
import { allRows, countRows, rangeOf } from '../views/rows.ts';
import type { Rows } from '../views/rows.ts';
import { statisticsOfConstant } from './map-predicate.ts';
import type { OpenParts } from './open-parts.ts';
import type { Part } from './part.ts';
import type { PartStarts } from './part-starts.ts';
import type { PartColumn } from './unite-fields.ts';

/** Parts that are asked at the same time. */
const ASKED_AHEAD = 4;
/** Parts that are asked as one: what one of them costs beside its values is little then, and what they hold too. */
const MOST_JOINED = 64;
/** Parts that are explained one by one. */
const SHOWN_PARTS = 20;

/** What planning knows of a table of parts. */
interface PlannedParts {
  readonly table: TableSource;
  readonly parts: readonly Part[];
  readonly columns: readonly (readonly PartColumn[] | null)[];
  readonly starts: PartStarts;
  readonly open: OpenParts;
}

/** Consecutive rows of the table that are treated alike. */
interface Stretch extends RowRange {
  /** The part that is asked; null: values are read, of one part or several. */
  readonly part: number | null;
  /** Null: all rows match. */
  readonly where: BoundPredicate | null;
}

/** Stretches that are asked as one. */
type Run = readonly [Stretch, ...Stretch[]];

export function* executeParts(planned: PlannedParts, plan: Plan): Work<Answer> {
  const range = rangeOf(plan.rows);
  if (range === null) return { kind: 'rest', plans: [plan] };
  const { want } = plan;
  if (want.kind === 'explanation') return yield* explainParts(planned, plan, range);
  const stretches = stretchesOf(planned, plan, range);
  if (stretches.every(({ part }) => part === null))
    return { kind: 'rest', plans: stretches.map((stretch) => planOf(planned, plan, stretch)) };
  if (want.kind !== 'aggregates') return yield* rowsOfParts(planned, plan, stretches, range.start);
  for (const run of runsOf(planned, stretches)) {
    const [stretch] = run;
    const own: Plan<WantedAggregates> = { ...planOf(planned, plan, stretch), want };
    if (stretch.part === null) yield* addRest(planned.table, own);
    else
      yield* planned.open.useJoined(partsOfRun(run), (table) =>
        addRows(table, { ...own, rows: localRows(planned, run) }),
      );
    yield TURN;
  }
  return { kind: 'aggregates' };
}

function* rowsOfParts(planned: PlannedParts, plan: Plan, stretches: readonly Stretch[], first: number): Work<Answer> {
  const found = new RowCollector(countRows(plan.rows));
  // Where few are enough, the next part may not be needed.
  const [most, runs] =
    plan.limit === Infinity
      ? [ASKED_AHEAD, runsOf(planned, stretches, true)]
      : [1, stretches.map((stretch): Run => [stretch])];
  const ahead: (Begun<Rows> | null)[] = [];
  let next = 0;
  for (const [stretch] of runs) {
    if (found.count >= plan.limit) break;
    for (; next < runs.length && ahead.length < most; next += 1)
      ahead.push(yield* beginRows(planned, plan, runs[next] as Run, plan.limit - found.count));
    const asked = ahead.shift() ?? null;
    const offset = stretch.start - first;
    if (asked !== null && stretch.part !== null) {
      addLocalRows(found, yield* wait(asked), startOfPart(planned, stretch) - first);
      yield TURN;
    } else if (stretch.where === null) found.addAll(offset, stretch.end - stretch.start);
    else {
      const { rows } = planOf(planned, plan, stretch);
      yield* scan(planned.table, rows, stretch.where, { limit: plan.limit }, new ShiftedMatches(found, offset));
    }
  }
  return { kind: 'rows', rows: found.rowsOf(plan.rows) };
}

function* beginRows(planned: PlannedParts, plan: Plan, run: Run, limit: number): Work<Begun<Rows> | null> {
  const [{ part, where }] = run;
  if (part === null) return null;
  const own = wanting({ ...plan, rows: localRows(planned, run), where, limit }, ROWS);
  return yield* begin(operationOf(() => planned.open.useJoined(partsOfRun(run), (table) => findRows(table, own))));
}

/** Rows of a part, or of parts one after another, in their order. */
function addLocalRows(found: RowCollector, rows: Rows, start: number): void {
  const selection = resolveRows(rows);
  switch (selection.kind) {
    case 'range':
      found.addAll(start + selection.start, selection.count);
      return;
    case 'indices':
      found.add(selection.indices as Int32Array | Float64Array, start);
      return;
    case 'mask': {
      const indices = new Int32Array(selection.count);
      let used = 0;
      for (const [row, keep] of selection.mask.entries()) if (keep !== 0) indices[used++] = row;
      found.add(indices, start);
    }
  }
}

/** Rows in no stretch do not match. */
function stretchesOf(planned: PlannedParts, plan: Plan, range: RowRange): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const { part, start, end } of partsOf(planned, range)) {
    const { where, reason } = whereOf(planned, part, plan.where);
    if (reason !== null) continue;
    // Rows are counted without a look at them.
    const isValued = plan.want.kind === 'aggregates' && plan.want.aggregation.columns.length > 0;
    const isAsked = (planned.parts[part] as Part).knowsPlans && (where !== null || isValued);
    const last = stretches.at(-1);
    const isNext = !isAsked && last?.part === null && last.end === start && last.where === where;
    if (isNext) stretches[stretches.length - 1] = { ...last, end };
    else stretches.push({ start, end, part: isAsked ? part : null, where });
  }
  return stretches;
}

function* partsOf({ starts }: PlannedParts, range: RowRange): Generator<RowRange & { part: number }, void, undefined> {
  if (range.start >= range.end) return;
  for (
    let ordinal = starts.find(range.start);
    ordinal < starts.count && starts.start(ordinal) < range.end;
    ordinal += 1
  ) {
    const [start, end] = [Math.max(range.start, starts.start(ordinal)), Math.min(range.end, starts.start(ordinal + 1))];
    yield { start, end, part: starts.numbers[ordinal] as number };
  }
}

/** What is left of a predicate in a part, by what is known of it; a reason where nothing in it matches. */
function whereOf(
  { parts, columns }: PlannedParts,
  number: number,
  where: BoundPredicate | null,
): { readonly where: BoundPredicate | null; readonly reason: string | null } {
  const part = parts[number] as Part;
  const own = columns[number] ?? null;
  if (where === null || (part.constants.length === 0 && part.statisticsOf === undefined))
    return { where, reason: null };
  const statisticsOf = (column: number): ColumnStatistics | null => {
    const of = own === null ? column : own[column];
    if (of === undefined) return null;
    return typeof of === 'number' ? (part.statisticsOf?.(of) ?? null) : statisticsOfConstant(of, part.rowCount);
  };
  const reason = provesNoMatch(where, statisticsOf);
  return { where: reason === null && provesAllMatch(where, statisticsOf) ? null : where, reason };
}

function planOf({ table }: PlannedParts, plan: Plan, { start, end, where }: Stretch): Plan {
  return { ...plan, rows: { ...allRows(table.rowCount), start, count: end - start }, where };
}

function startOfPart({ starts }: PlannedParts, { start }: Stretch): number {
  return starts.start(starts.find(start));
}

/** The rows of a run as those of its parts, one after another. */
function localRows(planned: PlannedParts, run: Run): Rows {
  let [rowCount, count] = [0, 0];
  for (const { part, start, end } of run) {
    rowCount += planned.parts[part ?? 0]?.rowCount ?? 0;
    count += end - start;
  }
  return { ...allRows(rowCount), start: run[0].start - startOfPart(planned, run[0]), count };
}

/**
 * Stretches of parts that can be opened as one: all rows of each, of the first one those up to its end, of the last one
 * those from its start on. @param isAdjacent whether no rows may lie between them.
 */
function runsOf(planned: PlannedParts, stretches: readonly Stretch[], isAdjacent = false): readonly Run[] {
  const runs: [Stretch, ...Stretch[]][] = [];
  for (const stretch of stretches) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || run.length === MOST_JOINED || !mayFollow(planned, last, stretch))
      runs.push([stretch]);
    else if (isAdjacent && last.end !== stretch.start) runs.push([stretch]);
    else run.push(stretch);
  }
  return runs;
}

function mayFollow(planned: PlannedParts, last: Stretch, next: Stretch): boolean {
  if (last.part === null || next.part === null || last.where !== next.where) return false;
  const { parts, columns, starts } = planned;
  const [one, other] = [parts[last.part] as Part, parts[next.part] as Part];
  return (
    one.fits?.(other) === true &&
    areSame(columns[last.part] ?? null, columns[next.part] ?? null) &&
    last.end === starts.start(starts.find(last.start) + 1) &&
    next.start === startOfPart(planned, next)
  );
}

function areSame(one: readonly PartColumn[] | null, other: readonly PartColumn[] | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((column, index) => column === other[index]);
}

function partsOfRun(run: Run): readonly number[] {
  return run.map(({ part }) => part ?? 0);
}

function* explainParts(planned: PlannedParts, plan: Plan, range: RowRange): Work<Answer> {
  const { parts } = planned;
  const lines: string[] = [];
  let [all, skipped, isHelped] = [0, 0, false];
  for (const { part, start, end } of partsOf(planned, range)) {
    const { name, knowsPlans } = parts[part] as Part;
    const { where, reason } = whereOf(planned, part, plan.where);
    all += 1;
    if (reason !== null) skipped += 1;
    isHelped ||= reason !== null || where !== plan.where;
    if (all > SHOWN_PARTS) continue;
    lines.push(
      `${name}: ${reason === null ? (where === null ? 'all of its rows match' : 'read') : `skipped, ${reason}`}`,
    );
    if (reason !== null || where === null || !knowsPlans) continue;
    const rows = localRows(planned, [{ start, end, part, where }]);
    const own = yield* planned.open.use(part, (table) => explainPlan(table, { ...plan, rows, where }));
    isHelped ||= own !== null;
    for (const line of own ?? []) lines.push(`  ${line}`);
  }
  if (!isHelped) return { kind: 'rest', plans: [plan] };
  const more = all > SHOWN_PARTS ? [`${String(all - SHOWN_PARTS)} more files`] : [];
  const head = `files: ${String(all)}, skipped by their paths and statistics: ${String(skipped)}`;
  return { kind: 'explanation', lines: [head, ...lines, ...more] };
}
