// Shorthands for the tests: tables from literals, steps on a table, results as plain arrays.
import type { Action, OracleTable } from '@colkit/testkit';
import { Table } from '../../src/index.ts';
import { MemoryTable } from './memory-table.ts';
import type { MemoryTableOptions } from './memory-table.ts';

/** [dtype, values] by name; a dtype that ends in '?' is nullable. */
export function oracleOf(
  columns: Readonly<Record<string, readonly [dtype: string, values: readonly unknown[]]>>,
): OracleTable {
  const list = Object.entries(columns).map(([name, [dtype, values]]) => ({
    name,
    dtype: dtype.replace('?', ''),
    nullable: dtype.endsWith('?'),
    values,
  }));
  return { rowCount: list[0]?.values.length ?? 0, columns: list };
}

export function tableFrom(columns: Parameters<typeof oracleOf>[0], options?: MemoryTableOptions): Table {
  return new Table(new MemoryTable(oracleOf(columns), options));
}

export function act(table: Table, action: Action): Table {
  switch (action.kind) {
    case 'slice':
      return table.slice(action.start, action.end, action.step);
    case 'take':
      return table.take(action.indices);
    case 'filter':
      return table.filter(Uint8Array.from(action.mask, (keep) => (keep ? 1 : 0)));
    case 'select':
      return table.select(...action.names);
    case 'drop':
      return table.drop(...action.names);
    case 'head':
      return table.head(action.count);
    case 'tail':
      return table.tail(action.count);
  }
}

/** A typed array or list of a column as `at()` gives its values: bytes of a bool column as booleans. */
export function cells(dtype: string, column: unknown): unknown[] {
  const values = Array.from(column as ArrayLike<unknown>);
  return dtype === 'bool' ? values.map((value) => (typeof value === 'number' ? value !== 0 : value)) : values;
}

/** Integers below `count`. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
