// Every remedy that an error of this package prints, tried: what it says works, on the data that failed. What needs a
// file is tried by the formats.
import { followed } from '@colkit/testkit/remedies';
import type { Remedy } from '@colkit/testkit/remedies';
import { Table as ArrowTable, Field, Int32, List, vectorFromArray } from 'apache-arrow';
import { expect, test } from 'vitest';
import { readCsv, toCsv } from '../src/csv/index.ts';
import { Table, col, toInputColumns, typed } from '../src/index.ts';
import { MemoryTable } from './support/memory-table.ts';
import { oracleOf } from './support/tables.ts';

const table = new Table(
  new MemoryTable(
    oracleOf({
      a: ['int32', [10, 20, 30, 40]],
      b: ['binary', [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3), Uint8Array.of(4)]],
      t: ['timedelta64[D]', [1n, 2n, 3n, 4n]],
    }),
  ),
);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = new ArrowTable({
  n: vectorFromArray([1, 2], new Int32()),
  list: vectorFromArray([[1], [2]], new List(new Field('item', new Int32(), true))),
});

const REMEDIES: readonly Remedy[] = [
  {
    what: 'the row count of a predicate',
    says: 'use await count(), or countSync()',
    fails: () => table.where('a > 10').rowCount,
    helps: async () => [await table.where('a > 10').count(), table.where('a > 10').countSync()],
    gives: [3, 3],
  },
  {
    what: 'a direction behind a column',
    says: 'did you mean { column: "a", descending: true }?',
    fails: () => table.orderBy('a', 'desc' as 'a'),
    helps: () => table.orderBy({ column: 'a', descending: true }).column('a').toArray(),
    gives: Int32Array.of(40, 30, 20, 10),
  },
  {
    what: 'a direction in a name',
    says: 'did you mean { column: "a", descending: false }?',
    fails: () => table.orderBy('a ASC' as 'a'),
    helps: () => table.orderBy({ column: 'a', descending: false }).column('a').toArray(),
    gives: Int32Array.of(10, 20, 30, 40),
  },
  {
    what: 'a minus in front of a name',
    says: 'did you mean { column: "a", descending: true }?',
    fails: () => table.orderBy('-a' as 'a'),
    helps: () => table.orderBy({ column: 'a', descending: true }).column('a').toArray(),
    gives: Int32Array.of(40, 30, 20, 10),
  },
  {
    what: 'row numbers as a mask',
    says: 'take(…) is for row numbers',
    fails: () => table.filter(Uint8Array.of(3, 2, 1, 0)).countSync(),
    helps: () =>
      table
        .take(Uint8Array.of(3, 2, 1, 0))
        .column('a')
        .toArraySync(),
    gives: Int32Array.of(40, 30, 20, 10),
  },
  {
    what: 'a mask as row numbers',
    says: 'filter() takes masks',
    fails: () => table.take([true, false, true, false] as never),
    helps: () => table.filter([true, false, true, false]).column('a').toArraySync(),
    gives: Int32Array.of(10, 30),
  },
  {
    what: 'names one by one in an array with others',
    says: 'column names, or one array of them',
    fails: () => table.select(['a'] as never, 'b' as never),
    helps: () => [table.select('a', 'b').columnNames, table.select(['a', 'b']).columnNames],
    gives: [
      ['a', 'b'],
      ['a', 'b'],
    ],
  },
  {
    what: 'a predicate that is none',
    says: "an expression such as col('price').gt(10), or text such as 'price > 10'",
    fails: () => table.where(((row: unknown) => row) as never),
    helps: () => [table.where(col('a').gt(10)).countSync(), table.where('a > 10').countSync()],
    gives: [3, 3],
  },
  {
    what: 'packed records of what has no width',
    says: 'drop() it, or use toColumns() or toRows()',
    fails: () => table.toRecordsSync(),
    helps: () => table.drop('b').toRecordsSync().rowCount,
    gives: 4,
  },
  {
    what: 'the same as columns or rows',
    says: 'or use toColumns() or toRows()',
    fails: () => table.toRecordsSync(),
    helps: () => [Object.keys(table.toColumnsSync()).length, table.toRowsSync().length],
    gives: [3, 4],
  },
  {
    what: 'CSV of bytes',
    says: 'which has no form as text; drop() it',
    fails: () => csvOf(table),
    helps: () => csvOf(table.drop('b', 't')),
    gives: 'a\n10\n20\n30\n40\n',
  },
  {
    what: 'an Arrow type without a dtype',
    says: 'select() the others, or cast it',
    fails: () => toInputColumns(nested as never),
    helps: () => toInputColumns(nested.select(['n']) as never).fields.map(({ dtype }) => dtype),
    gives: ['int32'],
  },
  {
    what: 'a column without a type',
    says: 'values that say their type, typed(dtype, values) or { schema }',
    fails: () => toInputColumns({ a: [] }),
    helps: () =>
      [toInputColumns({ a: typed('int32', []) }), toInputColumns({ a: [] }, { schema: { a: 'int32' } })].map(
        ({ fields }) => fields[0]?.dtype,
      ),
    gives: ['int32', 'int32'],
  },
  {
    what: 'a wide integer as a number',
    says: 'numbers below 2^53 (or bigints) for int64',
    fails: () => toInputColumns({ a: typed('int64', [2 ** 53]) }),
    helps: () => toInputColumns({ a: typed('int64', [2n ** 53n]) }).rowCount,
    gives: 1,
  },
  {
    what: 'rows that do not fit',
    says: "{ onError: 'skip' } leaves such rows out",
    fails: () => csvRows('a,b\n1,2\n3\n'),
    helps: () => csvRows('a,b\n1,2\n3\n', { onError: 'skip' }),
    gives: 1,
  },
  ...(
    [
      ['&&', 'and'],
      ['||', 'or'],
    ] as const
  ).map(
    ([foreign, own]): Remedy => ({
      what: `the operator ${foreign}`,
      says: `expected "${own}" but found "${foreign}"`,
      fails: () => table.where(`a > 10 ${foreign} a > 20`),
      helps: () => table.where(`a > 10 ${own} a > 20`).countSync() > 0,
      gives: true,
    }),
  ),
];

async function csvOf(given: Table): Promise<string> {
  let text = '';
  await toCsv(given, { write: (part) => Promise.resolve(void (text += new TextDecoder().decode(part))) });
  return text;
}

async function csvRows(text: string, options = {}): Promise<number> {
  return (await readCsv(bytes(text), options)).rowCount;
}

test.each(REMEDIES)('$what', async (remedy) => {
  expect(await followed(remedy)).toEqual(remedy.gives);
});
