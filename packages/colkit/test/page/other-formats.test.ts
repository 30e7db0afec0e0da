// Pages about .cstore and .syr files: the layout of records, columns and files, values, lengths of items; escaped,
// small and with nothing from elsewhere, whatever is in the file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { create, info, open, write } from 'colstore';
import { typed } from 'columna';
import { chromiumPath, launchChromium } from '@colkit/testkit/browser';
import { createSync, open as openItems } from 'syrah';
import { describe, expect, it } from 'vitest';
import { itemsPage } from '../../src/page/items-page.ts';
import { recordsPage } from '../../src/page/records-page.ts';
import { temporaryFolder } from '../support/folder.ts';
import { pageScript } from '../support/page.ts';
import { processes, run } from '../support/run.ts';

const folder = temporaryFolder();
const EVIL = '</script><script>alert(1)</script>\u202e';
const ROWS = 3000;

const columns = () => ({
  id: Int32Array.from({ length: ROWS }, (_, row) => row),
  price: Float64Array.from({ length: ROWS }, (_, row) => row / 4),
  [EVIL]: typed(
    'U40',
    Array.from({ length: ROWS }, (_, row) => (row % 2 === 0 ? EVIL : '"b"')),
  ),
});

async function recordFile(name: string): Promise<string> {
  const path = folder.path(name);
  const writer = await create(path, { statistics: true });
  for (let record = 0; record < 30; record++)
    await writer.write({
      id: Int32Array.from({ length: 100 }, (_, row) => 100 * record + row),
      x: new Float32Array(100),
    });
  await writer.close();
  return path;
}

async function pageOf(path: string, name = 'name'): Promise<string> {
  if (path.endsWith('.syr')) {
    using file = await openItems(path);
    return await itemsPage(file, name, await pageScript());
  }
  await using table = await open(path);
  return await recordsPage(table, await info(path), name, await pageScript());
}

function requireSafe(page: string): void {
  expect(page).not.toMatch(/https?:\/\/|@import|url\(|<link(?! rel="icon" href="data:,")|<img|<iframe| src=/);
  expect(page).not.toContain('<script>alert');
  expect(page).not.toContain('\u202e');
  expect(page.length).toBeLessThan(400_000);
}

describe('a .cstore file', () => {
  it('flat: a part for each column to scale, values, a predicate, first rows', async () => {
    const path = folder.path('flat.cstore');
    await write(path, columns(), { layout: 'flat' });
    const page = await pageOf(path, EVIL);
    requireSafe(page);
    const { byteLength, dataOffset } = await info(path);
    for (const bytes of [dataOffset, 4 * ROWS, 8 * ROWS, 160 * ROWS])
      expect(page).toContain(`: ${bytes.toLocaleString('en')} bytes"`);
    const widths = [...page.matchAll(/<span class="part [^"]*" style="width:([\d.e-]+)%"/g)].map(([, width]) =>
      Number(width),
    );
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(100, 3);
    expect(page).toContain(`(${byteLength.toLocaleString('en')} bytes)`);
    expect(page).toContain('Histogram of price from 0 to 749.75');
    expect(page).toContain('id="embedded-sample"');
  });

  it('records: what they say of themselves, and of each row its columns', async () => {
    const page = await pageOf(await recordFile('records.cstore'));
    requireSafe(page);
    expect(page).toContain('values of 30 records');
    expect(page).toContain('Of each row, column by column in every record');
    expect(page).toMatch(/<td>0 … 99<\/td>/);
    expect(page).toContain('10 more records');
    expect(page).toContain('<dt>record</dt>');
  });

  it('several files are one page', async () => {
    mkdirSync(folder.path('shards'));
    await write(folder.path('shards/shard_0.cstore'), { id: Int32Array.of(1, 2) });
    await write(folder.path('shards/shard_1.cstore'), { id: Int32Array.of(3) });
    const pattern = folder.path('shards/shard_*.cstore');
    const page = await pageOf(pattern);
    expect(page).toContain('shard_0.cstore: 2 rows');
    expect(page).toContain('2 files as one table');
  });

  it('by the command', processes, async () => {
    for (const [from, to] of [
      [folder.path('shards/shard_*.cstore'), 'shards.html'],
      [folder.path('records.cstore'), 'records.html'],
    ] as const) {
      expect(await run('inspect', from, '--html', folder.path(to))).toMatchObject({ code: 0 });
      requireSafe(readFileSync(folder.path(to), 'utf8'));
    }
  });

  it('without rows', async () => {
    const path = folder.path('empty.cstore');
    await write(path, { id: new Int32Array(0) });
    expect(await pageOf(path)).toContain('The table has no rows.');
  });
});

describe('a .syr file', () => {
  it('how long the arrays of each key are, and the first items', async () => {
    const path = folder.path('items.syr');
    const writer = createSync(path);
    for (let item = 0; item < 200; item++)
      writer.addItemSync({
        values: Float32Array.from({ length: item }, (_, at) => at),
        label: Int32Array.of(item),
        text: item % 2 === 0 ? EVIL : 'b',
      });
    writer.closeSync();
    const page = await pageOf(path);
    requireSafe(page);
    expect(page).toContain('Histogram of values from 0 to 199');
    expect(page).toContain('arrays of 200 items');
    expect(page).toMatch(/<td>\[0, 1, 2\]<\/td>/);
    expect(page).toContain('[0, 1, 2, 3, 4, 5, 6, 7, … 9 in all]');
    expect(page).toContain('Of all <b>200</b> items');
  });
});

const path = chromiumPath();
it.skipIf(path === null || process.env['COLKIT_BACKEND'] !== 'js')(
  'in Chromium the predicate runs on the sample',
  async () => {
    const browser = await launchChromium(path!);
    try {
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      for (const name of ['records.cstore', 'items.syr']) {
        const file = folder.path(`${name}.html`);
        writeFileSync(file, await pageOf(folder.path(name)));
        await page.goto(pathToFileURL(file).href);
        if (name === 'items.syr') continue;
        await page.fill('#predicate', 'id between 100 and 104');
        const sample = JSON.parse((await page.locator('#embedded-sample').textContent())!) as { rows: number[] };
        const matching = sample.rows.filter((row) => row >= 100 && row <= 104).length;
        expect(await page.locator('#predicate-matches').getAttribute('data-matches')).toBe(String(matching));
        await page.fill('#predicate', 'idd > 1');
        expect(await page.locator('#predicate-error').textContent()).toContain('did you mean id');
      }
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);
