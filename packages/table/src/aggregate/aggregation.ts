// Several aggregates at once, of all rows or of each group: rows in, block by block, or what others have gathered;
// answers out, or what was gathered as plain data. Whoever has the values of some rows, or knows what they add up to,
// can be part of one answer: states merge in the order of their rows.
import { assertNever } from '@colkit/io';
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import type { Accumulator } from './accumulator.ts';
import type { Cell, ColumnValues } from './column-values.ts';
import { Counts } from './counts.ts';
import { DistinctCounts, MOST_DISTINCT } from './distinct-counts.ts';
import { Ends } from './ends.ts';
import { extremesOf } from './extremes.ts';
import type { FirstRows } from './first-rows.ts';
import { GroupKeys } from './keys/group-keys.ts';
import type { ComputedKeys } from './keys/key-ranges.ts';
import type { Aggregate, AggregateOperation, AggregatedColumn } from './spec.ts';
import { Spread } from './spread.ts';
import { entriesOf, jsonValue, parseValue, stateError } from './state.ts';
import type { AggregateState, JsonValue } from './state.ts';
import { totalsOf } from './totals.ts';

/** Groups whose values are told before others may run. */
const GROUPS_AT_ONCE = 8192;

/** The values of some rows: of the columns that are grouped by, and of those that are aggregated. */
export interface AggregateBlock<C> {
  readonly rowCount: number;
  valuesOf(column: C): ColumnValues;
}

/** What was gathered, as plain data: after a round through JSON it is the same to the last bit. */
export interface PartialAggregates {
  readonly version: 1;
  /** The dtypes of the columns that are grouped by. */
  readonly by: readonly string[];
  /** For each of them the values of the groups, in the order in which the groups were met. */
  readonly keys: readonly (readonly JsonValue[])[];
  readonly groupCount: number;
  readonly states: readonly { readonly kind: string; readonly state: AggregateState }[];
}

/** An accumulator, and the answer that an operation takes from it. */
export interface Running<C> {
  /** What it gathers and of which type: sums and means share one. */
  readonly kind: string;
  /** Null: rows are counted. */
  readonly column: C | null;
  readonly accumulator: Accumulator;
}

interface Answer {
  readonly name: string;
  readonly of: (group: number) => Cell;
}

export class Aggregation<C extends AggregatedColumn> {
  /** The columns that are grouped by; none: all rows are one group. */
  readonly by: readonly C[];
  /** What the values of those columns are numbered by; null: all rows are of group 0. */
  readonly keys: GroupKeys | null;
  /** Where the groups are first met, if that is wanted: rows are added in their order then. */
  readonly firstRows: FirstRows | null;
  readonly #running: Running<C>[] = [];
  readonly #answers: readonly Answer[];

  /** @throws UnsupportedError ERR_DTYPE for columns that no groups can be made by. */
  constructor(
    aggregates: readonly Aggregate<C>[],
    by: readonly C[] = [],
    keys: GroupKeys | null = keysOf(by),
    firstRows: FirstRows | null = null,
  ) {
    this.by = by;
    this.keys = keys;
    this.firstRows = firstRows;
    this.#answers = aggregates.map((aggregate) => this.#answerOf(aggregate));
  }

  /** What gathers; aggregates may share one. */
  get running(): readonly Running<C>[] {
    return this.#running;
  }

  /** How many groups there are; one where nothing is grouped by, even of no rows. */
  get groupCount(): number {
    return this.keys?.count ?? 1;
  }

  /** Columns whose values are needed. One that is grouped by may come again. */
  get columns(): readonly C[] {
    return [...new Set([...this.by, ...this.#running.flatMap(({ column }) => (column === null ? [] : [column]))])];
  }

  /** A part of it that takes rows which the others know already: what is added to it is added to this one. */
  only(running: readonly Running<C>[]): Aggregation<C> {
    const part = new Aggregation<C>([], this.by, this.keys, this.firstRows);
    for (const each of running) part.#running.push(each);
    return part;
  }

  /** The same for a source that has other references to the columns: what is added to it is added to this one. */
  over(columnOf: (column: C) => C): Aggregation<C> {
    const other = new Aggregation<C>([], this.by.map(columnOf), this.keys, this.firstRows);
    for (const { kind, column, accumulator } of this.#running)
      other.#running.push({ kind, column: column === null ? null : columnOf(column), accumulator });
    return other;
  }

  /** The same by other columns, of which the keys are computed: what is added to it is added to this one. */
  computedBy(by: readonly C[], computed: readonly (ComputedKeys | null)[]): Aggregation<C> {
    const other = new Aggregation<C>([], by, this.keys?.computedBy(computed) ?? null, this.firstRows);
    for (const each of this.#running) other.#running.push(each);
    return other;
  }

  /**
   * The next rows, all of one group, by their statistics.
   * @param isWhole whether the statistics are of just these rows, and not of more.
   * @returns who has to see their values.
   */
  know(
    rowCount: number,
    isWhole: boolean,
    statisticsOf: (column: C) => ColumnStatistics | null,
  ): readonly Running<C>[] {
    return this.#running.filter(({ column, accumulator }) => {
      if (column !== null) {
        const statistics = statisticsOf(column);
        return statistics === null || !accumulator.know(statistics, isWhole);
      }
      accumulator.addSummary?.(0, rowCount, 0);
      return false;
    });
  }

  /** The next rows. @throws LimitError beyond MOST_DISTINCT groups, or for too many different values. */
  add(block: AggregateBlock<C>): void {
    const { rowCount } = block;
    const groups =
      this.keys === null
        ? null
        : this.keys.groupsOf(
            this.by.map((column) => block.valuesOf(column)),
            rowCount,
          );
    if (groups !== null) this.firstRows?.addRows(rowCount, groups, this.groupCount);
    for (const running of this.#running)
      this.addTo(running, running.column === null ? null : block.valuesOf(running.column), rowCount, groups);
  }

  /**
   * The next rows of one of those that gather.
   * @param values null: rows that all count, for those who count.
   * @param groups for every row its group, as `keys` numbers them; null: all are of group 0.
   */
  addTo({ accumulator }: Running<C>, values: ColumnValues | null, rowCount: number, groups: Uint32Array | null): void {
    if (values !== null) accumulator.add(values, rowCount, groups, this.groupCount);
    else if (accumulator instanceof Counts) accumulator.addRows(rowCount, groups, this.groupCount);
  }

  /**
   * What was gathered from the rows behind those so far, by an aggregation of the same aggregates and columns.
   * @throws ArgumentError ERR_ARGUMENT for another's; LimitError.
   */
  merge(partial: PartialAggregates): void {
    const { version, by, keys, groupCount, states } = partial;
    if ((version as number) !== 1) throw stateError('version 1', version);
    const own = this.by.map(({ info }) => info.name);
    if (String(by) !== String(own))
      throw stateError(`groups by ${own.length === 0 ? 'nothing' : own.join(', ')}`, String(by));
    const kinds = this.#running.map(({ kind }) => kind);
    if (String(states.map(({ kind }) => kind)) !== String(kinds))
      throw stateError(`states of ${kinds.join(', ')}`, states.map(({ kind }) => kind).join(', '));
    const columns = own.map((_, index) =>
      entriesOf({ values: keys[index] ?? [] }, 'values', groupCount).map(parseValue),
    );
    const groupOf = new Uint32Array(groupCount);
    if (this.keys !== null)
      for (let group = 0; group < groupCount; group += 1)
        groupOf[group] = this.keys.groupOf(columns.map((values) => values[group] ?? null));
    else if (groupCount !== 1) throw stateError('one group', groupCount);
    for (const [index, { accumulator }] of this.#running.entries()) {
      accumulator.merge((states[index] as PartialAggregates['states'][number]).state, groupOf, this.groupCount);
    }
  }

  /** For JSON, and for `merge`. */
  toJSON(): PartialAggregates {
    const { groupCount } = this;
    const keys = this.by.map(() => new Array<Cell>(groupCount));
    this.keys?.writeValues(keys, 0, groupCount);
    return {
      version: 1,
      by: this.by.map(({ info }) => info.name),
      keys: keys.map((values) => values.map(jsonValue)),
      groupCount,
      states: this.#running.map(({ kind, accumulator }) => ({ kind, state: accumulator.state(groupCount) })),
    };
  }

  /** What each aggregate says of all rows, which are one group. @throws as `cells`. */
  results(): readonly Cell[] {
    return this.#answers.map(({ of }) => of(0));
  }

  /**
   * A value for each group: of the columns that are grouped by, then of the aggregates. @throws ArgumentError
   * ERR_UNSAFE_INTEGER for a sum that is no exact number.
   */
  *cells(): Work<readonly (readonly Cell[])[]> {
    const { groupCount } = this;
    const keys = this.by.map(() => new Array<Cell>(groupCount));
    const results = this.#answers.map(() => new Array<Cell>(groupCount));
    for (let from = 0; from < groupCount; from += GROUPS_AT_ONCE) {
      yield TURN;
      const end = Math.min(groupCount, from + GROUPS_AT_ONCE);
      this.keys?.writeValues(keys, from, end);
      for (const [index, { of }] of this.#answers.entries())
        for (let group = from; group < end; group += 1) (results[index] as Cell[])[group] = of(group);
    }
    return [...keys, ...results];
  }

  #answerOf({ name, operation, column }: Aggregate<C>): Answer {
    if (column === null) {
      const counts = this.#share('rows', null, () => new Counts());
      return { name, of: (group) => counts.result(group) };
    }
    const { info } = column;
    const kind = (what: AggregateOperation | 'total' | 'spread'): string => `${what} of ${info.name}`;
    switch (operation) {
      case 'count':
        return answer(
          name,
          this.#share(kind('count'), column, () => new Counts()),
        );
      case 'min':
      case 'max':
        return answer(
          name,
          this.#share(kind(operation), column, () => extremesOf(info, operation)),
        );
      case 'first':
      case 'last':
        return answer(
          name,
          this.#share(kind(operation), column, () => new Ends(info, operation)),
        );
      case 'countDistinct':
        return answer(
          name,
          this.#share(kind(operation), column, () => new DistinctCounts(info)),
        );
      case 'sum':
      case 'mean': {
        const totals = this.#share(kind('total'), column, () => totalsOf(info, column.name));
        return { name, of: operation === 'sum' ? (group) => totals.sum(group) : (group) => totals.mean(group) };
      }
      case 'std':
      case 'var': {
        const spread = this.#share(kind('spread'), column, () => new Spread(info));
        return {
          name,
          of: operation === 'var' ? (group) => spread.variance(group) : (group) => Math.sqrt(spread.variance(group)),
        };
      }
      default:
        return assertNever(operation);
    }
  }

  /** The accumulator of that kind and column: the one that another aggregate has, or a new one. */
  #share<A extends Accumulator>(kind: string, column: C | null, make: () => A): A {
    const known = this.#running.find((each) => each.kind === kind && each.column === column);
    // The kind says the class.
    if (known !== undefined) return known.accumulator as A;
    const accumulator = make();
    this.#running.push({ kind, column, accumulator });
    return accumulator;
  }
}

function keysOf(by: readonly AggregatedColumn[]): GroupKeys | null {
  const types = by.map(({ info }) => info);
  return by.length === 0 ? null : GroupKeys.of(types, 'groupBy', 'groups', MOST_DISTINCT);
}

function answer(name: string, accumulator: { result(group: number): Cell }): Answer {
  return { name, of: (group) => accumulator.result(group) };
}
