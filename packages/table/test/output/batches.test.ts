// Batches and rows one by one: bounded memory, cancelling, and what is read when a loop stops.
import { CountingSource } from '@colkit/testkit';
import { describe, expect, test, vi } from 'vitest';
import { Table } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, upTo } from '../support/tables.ts';

const ROWS = 150_000;
const numbers = oracleOf({ x: ['int32', upTo(ROWS)], y: ['uint8', upTo(ROWS).map((row) => row % 256)] });

describe('bounded memory', () => {
  const mask = Uint8Array.from({ length: ROWS }, (_, row) => (row % 3 === 0 ? 0 : 1));
  const views = {
    'all rows': (table: Table) => table,
    'a stepped slice': (table: Table) => table.slice(undefined, undefined, -2),
    indices: (table: Table) => table.take(Int32Array.from({ length: ROWS }, (_, row) => ROWS - 1 - row)),
    'a mask': (table: Table) => table.filter(mask),
    'a chain': (table: Table) =>
      table
        .filter(mask)
        .take(Int32Array.from({ length: 90_000 }, (_, row) => 99_999 - row))
        .slice(5, undefined, 2),
  };

  for (const [what, make] of Object.entries(views)) {
    test(`batches of ${what} never ask for more than their rows`, async () => {
      const source = new MemoryTable(numbers);
      const view = make(new Table(source));
      const expected = (await view.toColumns())['x'] as Int32Array;
      source.requests.length = 0;
      let rows = 0;
      for await (const batch of view.batches({ rows: 10_000 })) {
        const x = batch['x'] as Int32Array;
        expect(x.length).toBe(Math.min(10_000, expected.length - rows));
        expect(
          Buffer.compare(
            Buffer.from(x.buffer, x.byteOffset, x.byteLength),
            Buffer.from(expected.buffer, expected.byteOffset + 4 * rows, x.byteLength),
          ),
        ).toBe(0);
        rows += x.length;
      }
      expect(rows).toBe(expected.length);
      const sizes = source.requests.map((request) =>
        request.rows.kind === 'indices' ? request.rows.indices.length : request.rows.count,
      );
      expect(Math.max(...sizes)).toBe(10_000);
      // Nothing the size of the view travels with a request either.
      expect(source.requests.some((request) => request.rows.kind === 'mask')).toBe(false);
    });
  }

  test('aggregates and iteration too', async () => {
    const source = new MemoryTable(numbers);
    const column = new Table(source).column('x');
    expect(await column.sum()).toBe((ROWS * (ROWS - 1)) / 2);
    let count = 0;
    for await (const value of column) count += Number(value === count);
    expect(count).toBe(ROWS);
    const sizes = source.requests.map((request) => (request.rows.kind === 'range' ? request.rows.count : -1));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536);
  });

  test('batches have memory of their own', () => {
    const batches = [...new Table(new MemoryTable(numbers)).select('x').head(4).batchesSync({ rows: 2 })];
    expect(batches).toEqual([{ x: Int32Array.of(0, 1) }, { x: Int32Array.of(2, 3) }]);
  });

  test('a view without rows has no batch', async () => {
    for await (const batch of new Table(new MemoryTable(numbers)).head(0).batches())
      throw new Error(`a batch ${String(batch)}`);
  });
});

describe('bytes read', () => {
  test('of a slice are those of its rows and columns, and a loop that stops reads no further', async () => {
    let counting: CountingSource | undefined;
    const source = new MemoryTable(numbers, { wrap: (inner) => (counting = new CountingSource(inner)) });
    const table = new Table(source);
    expect([table.rowCount, table.columnNames, await table.count(), table.slice(3).take([1]).rowCount]).toEqual([
      ROWS,
      ['x', 'y'],
      ROWS,
      1,
    ]);
    expect(counting!.reads).toEqual([]);
    await table.select('y').slice(100, 200).toColumns();
    expect(counting!.bytesRead).toBe(100);
    counting!.reset();
    for await (const batch of table.select('x').batches({ rows: 1000 })) {
      expect(batch['x']).toHaveLength(1000);
      break;
    }
    expect(counting!.bytesRead).toBe(4000);
    counting!.reset();
    await table.column('x').at(-1);
    expect(counting!.bytesRead).toBe(4);
  });
});

describe('AbortSignal', () => {
  const table = () => {
    const source = new MemoryTable(numbers);
    return { source, table: new Table(source) };
  };

  test('aborted before: nothing is read, the reason comes back', async () => {
    const reason = new Error('changed my mind');
    const signal = AbortSignal.abort(reason);
    const { source, table: view } = table();
    for (const run of [
      () => view.toColumns({ signal }),
      () => view.toRows({ signal }),
      () => view.toRecords({ signal }),
      () => view.column('x').toArray({ signal }),
      () => view.batches({ signal }).next(),
      () => view.rows({ signal }).next(),
      () => view.column('x').max({ signal }),
      () => view.preview({ signal }),
    ]) {
      await expect(run()).rejects.toBe(reason);
    }
    for (const run of [
      () => view.toColumnsSync({ signal }),
      () => view.toRowsSync({ signal }),
      () => view.toRecordsSync({ signal }),
      () => view.batchesSync({ signal }).next(),
      () => view.rowsSync({ signal }).next(),
      () => view.previewSync({ signal }),
    ]) {
      expect(run).toThrow(reason);
    }
    expect(source.requests).toEqual([]);
  });

  test('aborted between batches: the loop ends with the reason and nothing more is read', async () => {
    const controller = new AbortController();
    const { source, table: view } = table();
    const batches = view.batches({ rows: 1000, signal: controller.signal });
    await batches.next();
    const reads = source.requests.length;
    controller.abort();
    await expect(batches.next()).rejects.toMatchObject({ name: 'AbortError' });
    expect(source.requests.length).toBe(reads);
    expect(await batches.next()).toEqual({ done: true, value: undefined });
  });

  test('aborted while long conversions run', async () => {
    const text = new Table(new MemoryTable(oracleOf({ s: ['S4', upTo(400_000).map((row) => String(row % 9999))] })));
    const controller = new AbortController();
    // However fast the machine is, each look at the clock is late.
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
    try {
      const run = text.toColumns({ signal: controller.signal });
      setImmediate(() => controller.abort());
      await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    } finally {
      clock.mockRestore();
    }
  });
});

test.each([0, -1, 1.5, Number.NaN, Infinity])('batches of %d rows are refused', (rows) => {
  const view = new Table(new MemoryTable(numbers));
  expect(() => view.batches({ rows })).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
  expect(() => view.batchesSync({ rows }).next()).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
});
