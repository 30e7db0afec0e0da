// Every way to read a table, over files of every type, encoding, mode and cut, against the columns that were written.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountingSource, createRandom, shuffled } from '@colkit/testkit';
import type { Table } from '@colkit/table';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CannotViewError, MemorySource, backendInfo, openFileSource } from '../support/io.ts';
import { open, openSync, read, readSync } from '../../src/index.ts';
import { cellsOf, cellsOfResult, sameCells } from '../support/cells.ts';
import type { Cell } from '../support/cells.ts';
import { samples } from '../support/samples.ts';
import type { Sample } from '../support/samples.ts';
import { expectedRows, patterns, writeTable } from '../support/table.ts';
import { columnType } from '../../src/layout/column-type.ts';

const list = samples();
const folder = mkdtempSync(join(tmpdir(), 'columna-read-'));
afterAll(() => rmSync(folder, { recursive: true }));

function sampleNamed(name: string): Sample {
  return list.find((sample) => sample.name === name)!;
}

function expectColumns(result: object, { columns }: Sample, rows: readonly number[] | null): void {
  for (const column of columns) {
    const cells = cellsOf(column);
    const expected = rows === null ? cells : rows.map((row) => cells[row] as Cell);
    const actual = cellsOfResult((result as Record<string, unknown>)[column.name], column.type);
    if (!sameCells(actual, expected)) expect(actual, column.name).toEqual(expected);
  }
}

it('runs with the backend that the project names', () => {
  expect(backendInfo().backend).toBe(process.env['COLKIT_BACKEND'] === 'js' ? 'js' : 'native');
});

describe.each(list.map((sample) => [sample.name, sample] as const))('%s', (name, sample) => {
  const rowCount = sample.columns[0]!.values.length;
  const random = createRandom(name.length);
  let table: Table;
  beforeAll(async () => {
    const path = join(folder, `${name}.cna`);
    writeFileSync(path, writeTable(sample.columns, sample.options).bytes);
    table = await open(path);
  });
  afterAll(() => table.close());

  it('gives all rows back', async () => {
    expect(table.rowCount).toBe(rowCount);
    expect(table.schema.map((field) => [field.name, field.dtype])).toEqual(
      sample.columns.map((column) => [column.name, columnType(column.type).dtype]),
    );
    expectColumns(await table.toColumns(), sample, null);
    expectColumns(table.toColumnsSync(), sample, null);
  });

  it('gives slices, steps, masks and rows in any order', async () => {
    const all = Array.from({ length: rowCount }, (_, row) => row);
    const cuts = [
      [0, 0],
      [0, 1],
      [rowCount - 1, rowCount],
      [Math.floor(rowCount / 3), Math.floor(rowCount / 2)],
      [1, rowCount],
    ] as const;
    for (const [start, end] of cuts)
      expectColumns(table.slice(start, end).toColumnsSync(), sample, all.slice(start, end));
    expectColumns(
      await table.slice(undefined, undefined, -3).toColumns(),
      sample,
      all.filter((row) => (rowCount - 1 - row) % 3 === 0).reverse(),
    );
    expectColumns(
      table.slice(0, undefined, 5).toColumnsSync(),
      sample,
      all.filter((row) => row % 5 === 0),
    );
    const mask = Uint8Array.from(all, () => Number(random.number() < 0.3));
    expectColumns(
      await table.filter(mask).toColumns(),
      sample,
      all.filter((row) => mask[row] === 1),
    );
    const picks = shuffled(random, rowCount)
      .slice(0, 40)
      .flatMap((row, i) => (i % 5 === 0 ? [row, row] : [row]));
    expectColumns(await table.take(picks).toColumns(), sample, picks);
    expectColumns(table.take(picks.slice(0, 1)).toColumnsSync(), sample, picks.slice(0, 1));
    expectColumns(table.take(all).toColumnsSync(), sample, null);
  });

  it('keeps every bit', () => {
    const result = table.toColumnsSync({ nulls: 'bitmap' }) as unknown as Record<string, unknown>;
    for (const column of sample.columns) {
      const type = columnType(column.type);
      if (type.itemBytes === 0) continue;
      const given = result[column.name] as { values: Uint8Array; validity: Uint8Array } | Uint8Array;
      const { values, validity } = 'validity' in given ? given : { values: given, validity: null };
      const bits = patterns(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), type);
      const isNull = (row: number) => validity !== null && ((validity[row >>> 3]! >>> (row & 7)) & 1) === 0;
      expect(bits.map((text, row) => (isNull(row) ? null : text))).toEqual(expectedRows(column));
      expect(
        bits.every((text, row) => !isNull(row) || text === '0'),
        'a null row holds zeros',
      ).toBe(true);
    }
  });

  it('gives dictionaries, rows and records', async () => {
    const coded = (await table.toColumns({ strings: 'dictionary' })) as unknown as Record<
      string,
      { codes: Int32Array; dictionary: string[] }
    >;
    for (const column of sample.columns) {
      if (column.type !== 'string') continue;
      const { codes, dictionary } = coded[column.name]!;
      expect(new Set(dictionary).size).toBe(dictionary.length);
      expect(Array.from(codes, (code) => (code === -1 ? null : dictionary[code]))).toEqual(cellsOf(column));
    }
    const rows = table.slice(0, 20).toRowsSync() as Record<string, Cell>[];
    for (const column of sample.columns)
      expect(
        sameCells(
          rows.map((row) => row[column.name]!),
          cellsOf(column).slice(0, 20),
        ),
        column.name,
      ).toBe(true);
    const packed = sample.columns.filter(
      ({ type, validity }) => columnType(type).itemBytes > 0 && validity === undefined,
    );
    if (packed.length === 0) return;
    const batch = table
      .select(...packed.map((column) => column.name))
      .slice(1, 30)
      .toRecordsSync();
    for (let row = 0; row < batch.rowCount; row++) {
      const record = batch.at(row) as Record<string, Cell>;
      for (const column of packed)
        expect(sameCells([record[column.name]!], cellsOf(column).slice(row + 1, row + 2)), column.name).toBe(true);
    }
  });
});

describe('what is read', () => {
  const sample = sampleNamed('orders-default');
  const { bytes } = writeTable(sample.columns, sample.options);

  it('opens with the footer only, and reads a column with its chunks only', async () => {
    const source = new CountingSource(new MemorySource(bytes));
    const table = await open(source);
    const atOpen = source.bytesRead;
    const alone = writeTable(sample.columns.slice(5, 6), sample.options).bytes.length;
    await table.select('quantity').toColumns();
    expect(source.bytesRead - atOpen).toBeLessThan(alone);
    expect(source.reads.every((record) => record.kind === 'read')).toBe(true);
    source.reset();
    await table.select('quantity').toColumns();
    // The column's block is kept.
    const again = source.bytesRead;
    source.reset();
    await table.select('quantity').slice(600, 601).toColumns();
    expect(source.reads).toHaveLength(1);
    expect(source.bytesRead).toBeLessThan(again / 4);
  });

  it('never reads a byte twice in one read, nor one that no column asked for', async () => {
    for (const name of ['orders-default', 'flights-default', 'types-smallest', 'shapes-plain']) {
      const each = sampleNamed(name);
      const file = writeTable(each.columns, each.options).bytes;
      const source = new CountingSource(new MemorySource(file));
      const table = openSync(source);
      table.toColumnsSync();
      const seen = new Uint8Array(file.length);
      for (const { byteOffset, byteLength } of source.reads)
        for (let at = byteOffset; at < byteOffset + byteLength; at++) seen[at]! += 1;
      expect(seen.some((count) => count > 1)).toBe(false);
      expect(seen.every((count) => count === 1)).toBe(true);
    }
  });

  it('takes rows from the pages that hold them', () => {
    const source = new CountingSource(new MemorySource(bytes));
    const table = openSync(source).select('amount');
    table.toColumnsSync();
    source.reset();
    table.take([1290, 3, 1291, 5]).toColumnsSync();
    expect(source.reads).toHaveLength(2);
    source.reset();
    table.take([]).toColumnsSync();
    expect(source.reads).toHaveLength(0);
  });
});

describe('open and read', () => {
  const sample = sampleNamed('orders-default');
  const { bytes } = writeTable(sample.columns, sample.options);
  const path = join(folder, 'orders.cna');

  it('takes paths, bytes, Blobs and sources, and reads what is named', async () => {
    writeFileSync(path, bytes);
    for (const source of [
      path,
      bytes,
      new Blob([bytes as Uint8Array<ArrayBuffer>]),
      new MemorySource(bytes),
      await openFileSource(path),
    ]) {
      const columns = await read(source, { columns: ['amount', 'order_id'] });
      expect(Object.keys(columns)).toEqual(['amount', 'order_id']);
      expect(columns['amount']).toBeInstanceOf(Float64Array);
      expect(columns['order_id']).toBeInstanceOf(BigInt64Array);
      expect(columns['amount']).toEqual(sample.columns[4]!.values);
    }
    expect(readSync(path, { columns: ['order_id'], int64: 'number' })['order_id']).toBeInstanceOf(Float64Array);
    expectColumns(readSync(bytes), sample, null);
    await expect(read(path, { columns: ['nothing'] })).rejects.toMatchObject({ code: 'ERR_UNKNOWN_COLUMN' });
    await expect(read(path, { columns: 'amount' as never })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  });

  it('leaves a source that was passed to read open, and owns one that was passed to open', async () => {
    const source = new MemorySource(bytes);
    await read(source);
    expect(source.closed).toBe(false);
    const table = await open(source);
    table.close();
    expect(source.closed).toBe(true);
    await expect(table.toColumns()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });

  it('checks indices before it writes', () => {
    const table = openSync(bytes).select('order_id');
    const out = new BigInt64Array(3).fill(7n);
    expect(() => table.take([0, 1, 1300]).toColumnsSync({ out: { order_id: out } })).toThrow(
      expect.objectContaining({ code: 'ERR_INDEX_OUT_OF_RANGE', index: 1300, position: 2 }),
    );
    expect(out).toEqual(new BigInt64Array(3).fill(7n));
  });

  it('refuses options that cannot be meant', async () => {
    await expect(open(bytes, { verifyCrc: 1 as never })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    for (const options of [null, 5, { limits: null }, { limits: 5 }])
      await expect(open(bytes, options as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    await expect(open(bytes, { limits: { maxColumns: -1 } })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    await expect(open(bytes, { limits: { maxColumns: 3 } })).rejects.toMatchObject({
      code: 'ERR_LIMIT',
      limit: 3,
      value: 7,
    });
  });

  it('stops at a signal', async () => {
    const abort = new AbortController();
    const table = await open(bytes);
    const reading = table.toColumns({ signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expectColumns(await table.toColumns(), sample, null);
  });
});

describe('views', () => {
  const sample = sampleNamed('orders-plain');
  const path = join(folder, 'plain.cna');
  beforeAll(() => writeFileSync(path, writeTable(sample.columns, sample.options).bytes));

  it('shows rows of one plain page without a copy', async () => {
    const table = await open(path);
    const inPage = table.select('amount').slice(264, 528);
    if (backendInfo().backend === 'js') {
      expect(() => inPage.viewColumns()).toThrow(CannotViewError);
      return;
    }
    expect(inPage.viewColumns()['amount']).toEqual((sample.columns[4]!.values as Float64Array).subarray(264, 528));
    expect(table.select('amount').slice(300, 360).viewColumns()['amount']).toEqual(
      (sample.columns[4]!.values as Float64Array).subarray(300, 360),
    );
    expect(() => table.select('amount').slice(250, 300).viewColumns()).toThrow(
      expect.objectContaining({ code: 'ERR_NOT_CONTIGUOUS' }),
    );
    expect(() => table.select('region').viewColumns()).toThrow(CannotViewError);
    expect(() => table.select('note').viewColumns()).toThrow(CannotViewError);
  });

  it.runIf(process.platform === 'linux' && process.env['COLKIT_BACKEND'] !== 'js')(
    'maps little for any number of views in one turn of the event loop, and checks the file, not writes into them',
    () => {
      const table = openSync(path);
      const amount = sample.columns[4]!.values as Float64Array;
      const mappings = (): number =>
        readFileSync('/proc/self/maps', 'utf8')
          .split('\n')
          .filter((line) => line.endsWith(path)).length;
      const before = mappings();
      for (let round = 0; round < 70_000; round += 1)
        (
          table
            .select('amount')
            .slice(264 + (round % 100), 528)
            .viewColumns()['amount'] as Float64Array
        )[0] = round;
      expect(mappings() - before).toBeLessThanOrEqual(1 + 1);
      expect(table.column('amount').slice(264, 528).toArraySync()).toEqual(amount.subarray(264, 528));
      const other = openSync(path);
      (other.column('amount').slice(264, 266).viewArray() as Float64Array).fill(-1);
      expect(other.column('amount').slice(264, 267).viewArray()).toEqual(Float64Array.of(-1, -1, amount[266]!));
    },
  );

  it('says why an encoded page is no array', () => {
    const encoded = sampleNamed('orders-default');
    const packed = join(folder, 'packed.cna');
    writeFileSync(packed, writeTable(encoded.columns, encoded.options).bytes);
    const table = openSync(packed);
    expect(() => table.select('quantity').slice(0, 10).viewColumns()).toThrow(CannotViewError);
  });
});

it('gives binary values memory of their own, one for each entry of a dictionary, inflated page or not', () => {
  const values = Array.from({ length: 300 }, (_, row) => new Uint8Array(50).fill(row % 3));
  for (const mode of ['default', 'plain'] as const) {
    const { bytes, reports } = writeTable([{ name: 'bytes', type: 'binary', values }], { mode });
    expect(reports[0]!.pages.some(({ codec }) => codec === 'DEFLATE')).toBe(mode === 'default');
    const found = openSync(bytes).toColumnsSync()['bytes'] as Uint8Array[];
    expect(found).toEqual(values);
    expect(found.every((value) => value.constructor === Uint8Array && value.buffer.byteLength === 50)).toBe(true);
  }
});
