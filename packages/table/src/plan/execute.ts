// A plan -> what is wanted. The source is asked first, and answers with what it knows; what it leaves is executed here,
// over its plain reads: so every source answers every plan. Sources are asked about consecutive rows only, since what
// they know is of those.
import type { Work } from '@colkit/io/effects';
import { arrangedRows } from '../arrange/arranging.ts';
import type { Aggregation } from '../aggregate/aggregation.ts';
import type { ColumnRef } from '../query/bound-predicate.ts';
import { RowCollector } from '../query/evaluate/row-collector.ts';
import { scan } from '../query/evaluate/scan.ts';
import type { MatchSink } from '../query/evaluate/scan.ts';
import type { Answer, TableSource } from '../source.ts';
import { countRows, rangeOf } from '../views/rows.ts';
import type { Rows } from '../views/rows.ts';
import { ROWS, wanting } from './plan.ts';
import type { Plan, WantedColumns } from './plan.ts';

/** The rows of a plan. @throws what reading throws. */
export function* findRows(source: TableSource, plan: Plan): Work<Rows> {
  const { rows, where, order, limit } = plan;
  if (order !== null) {
    const found = yield* findRows(source, { ...plan, order: null, limit: Infinity });
    return yield* arrangedRows(source, found, order, limit, {
      add: (all, aggregation) => addKnown(source, all, aggregation),
      find: (all, better) => findRows(source, { rows: all, where: better, order: null, limit: Infinity, want: ROWS }),
    });
  }
  if (where === null) return rows;
  const answer = yield* ask(source, wanting(plan, ROWS));
  switch (answer.kind) {
    case 'rows':
      return answer.rows;
    case 'rest':
      return yield* matchingRows(source, plan, answer.plans);
    default:
      throw unexpected(answer);
  }
}

/**
 * The columns that are wanted, in memory, where the source finds rows and reads them in one pass; otherwise the rows,
 * which are to be read.
 */
export function* readPlan(
  source: TableSource,
  plan: Plan<WantedColumns>,
): Work<{ readonly table: TableSource } | { readonly rows: Rows }> {
  // A step behind it may leave few of the rows.
  if (plan.where === null || plan.order !== null || plan.limit !== Infinity)
    return { rows: yield* findRows(source, plan) };
  const answer = yield* ask(source, plan);
  switch (answer.kind) {
    case 'columns':
      return { table: answer.table };
    case 'rows':
      return { rows: answer.rows };
    case 'rest':
      return { rows: yield* matchingRows(source, plan, answer.plans) };
    default:
      throw unexpected(answer);
  }
}

/** What a source says of how it would find the rows of a plan; null: it would read all values. */
export function* explainPlan(source: TableSource, plan: Plan): Work<readonly string[] | null> {
  if (plan.where === null || plan.where.root.kind === 'constant') return null;
  const answer = yield* ask(source, { ...wanting(plan, { kind: 'explanation' }), order: null });
  switch (answer.kind) {
    case 'explanation':
      return answer.lines;
    case 'rest':
      return null;
    default:
      throw unexpected(answer);
  }
}

/** Has a source add rows to an aggregation, as far as it knows how. @returns the rows that it left. */
function* addKnown(source: TableSource, rows: Rows, aggregation: Aggregation<ColumnRef>): Work<readonly Rows[]> {
  const want = { kind: 'aggregates', aggregation } as const;
  const answer = yield* ask(source, { rows, where: null, order: null, limit: Infinity, want });
  switch (answer.kind) {
    case 'aggregates':
      return [];
    case 'rest':
      return answer.plans.map((plan) => plan.rows);
    default:
      throw unexpected(answer);
  }
}

/** What the source knows of a plan. */
export function* ask(source: TableSource, plan: Plan): Work<Answer> {
  return source.execute === undefined || rangeOf(plan.rows) === null
    ? { kind: 'rest', plans: [plan] }
    : yield* source.execute(plan);
}

export function unexpected({ kind }: Answer): Error {
  return new TypeError(`a source answered ${kind}, for which it was not asked`);
}

function noRows(base: Rows): Rows {
  return { kind: 'take', base, indices: new Int32Array(0) };
}

/** The matches of what is left of a plan, as rows of the plan's. */
export function* matchingRows(source: TableSource, { rows, limit }: Plan, rest: readonly Plan[]): Work<Rows> {
  const [only] = rest;
  if (only === undefined) return noRows(rows);
  if (rest.length === 1 && only.where === null) return only.rows;
  // Nothing has to be read.
  if (rest.length === 1 && only.where?.root.kind === 'constant')
    return only.where.root.matches ? only.rows : noRows(rows);
  const found = new RowCollector(countRows(rows));
  for (const plan of rest) {
    if (found.count >= limit) break;
    const start = plan.rows === rows ? 0 : startOf(plan.rows) - startOf(rows);
    if (plan.where === null) found.addAll(start, countRows(plan.rows));
    else yield* scan(source, plan.rows, plan.where, { limit }, new ShiftedMatches(found, start));
  }
  return found.rowsOf(rows);
}

function startOf(rows: Rows): number {
  return rangeOf(rows)?.start ?? 0;
}

/** Matches among some of the rows of a collector. */
export class ShiftedMatches implements MatchSink {
  readonly #found: MatchSink;
  readonly #start: number;

  constructor(found: MatchSink, start: number) {
    this.#found = found;
    this.#start = start;
  }

  get count(): number {
    return this.#found.count;
  }

  add(matches: Int32Array, start: number): void {
    this.#found.add(matches, this.#start + start);
  }
}
