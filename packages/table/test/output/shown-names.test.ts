// Names and types that a table shows belong to the table: whoever sorts them sorts nothing for others.
import { UnknownColumnError } from '@colkit/io';
import { expect, test } from 'vitest';
import { Table } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf } from '../support/tables.ts';

test.each<[string, (table: Table) => unknown]>([
  ['sorted names', (table) => (table.columnNames as string[]).sort()],
  ['reversed names', (table) => (table.columnNames as string[]).reverse()],
  ['a shorter schema', (table) => (table.schema as unknown[]).pop()],
  ['another name', (table) => Object.assign(table.schema[0] as object, { name: 'z' })],
  ['sorted names of an error', (table) => availableOf(() => table.select('none')).sort()],
])('%s', async (_, change) => {
  const table = new Table(new MemoryTable(oracleOf({ b: ['float64', [1, 2]], a: ['float64', [10, 20]] })));
  const view = table.slice(1);
  try {
    change(table);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
  }
  for (const each of [table, table.slice(0)]) {
    expect(each.columnNames).toEqual(['b', 'a']);
    expect(each.schema.map(({ name }) => name)).toEqual(['b', 'a']);
    expect(await each.toRows()).toEqual([
      { b: 1, a: 10 },
      { b: 2, a: 20 },
    ]);
  }
  expect(view.toRowsSync()).toEqual([{ b: 2, a: 20 }]);
  expect(() => table.select('none')).toThrow('"b", "a"');
});

function availableOf(call: () => unknown): string[] {
  try {
    call();
  } catch (error) {
    if (error instanceof UnknownColumnError) return error.available as string[];
  }
  throw new Error('no unknown column');
}
