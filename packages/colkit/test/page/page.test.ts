// The inspector's page as text: self-contained, escaped, of a reasonable size whatever the file.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { MemorySink, inspect, write } from 'columna';
import { describe, expect, it } from 'vitest';
import { PAGE_LIMITS } from '../../src/page/page-model.ts';
import { temporaryFolder } from '../support/folder.ts';
import { pageOf } from '../support/page.ts';
import { runHere } from '../support/run.ts';
import { orderTable, writeTable } from '../support/table.ts';

const folder = temporaryFolder();
const { bytes: orders } = writeTable(orderTable(5000), { rowGroupRows: 1000, pageRows: 512 });

describe('the page', () => {
  it('needs nothing else: no address, no import, no file', async () => {
    const page = await pageOf(orders);
    expect(page).not.toMatch(/https?:\/\/|@import|url\(|<link(?! rel="icon" href="data:,")|<img|<iframe/);
    expect(page).not.toMatch(/ src=/);
    expect(page.length).toBeLessThan(400_000);
  });

  it('has a segment for every chunk, as wide as its share of the row group', async () => {
    const page = await pageOf(orders);
    const widths = [...page.matchAll(/<a class="seg [^>]*style="width:([\d.]+)%"/g)].map((match) => Number(match[1]));
    expect(widths.length).toBe(35);
    for (let group = 0; group < 5; group++)
      expect(widths.slice(7 * group, 7 * group + 7).reduce((sum, width) => sum + width, 0)).toBeCloseTo(100, 4);
  });

  it('says why, and shows the first rows', async () => {
    const page = await pageOf(orders);
    expect(page).toContain('the fewest bytes, ');
    expect(page).toContain('<em>kept</em>');
    expect(page).toContain('<td class="n">100000</td>');
    expect(page.match(/<td class="null">null<\/td>/g)!.length).toBeGreaterThan(3);
  });

  it('shows names and texts as they are, whatever is in them', async () => {
    const evil = '</script><script>alert(1)</script>';
    const { bytes } = writeTable([
      { name: evil, type: 'string', values: [evil, '"quoted" & <b>', '\u202eevil', 'null'] },
      { name: '`x`', type: 'int32', values: Int32Array.of(1, 2, 3, 4) },
    ]);
    const page = await pageOf(bytes, PAGE_LIMITS, evil);
    expect(page).not.toContain('<script>alert');
    expect(page.match(/<script/g)!.length).toBe(3);
    expect(page).not.toContain('\u202e');
    expect(page).toContain('&quot;null&quot;');
  });

  it('has pages of empty tables and of nulls', async () => {
    expect(await pageOf(writeTable([{ name: 'n', type: 'int64', values: new BigInt64Array(0) }]).bytes)).toContain(
      'The table has no rows.',
    );
    const page = await pageOf(
      writeTable([{ name: 'n', type: 'int64', values: new BigInt64Array(9), validity: new Uint8Array(2) }]).bytes,
    );
    expect(page).toContain('nothing but nulls');
  });
});

describe('a wide file', () => {
  it('is listed in part, which the page says, and stays small', async () => {
    const columns = Array.from({ length: 2000 }, (_, i) => ({
      name: `column ${i}`,
      type: 'int16' as const,
      values: Int16Array.from({ length: 64 }, (_, row) => row + i),
    }));
    const { bytes } = writeTable(columns, { rowGroupRows: 32, joint: false });
    const page = await pageOf(bytes);
    expect(page).toContain(`lists the first ${PAGE_LIMITS.columns} of 2,000 columns`);
    expect(page.length).toBeLessThan(1_500_000);
    expect(page).toContain('1,940 more columns');
  });

  it('explains the first row groups, which the page says', async () => {
    const page = await pageOf(orders, { ...PAGE_LIMITS, explainedValues: 7 * 2000 });
    expect(page.match(/were not worked out again/g)!.length).toBe(3);
  });
});

describe('what a page tells besides', () => {
  it('has the size of what the file was imported from, where convert kept it', async () => {
    const csv = folder.path('orders.csv');
    writeFileSync(csv, `id,region\n${Array.from({ length: 3000 }, (_, row) => `${row},EMEA`).join('\n')}\n`);
    const [cna, again, cstore] = ['a.cna', 'b.cna', 'a.cstore'].map((name) => folder.path(name)) as [
      string,
      string,
      string,
    ];
    for (const words of [
      ['convert', csv, cna],
      ['convert', cna, again, '--mode', 'smallest'],
      ['convert', cna, cstore, '--columns', 'id'],
    ])
      expect((await runHere(false, ...words)).code).toBe(0);
    for (const path of [cna, again]) {
      expect((await inspect(path)).metadata).toEqual({
        'colkit.original.format': 'csv',
        'colkit.original.bytes': String(statSync(csv).size),
      });
      expect(await pageOf(readFileSync(path))).toMatch(
        /imported from csv of <b>[\d.]+ kB<\/b>: this file is [\d.]+ % of it/,
      );
    }
    expect(await pageOf(orders)).not.toContain('imported from');
  });

  it('ignores what is no size', async () => {
    for (const bytes of ['<b>', '-1', '1e9', '0']) {
      const sink = new MemorySink();
      await write(sink, { a: [1] }, { metadata: { 'colkit.original.bytes': bytes, 'colkit.original.format': '<i>' } });
      const page = await pageOf(sink.bytes());
      expect(page).not.toMatch(/imported from|<i>/);
    }
  });

  it('draws the values of each column, and explains the words that it uses', async () => {
    const page = await pageOf(orders);
    expect(page.match(/<svg role="img" aria-label="Histogram of /g)!.length).toBeGreaterThan(1);
    expect(page).toContain('aria-label="Most frequent values"');
    expect(page).toMatch(/<dt>row group<\/dt><dd>rows that are written together/);
    expect(page).toMatch(/<td data-label="Encoding" title="[A-Z]+: /);
    expect(page).toMatch(/Of 1,000 of 5,000 rows|Of 1,000 of <b>/);
  });
});
