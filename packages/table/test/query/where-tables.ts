// What the tests of `where` share: a table, its oracle, and sources that count what is read.
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { OracleTable } from '@colkit/testkit';
import { expect } from 'vitest';
import { col, evaluateBatch, Table } from '../../src/index.ts';
import { rangeOf } from '../../src/index.ts';
import type { Answer, Plan, TableSource } from '../../src/index.ts';
import { Mask } from '../../src/views/mask.ts';
import { allRows } from '../../src/views/rows.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, upTo } from '../support/tables.ts';
import { batchOf } from './batches.ts';

export const TABLE = oracleOf({
  id: ['int32', upTo(100)],
  price: ['float64', upTo(100).map((row) => (row * 37) % 100)],
  name: ['string?', upTo(100).map((row) => (row % 10 === 0 ? null : `n${String(row % 7)}`))],
  big: ['int64', upTo(100).map((row) => BigInt(row))],
});

export const open = (options?: ConstructorParameters<typeof MemoryTable>[1]): { table: Table; source: MemoryTable } => {
  const source = new MemoryTable(TABLE, options);
  return { source, table: new Table(source) };
};

export const predicate = col('price').gt(60).and(col('name').eq('n3'));

/** Answers from all of its rows at once, in one form of selection after the other. */
export class AnsweringTable extends MemoryTable implements TableSource {
  readonly asked: { start: number; end: number; limit: number }[] = [];
  readonly #table: OracleTable;

  constructor(table: OracleTable) {
    super(table);
    this.#table = table;
  }

  *execute(plan: Plan): Work<Answer> {
    yield TURN;
    const range = rangeOf(plan.rows)!;
    if (plan.want.kind === 'explanation')
      return {
        kind: 'explanation',
        lines: [`rows ${String(range.start)} to ${String(range.end)} of a source that answers itself`],
      };
    this.asked.push({ ...range, limit: plan.limit });
    const whole = evaluateBatch(plan.where!, batchOf(this.#table, 'text'));
    const found = upTo(this.rowCount).filter((row) => row >= range.start && row < range.end && whole[row] === 1);
    if (plan.want.kind === 'aggregates') {
      plan.want.aggregation.add({ rowCount: found.length, valuesOf: () => expect.unreachable() });
      return { kind: 'aggregates' };
    }
    const base = allRows(this.rowCount);
    if (this.asked.length % 2 === 0)
      return { kind: 'rows', rows: { kind: 'take', base, indices: Int32Array.from(found) } };
    const mask = new Uint8Array(this.rowCount);
    for (const row of found) mask[row] = 1;
    return { kind: 'rows', rows: { kind: 'filter', base, mask: new Mask(mask, this.rowCount) } };
  }
}
