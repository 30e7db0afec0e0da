// Small batches are cut from larger reads: as many rows as asked for, the values of those rows in every form, memory of
// their own, few reads, and no more in memory than a few megabytes.
import { describe, expect, test } from 'vitest';
import { Table } from '../../src/index.ts';
import type { ReadRequest } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, upTo } from '../support/tables.ts';

const ROWS = 9_001;
const rows = upTo(ROWS);
const everySeventhNull = <T>(value: (row: number) => T): (T | null)[] =>
  rows.map((row) => (row % 7 === 3 ? null : value(row)));
const MIXED = oracleOf({
  i: ['int32', rows],
  ni: ['int16?', everySeventhNull((row) => row % 1000)],
  w: ['int64', rows.map((row) => BigInt(row) ** 3n)],
  f: ['float64', rows.map((row) => row / 3)],
  b: ['bool?', everySeventhNull((row) => row % 2 === 0)],
  s: ['S5', rows.map((row) => `s${row % 999}`)],
  t: ['string?', everySeventhNull((row) => (row % 5 === 0 ? '' : `é${row}`))],
  d: ['datetime64[ms]', rows.map((row) => BigInt(row) * 86_400_001n)],
});
const sizesOf = (requests: readonly ReadRequest[]): number[] =>
  requests.map((request) => (request.rows.kind === 'range' ? request.rows.count : -1));

const FORMS = {
  'the usual forms': {},
  bitmaps: { nulls: 'bitmap' },
  'NaN, numbers and Dates': { nulls: 'nan', int64: 'number', dates: 'date' },
  'packed texts': { strings: 'bytes' },
  dictionaries: { strings: 'dictionary' },
} as const;

describe.each(Object.entries(FORMS))('%s', (_, form) => {
  test.each([1, 7, 100, 4096, 5000])('batches of %i rows are those rows', async (size) => {
    // Of single rows there are enough in a part of them.
    const table = new Table(new MemoryTable(MIXED)).slice(0, size === 1 ? 300 : undefined);
    let start = 0;
    for await (const batch of table.batches({ rows: size, ...form })) {
      const end = Math.min(table.rowCount, start + size);
      expect(batch).toEqual(await table.slice(start, end).toColumns(form));
      start = end;
    }
    expect(start).toBe(table.rowCount);
    expect([...table.batchesSync({ rows: size, ...form })]).toHaveLength(Math.ceil(table.rowCount / size));
  });
});

test('few reads, none of more than 65,536 rows', async () => {
  const source = new MemoryTable(oracleOf({ x: ['int32', upTo(300_000)] }));
  let count = 0;
  for await (const { x } of new Table(source).batches({ rows: 10 }))
    count += Number((x as Int32Array)[9] === count + 9) * 10;
  expect(count).toBe(300_000);
  expect(source.requests.length).toBeLessThan(12);
  expect(Math.max(...sizesOf(source.requests))).toBeLessThanOrEqual(65_536);
});

test('of long texts no more than a few megabytes are read at once', () => {
  const long = 'x'.repeat(100_000);
  const source = new MemoryTable(oracleOf({ t: ['string', upTo(400).map(() => long)] }));
  expect([...new Table(source).batchesSync({ rows: 2 })]).toHaveLength(200);
  expect(Math.max(...sizesOf(source.requests))).toBeLessThanOrEqual(42);
});

test('every array is a buffer of its own where it is to be transferred', () => {
  const buffers = new Set<ArrayBufferLike>();
  let count = 0;
  for (const { i, w } of new Table(new MemoryTable(MIXED))
    .select('i', 'w')
    .batchesSync({ rows: 50, transferable: true })) {
    for (const array of [i, w] as (Int32Array | BigInt64Array)[]) {
      expect(array.buffer.byteLength).toBe(array.byteLength);
      buffers.add(array.buffer);
      count += 1;
    }
  }
  expect(buffers.size).toBe(count);
});

test('a batch that cannot be read is the only one that is missing', async () => {
  const DAMAGED = 1234;
  const source = new MemoryTable(MIXED);
  const read = source.read.bind(source);
  source.read = (request) => {
    const { kind } = request.rows;
    if (kind === 'range' && request.rows.start <= DAMAGED && request.rows.start + request.rows.count > DAMAGED)
      throw new RangeError('damaged');
    return read(request);
  };
  let count = 0;
  await expect(async () => {
    for await (const { i } of new Table(source).batches({ rows: 100 })) count += (i as Int32Array).length;
  }).rejects.toThrow('damaged');
  expect(count).toBe(1200);
});

test('a table that is closed between two batches of one read gives no more of them', async () => {
  const table = new Table(new MemoryTable(MIXED));
  const batches = table.batches({ rows: 10 });
  for (let i = 0; i < 3; i += 1) await batches.next();
  table.close();
  await expect(batches.next()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
});

test('aborted between two batches of one read: the reason', async () => {
  const controller = new AbortController();
  const batches = new Table(new MemoryTable(MIXED)).batches({ rows: 10, signal: controller.signal });
  for (let i = 0; i < 3; i += 1) await batches.next();
  controller.abort(new Error('enough'));
  await expect(batches.next()).rejects.toThrow('enough');
});

test('what becomes of a batch does not matter to those after it, nor to how much is read', async () => {
  const wide = new MemoryTable(oracleOf({ s: ['S30000', upTo(300).map(String)] }));
  for await (const { s } of new Table(wide).batches({ rows: 100, strings: 'bytes' })) {
    const sent = s as unknown as Uint8Array<ArrayBuffer>;
    structuredClone(sent, { transfer: [sent.buffer] });
  }
  expect(sizesOf(wide.requests)).toEqual([100, 100, 100]);
  const table = new Table(new MemoryTable(MIXED)).select('ni');
  let count = 0;
  for (const { ni } of table.batchesSync({ rows: 100, nulls: 'bitmap' })) {
    count += ni.values.length;
    Object.assign(ni, { values: null, validity: null });
  }
  expect(count).toBe(ROWS);
});
