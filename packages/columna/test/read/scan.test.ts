// What a scan says and reads: summary, statistics, explanations, bytes; late columns only where rows match; errors
// before any page is read.
import { CountingSource } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { MemorySource } from '../support/io.ts';
import { col, inspectSync, open, openSync, scan, scanSync } from '../../src/index.ts';
import { readTable, writeTable } from '../support/table.ts';
import type { TestColumn } from '../support/table.ts';

const ROWS = 4000;
const amounts = Float64Array.from({ length: ROWS }, (_, row) => row + ((row * 7919) % 100) / 100);
const regions = Array.from({ length: ROWS }, (_, row) => ['EMEA', 'APAC', 'AMER'][(row * 31) % 3]!);
const columns: TestColumn[] = [
  {
    name: 'order_id',
    type: 'int64',
    values: BigInt64Array.from({ length: ROWS }, (_, row) => BigInt((row * 7919) % 100_003)),
  },
  { name: 'amount', type: 'float64', values: amounts },
  { name: 'region', type: 'string', values: regions },
  {
    name: 'note',
    type: 'string',
    values: Array.from({ length: ROWS }, (_, row) => (row % 3 === 0 ? null : `note ${row % 5}`)),
  },
];
const { bytes } = writeTable(columns, { rowGroupRows: 400, pageRows: 104 });

describe('scan', () => {
  it('gives columns, stats, a summary and an explanation', async () => {
    const where = col('amount').gt(3500).and(col('region').eq('EMEA'));
    const expected = Array.from(amounts.keys()).filter((row) => amounts[row]! > 3500 && regions[row] === 'EMEA');
    const source = new CountingSource(new MemorySource(bytes));
    const result = await scan(source, { columns: ['amount', 'order_id'], where });
    expect(Object.keys(result.columns)).toEqual(['amount', 'order_id']);
    expect(Array.from(result.columns['amount'] as Float64Array)).toEqual(expected.map((row) => amounts[row]));
    expect(result.rowCount).toBe(expected.length);
    expect(result.stats).toEqual({
      matched: expected.length,
      scanned: 800,
      groups: 10,
      groupsSkipped: 8,
      pagesSkipped: 2,
      bytesRead: source.bytesRead,
    });
    expect(result.summary()).toBe(
      `${expected.length} matched / 800 scanned, 8/10 groups skipped, ${source.bytesRead} bytes read`,
    );
    const lines = result.explain().split('\n');
    expect(lines[0]).toBe(result.summary());
    expect(lines.filter((line) => /^row group \d: skipped, .*amount/.test(line))).toHaveLength(8);
    expect(lines.filter((line) => /^row group 8, page \d: skipped/.test(line))).toHaveLength(2);
    expect(result.stats.bytesRead).toBeLessThan(bytes.length / 2.5);
  });

  it('is the same in its Sync form, in text with parameters, and on any source', async () => {
    const text = { where: 'amount > @least and region == "EMEA"', params: { least: 3500 } };
    const fromSync = scanSync(bytes, text);
    for (const source of [bytes, new Blob([bytes as Uint8Array<ArrayBuffer>]), new MemorySource(bytes)]) {
      const result = await scan(source, text);
      expect(result.columns).toEqual(fromSync.columns);
      expect(result.stats.matched).toBe(fromSync.stats.matched);
    }
  });

  it('gives the forms that read gives', async () => {
    const where = col('note').ne('note 1').and(col('amount').lt(20));
    const result = await scan(bytes, {
      where,
      strings: 'dictionary',
      int64: 'number',
      columns: ['note', 'order_id', 'region'],
    });
    const {
      note,
      order_id: ids,
      region,
    } = result.columns as unknown as {
      note: { codes: Int32Array; dictionary: string[] };
      order_id: Float64Array;
      region: { codes: Int32Array; dictionary: string[] };
    };
    expect(ids).toBeInstanceOf(Float64Array);
    expect(Array.from(note.codes, (code) => note.dictionary[code])).toEqual(
      (columns[3]!.values as (string | null)[])
        .slice(0, 21)
        .filter((value, row) => value !== null && value !== 'note 1' && amounts[row]! < 20),
    );
    expect(new Set(region.dictionary).size).toBe(region.dictionary.length);
  });

  it('explains with values as they are typed', async () => {
    const typedOut = writeTable(
      [
        { name: 'id', type: 'int64', values: BigInt64Array.from({ length: 200 }, (_, row) => 134_900n + BigInt(row)) },
        {
          name: 'ts',
          type: 'datetime',
          values: BigInt64Array.from({ length: 200 }, (_, row) => 1_704_067_200_000_000n + BigInt(row) * 500_000n),
        },
        { name: 'day', type: 'date', values: BigInt64Array.from({ length: 200 }, (_, row) => 10_957n + BigInt(row)) },
        {
          name: 'word',
          type: 'string',
          values: Array.from({ length: 200 }, (_, row) => `w${String(row).padStart(3, '0')}`),
        },
      ],
      { rowGroupRows: 100 },
    ).bytes;
    const skipped = async (where: string): Promise<string | undefined> =>
      (await scan(typedOut, { where }).explain())
        .split('\n')
        .find((line) => line.includes('skipped, ') && line.startsWith('row group 0'))
        ?.split('skipped, ')[1];
    expect(await skipped('id >= 135050')).toBe('id: max 134999 < 135050');
    expect(await skipped("ts > '2024-01-01T00:00:50'")).toBe(
      "ts: max '2024-01-01T00:00:49.500' <= '2024-01-01T00:00:50'",
    );
    expect(await skipped("day >= '2000-05-01'")).toBe("day: max '2000-04-09' < '2000-05-01'");
    expect(await skipped("word == 'w150'")).toBe("word: max 'w099' < 'w150'");
  });

  it('reads everything where nothing is asked, and nothing but the footer where nothing can match', async () => {
    const all = await scan(bytes);
    expect(all.summary()).toBe(
      `${ROWS} matched / ${ROWS} scanned, 0/10 groups skipped, ${all.stats.bytesRead} bytes read`,
    );
    expect(all.columns['region']).toEqual(regions);
    const source = new CountingSource(new MemorySource(bytes));
    const none = await scan(source, { where: 'amount < 0' });
    expect(none.stats).toMatchObject({ matched: 0, scanned: 0, groupsSkipped: 10, pagesSkipped: 0 });
    expect(none.columns['amount']).toEqual(new Float64Array(0));
    const { footerOffset } = readTable(bytes).footer;
    expect(source.reads.every(({ byteOffset }) => byteOffset === 0 || byteOffset >= footerOffset)).toBe(true);
  });

  it('reads later columns only for pages with matches', async () => {
    const source = new CountingSource(new MemorySource(bytes));
    await scan(source, { columns: ['order_id'], where: col('amount').eq(amounts[1234]!) });
    const { chunks, footer } = readTable(bytes);
    const ofIds = (offset: number) =>
      chunks[0]!.some(({ byteOffset, byteLength }) => offset >= byteOffset && offset < byteOffset + byteLength);
    const pages = source.reads.filter(({ byteOffset }) => byteOffset >= 4 && byteOffset < footer.footerOffset);
    expect(pages.filter(({ byteOffset }) => ofIds(byteOffset))).toHaveLength(1);
    expect(pages).toHaveLength(2);
  });

  it('does not read pages of which statistics prove every row', async () => {
    const source = new CountingSource(new MemorySource(bytes));
    const { columns: found } = await scan(source, { columns: ['region'], where: 'amount >= 0' });
    expect(found['region']).toEqual(regions);
    const { chunks } = readTable(bytes);
    for (const { byteOffset, byteLength } of chunks[1]!)
      expect(
        source.reads.some(
          (read) =>
            read.byteOffset < byteOffset + byteLength &&
            read.byteOffset + read.byteLength > byteOffset &&
            read.byteOffset >= 4,
        ),
      ).toBe(false);
  });

  it('refuses a predicate before it reads a page', async () => {
    const source = new CountingSource(new MemorySource(bytes));
    await expect(scan(source, { where: 'amount >' }).run()).rejects.toMatchObject({ code: 'ERR_QUERY_SYNTAX' });
    await expect(scan(source, { where: 'amount == "x"' }).run()).rejects.toMatchObject({ code: 'ERR_QUERY_TYPE' });
    await expect(scan(source, { where: 'price > 1' }).run()).rejects.toMatchObject({
      code: expect.stringMatching(/ERR_QUERY|ERR_UNKNOWN/) as unknown,
    });
    await expect(scan(source, { columns: ['price'] }).run()).rejects.toMatchObject({ code: 'ERR_UNKNOWN_COLUMN' });
    const { footerOffset } = readTable(bytes).footer;
    expect(source.reads.every(({ byteOffset }) => byteOffset === 0 || byteOffset >= footerOffset)).toBe(true);
    expect(source.closed).toBe(false);
  });

  it('explains without reading a page', async () => {
    const source = new CountingSource(new MemorySource(bytes));
    const text = await scan(source, { where: 'amount > 3500' }).explain();
    expect(text).toContain('row groups: 10, skipped 8; pages skipped in the others: 2');
    expect(text).toContain('row group 9 (rows 3600 to 4000): read, 400 rows, all of which match by their statistics');
    expect(text).toBe(scan(bytes, { where: 'amount > 3500' }).explainSync().replaceAll('<memory>', source.path));
    const { footerOffset } = readTable(bytes).footer;
    expect(source.reads.every(({ byteOffset }) => byteOffset === 0 || byteOffset >= footerOffset)).toBe(true);
    expect(await scan(bytes).explain()).toContain('none skipped');
  });

  it('stops at a signal', async () => {
    await expect(scan(bytes, { signal: AbortSignal.abort(new Error('enough')) }).run()).rejects.toThrow('enough');
  });
});

describe('a lazy view with a predicate', () => {
  it('reads what a scan reads, and composes', async () => {
    const source = new CountingSource(new MemorySource(bytes));
    const table = await open(source);
    const view = table.where(col('amount').gt(3500)).select('order_id');
    expect(await view.count()).toBe(amounts.filter((value) => value > 3500).length);
    expect(source.bytesRead).toBeLessThan(bytes.length / 4);
    const expected = (columns[0]!.values as BigInt64Array).filter((_, row) => amounts[row]! > 3500);
    expect((await view.toColumns())['order_id']).toEqual(expected);
    expect(view.slice(3, 8).toColumnsSync()['order_id']).toEqual(expected.slice(3, 8));
    const explanation = await view.explain();
    expect(explanation).toContain('skipped 8');
  });

  it('matches of a condition that is always true are a range', () => {
    const table = openSync(bytes).where('amount >= 0');
    expect(table.countSync()).toBe(ROWS);
    expect(table.tail(2).toColumnsSync()['region']).toEqual(regions.slice(-2));
  });
});

describe('values at both ends of a type, in one page', () => {
  // As patterns they are neighbours modulo 2^64, which is how they are stored.
  const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];
  const cases = {
    int64: [BigInt64Array, [least, most, least + 1n, most - 5n]],
    uint64: [BigUint64Array, [0n, 2n ** 64n - 1n, 7n, 2n ** 64n - 3n, 2n]],
    datetime: [BigInt64Array, [most, least + 9n, most - 3n]],
  } as const;

  it.each(Object.entries(cases))('%s: the statistics hold all of them, and each is found', (type, [kind, values]) => {
    const file = writeTable([{ name: 'x', type: type as 'int64', values: new kind(values) as BigInt64Array }]).bytes;
    const sorted = [...values].sort((a, b) => (a < b ? -1 : 1));
    const { min, max } = inspectSync(file).rowGroups[0]!.chunks[0]!.statistics!;
    expect([min!.value, max!.value]).toEqual([sorted[0], sorted.at(-1)]);
    for (const value of values)
      expect([...(scanSync(file, { where: 'x == @value', params: { value } }).columns['x'] as BigInt64Array)]).toEqual([
        value,
      ]);
    expect(scanSync(file, { where: 'x > @value', params: { value: sorted[1] } }).rowCount).toBe(values.length - 2);
  });
});
