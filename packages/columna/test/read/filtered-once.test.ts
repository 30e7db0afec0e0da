// open().where(): the pages that a predicate and the result both need are asked of the source once, as in a scan.
// Columns are read in the pass that finds their rows; for rows, what is beyond a bound is read again.
import { CountingSource, createRandom } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { open, openSync, scanSync } from '../../src/index.ts';
import { KeptPages } from '../../src/read/file/kept-pages.ts';
import { MemorySource } from '../support/io.ts';
import { orderTable } from '../support/orders.ts';
import { samples } from '../support/samples.ts';
import { writeTable } from '../support/table.ts';

/** Bytes that were asked for more than once. */
function bytesTwice({ reads }: CountingSource): number {
  let [twice, end] = [0, 0];
  for (const { byteOffset, byteLength } of [...reads].sort((a, b) => a.byteOffset - b.byteOffset)) {
    twice += Math.max(0, Math.min(end, byteOffset + byteLength) - byteOffset);
    end = Math.max(end, byteOffset + byteLength);
  }
  return twice;
}

async function expectOnce(bytes: Uint8Array, where: string, columns: readonly string[] | null): Promise<number> {
  const expected = scanSync(bytes, { where, ...(columns === null ? {} : { columns }) });
  const source = new CountingSource(new MemorySource(bytes));
  const table = await open(source);
  const view = (each: typeof table) => (columns === null ? each.where(where) : each.where(where).select(...columns));
  expect(await view(table).toColumns()).toEqual(expected.columns);
  expect(bytesTwice(source), where).toBe(0);
  const most = expected.stats.bytesRead;
  expect(source.bytesRead, where).toBe(most);
  const sourceOfSync = new CountingSource(new MemorySource(bytes));
  expect(view(openSync(sourceOfSync)).toColumnsSync()).toEqual(expected.columns);
  expect(bytesTwice(sourceOfSync), where).toBe(0);
  expect(sourceOfSync.bytesRead, where).toBe(source.bytesRead);
  // Rows are found first and read then. Without a match, nobody even looks what the footer says of the columns to read.
  const sourceOfRows = new CountingSource(new MemorySource(bytes));
  expect(await view(await open(sourceOfRows)).toRows()).toHaveLength(expected.rowCount);
  expect(bytesTwice(sourceOfRows), where).toBe(0);
  if (expected.rowCount > 0) expect(sourceOfRows.bytesRead, where).toBe(most);
  else expect(sourceOfRows.bytesRead, where).toBeLessThan(most);
  return expected.rowCount;
}

describe('a filtered table that is materialised', () => {
  const { bytes } = writeTable(orderTable(5000), { rowGroupRows: 1000, pageRows: 256 });

  it.each([
    ['amount > 4500', null],
    ['amount > 4500', ['amount']],
    ["region == 'EMEA' and amount > 3000", ['order_id', 'region', 'amount']],
    ["status != 'paid' or quantity < 3", null],
    ['order_id between 101200 and 101300', null],
    ['note is null and amount > 10', ['note', 'amount']],
    ["startsWith(note, 'g') or amount > 4900", ['note']],
    ['amount * quantity > 20000', null],
    ['amount > 0', ['amount']],
    ['amount > 1e9', null],
  ] as const)('reads each page once: %s', async (where, columns) => {
    const matched = await expectOnce(bytes, where, columns);
    expect(matched > 0).toBe(where !== 'amount > 1e9');
  });

  it('in every form, of any consecutive rows, as the same rows by their numbers', async () => {
    const table = await open(bytes);
    const where = 'amount > 2500 and note is not null';
    const { amount, note } = await table.select('amount', 'note').toColumns();
    const matches = Array.from({ length: 5000 }, (_, row) => row).filter(
      (row) => (amount as Float64Array)[row]! > 2500 && (note as (string | null)[])[row] !== null,
    );
    for (const [start, end] of [
      [0, 5000],
      [700, 2300],
      [999, 1001],
      [4000, 4000],
    ] as const) {
      const rows = matches.filter((row) => row >= start && row < end);
      for (const options of [
        {},
        { strings: 'dictionary' },
        { nulls: 'bitmap' },
        { nulls: 'nan' },
        { int64: 'number' },
        { transferable: true },
        { workers: 1 },
      ] as const) {
        const names = 'nulls' in options && options.nulls === 'nan' ? ['amount', 'quantity'] : table.columnNames;
        const view = table
          .slice(start, end)
          .where(where)
          .select(...names);
        const expected = await table
          .take(rows)
          .select(...names)
          .toColumns(options);
        if ('strings' in options) {
          // Codes are numbered by whoever reads.
          const { note: found } = (await view.toColumns({ strings: 'dictionary' })) as Record<
            string,
            { codes: Int32Array; dictionary: string[] }
          >;
          const { note: same } = expected as Record<string, { codes: Int32Array; dictionary: string[] }>;
          const texts = ({ codes, dictionary }: { codes: Int32Array; dictionary: string[] }) =>
            Array.from(codes, (code) => dictionary[code]);
          expect(texts(found!)).toEqual(texts(same!));
          continue;
        }
        expect(await view.toColumns(options)).toEqual(expected);
        expect(view.toColumnsSync(options)).toEqual(expected);
      }
      const out = new Float64Array(rows.length);
      const found = await table
        .slice(start, end)
        .where(where)
        .select('amount')
        .toColumns({ out: { amount: out } });
      expect(found['amount']).toBe(out);
      expect(out).toEqual(Float64Array.from(rows, (row) => (amount as Float64Array)[row]!));
      expect(await table.slice(start, end).where(where).column('amount').toArray()).toEqual(out);
    }
    table.close();
    await expect(table.where(where).toColumns()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });

  it('of joint dictionaries too', async () => {
    const sample = samples().find(({ name }) => name === 'flights-default')!;
    const file = writeTable(sample.columns, sample.options).bytes;
    const names = sample.columns.filter(({ type }) => type === 'string');
    expect(names.length).toBeGreaterThan(1);
    for (const { name, values } of names)
      expect(
        await expectOnce(file, `\`${name}\` == '${(values as readonly string[])[777] ?? ''}'`, null),
      ).toBeGreaterThan(0);
  });

  it('where a row group takes several windows, the first of them without a match', async () => {
    const rows = 50_000;
    const random = createRandom(5);
    const word = Array.from(
      { length: rows },
      (_, row) =>
        `word ${row < 30_000 ? Math.floor(random.number() * 1000) : 1000 + Math.floor(random.number() * 1000)}`,
    );
    const x = Float64Array.from({ length: rows }, () => random.number());
    const file = writeTable(
      [
        { name: 'x', type: 'float64', values: x },
        { name: 'word', type: 'string', values: word, encoding: 'DICTIONARY' },
      ],
      { joint: false, pageRows: 64 },
    ).bytes;
    expect(await expectOnce(file, "x < 0.5 and word == 'word 1500'", ['word'])).toBeGreaterThan(3);
  });

  it('keeps no more than 16 MiB for rows: the rest is read again', async () => {
    const rows = 2_400_000;
    const random = createRandom(6);
    const { bytes: file } = writeTable(
      [{ name: 'x', type: 'float64', values: Float64Array.from({ length: rows }, () => random.number()) }],
      { mode: 'plain' },
    );
    const source = new CountingSource(new MemorySource(file));
    const view = (await open(source)).where('x < 0.001');
    source.reset();
    const { x } = await view.toColumns();
    const [once, bound] = [file.length, 1 << 24];
    expect(source.bytesRead).toBeLessThan(once);
    source.reset();
    expect(await view.toRows()).toHaveLength((x as Float64Array).length);
    expect(source.bytesRead).toBeGreaterThan(once);
    expect(source.bytesRead).toBeLessThan(2 * once - 0.95 * bound);
  });

  it('forgets the pages of the filter before', async () => {
    const source = new CountingSource(new MemorySource(bytes));
    const table = await open(source);
    const first = table.where('amount > 4500').select('amount');
    await first.toColumns();
    source.reset();
    await table.where('quantity > 3').select('quantity').toColumns();
    source.reset();
    await table.select('amount').toColumns();
    expect(bytesTwice(source)).toBe(0);
    expect(source.bytesRead).toBeGreaterThan(3000);
  });
});

describe('kept pages', () => {
  const page = (byteLength: number, fill: number) => new Uint8Array(byteLength).fill(fill);

  it('are copies, aligned as in the file', () => {
    const kept = new KeptPages();
    const bytes = page(100, 1);
    kept.add(12_345, bytes);
    bytes.fill(2);
    expect(kept.get(12_345)).toEqual(page(100, 1));
    expect(kept.get(12_345)!.byteOffset % 8).toBe(12_345 % 8);
    expect(kept.get(12_346)).toBeUndefined();
  });

  it('take no more memory than the bound, held dictionaries neither', () => {
    const kept = new KeptPages();
    for (let number = 0; number < 40; number++) kept.add(number, page(1 << 20, number));
    expect(
      Array.from({ length: 40 }, (_, number) => kept.get(number)).filter((each) => each !== undefined),
    ).toHaveLength(16);
    const others = new KeptPages();
    for (let number = 0; number < 17; number++) others.hold(number, page(1 << 20, number));
    for (let number = 0; number < 17; number++) others.add(number, undefined);
    expect(
      Array.from({ length: 17 }, (_, number) => others.get(number)).filter((each) => each !== undefined),
    ).toHaveLength(1);
    others.hold(99, page((1 << 24) + 1, 1));
    others.add(99, undefined);
    expect(others.get(99)).toBeUndefined();
  });
});
