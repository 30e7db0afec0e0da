// How many rows, or values that are not null, each group has.
import { countValid } from '../validity.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { areNull } from './accumulator.ts';
import type { ValueAccumulator } from './accumulator.ts';
import { NO_TEXT, grown } from './column-values.ts';
import type { ColumnValues } from './column-values.ts';
import { COUNT, foldRows } from './groups/fold-rows.ts';
import { countsOf } from './state.ts';
import type { AggregateState } from './state.ts';

export class Counts implements ValueAccumulator {
  readonly summary = 'count';
  readonly fold = 'count';
  #counts = new Float64Array(1);

  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    const { validity } = values;
    if (values.kind === 'codes') this.#addCodes(values, rowCount, groups, groupCount);
    else if (values.kind === 'utf8' && values.codes !== null) this.#addTexts(values.codes, groups, groupCount);
    else if (validity === null || groups === null) this.addRows(countValid(validity, rowCount), groups, groupCount);
    else {
      const counts = (this.#counts = grown(this.#counts, groupCount));
      const done = foldRows(COUNT, 0, { groups, values: null, validity }, 0, rowCount, [counts]);
      for (let row = done; row < rowCount; row += 1) {
        if ((((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
        const group = groups[row] as number;
        counts[group] = (counts[group] as number) + 1;
      }
    }
  }

  /** Rows that all count. */
  addRows(rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    const counts = (this.#counts = grown(this.#counts, groupCount));
    if (groups === null) {
      counts[0] = (counts[0] as number) + rowCount;
      return;
    }
    const done = foldRows(COUNT, 0, { groups, values: null, validity: null }, 0, rowCount, [counts]);
    for (let row = done; row < rowCount; row += 1) {
      const group = groups[row] as number;
      counts[group] = (counts[group] as number) + 1;
    }
  }

  addSummary(group: number, count: number): void {
    const counts = (this.#counts = grown(this.#counts, group + 1));
    counts[group] = (counts[group] as number) + count;
  }

  know(statistics: ColumnStatistics, isWhole: boolean): boolean {
    if (areNull(statistics)) return true;
    const { rowCount, nullCount } = statistics;
    if (nullCount === null || !isWhole) return false;
    this.addSummary(0, rowCount - nullCount);
    return true;
  }

  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void {
    const counts = (this.#counts = grown(this.#counts, groupCount));
    const others = countsOf(state, 'counts', groupOf.length);
    for (const [index, group] of groupOf.entries())
      counts[group] = (counts[group] as number) + (others[index] as number);
  }

  state(groupCount: number): AggregateState {
    return { counts: Array.from({ length: groupCount }, (_, group) => this.result(group)) };
  }

  result(group: number): number {
    return this.#counts[group] ?? 0;
  }

  #addTexts(codes: Uint32Array, groups: Uint32Array | null, groupCount: number): void {
    const counts = (this.#counts = grown(this.#counts, groupCount));
    for (let row = 0; row < codes.length; row += 1) {
      const group = groups === null ? 0 : (groups[row] as number);
      if (codes[row] !== NO_TEXT) counts[group] = (counts[group] as number) + 1;
    }
  }

  /** A text may also be null by its code. */
  #addCodes(
    { codes, texts, validity }: ColumnValues & { kind: 'codes' },
    rowCount: number,
    groups: Uint32Array | null,
    groupCount: number,
  ): void {
    const counts = (this.#counts = grown(this.#counts, groupCount));
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const code = codes[row] as number;
      if (code < 0 || code >= texts.length) continue;
      const group = groups === null ? 0 : (groups[row] as number);
      counts[group] = (counts[group] as number) + 1;
    }
  }
}
