// The inspector's page as text: self-contained, escaped, of a reasonable size whatever the file.
import { describe, expect, it } from 'vitest';
import { PAGE_LIMITS } from '../../src/page/page-model.ts';
import { pageOf } from '../support/page.ts';
import { orderTable, writeTable } from '../support/table.ts';

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
    expect(page.match(/<script/g)!.length).toBe(2);
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
