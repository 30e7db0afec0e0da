import { ClosedError } from '@colkit/io';
import { expect, test } from 'vitest';
import { Table } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf } from '../support/tables.ts';

const columns = oracleOf({ x: ['float64', [1, 2, 3]], n: ['int16?', [5, null, 7]], s: ['string', ['a', 'b', 'c']] });

test('views that were written before a close() say so afterwards; what was materialised stays', async () => {
  const table = new Table(new MemoryTable(columns, { mapped: true }));
  const views = [
    table,
    table.slice(1),
    table.take([0]),
    table.filter([true, false, true]),
    table.select('x'),
    table.head(0),
    table.select(),
  ];
  const column = table.column('x').take([1, 0]);
  const rows = table.rowsSync();
  rows.next();
  const kept = await table.toColumns();
  table.close();
  table.close();
  for (const view of views) {
    expect([view.closed, view.rowCount <= 3]).toEqual([true, true]);
    for (const run of [
      () => view.toColumns(),
      () => view.toColumnMap(),
      () => view.toRecords(),
      () => view.toRows(),
      () => view.rows().next(),
      () => view.batches().next(),
      () => view.count(),
      () => view.preview(),
      () => view.toArrow(),
    ]) {
      await expect(run()).rejects.toMatchObject({ name: 'ClosedError', code: 'ERR_CLOSED' });
    }
    for (const run of [
      () => view.toColumnsSync(),
      () => view.toColumnMapSync(),
      () => view.toRecordsSync(),
      () => view.toRowsSync(),
      () => view.rowsSync().next(),
      () => view.batchesSync().next(),
      () => view.countSync(),
      () => view.previewSync(),
      () => view.viewColumns(),
    ]) {
      expect(run).toThrow(ClosedError);
    }
  }
  for (const run of [
    () => column.toArray(),
    () => column.at(0),
    () => column.min(),
    () => column.sum(),
    () => column.mean(),
    () => column.count(),
    () => column[Symbol.asyncIterator]().next(),
  ]) {
    await expect(run()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  }
  for (const run of [
    () => column.toArraySync(),
    () => column.atSync(0),
    () => column.maxSync(),
    () => column.sumSync(),
    () => column.meanSync(),
    () => column.countSync(),
    () => [...column],
    () => column.viewArray(),
  ])
    expect(run).toThrow(ClosedError);
  expect(kept['x']).toEqual(Float64Array.of(1, 2, 3));
  expect(table.slice(1).columnNames).toEqual(['x', 'n', 's']);
});

test('a table is closed at the end of its scope', async () => {
  const source = new MemoryTable(columns);
  {
    using table = new Table(source);
    expect(table.countSync()).toBe(3);
  }
  expect(source.closed).toBe(true);
  const other = new MemoryTable(columns);
  {
    await using table = new Table(other);
    expect(await table.count()).toBe(3);
  }
  expect(other.closed).toBe(true);
});
