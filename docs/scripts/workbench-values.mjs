// Values that the workbench could show wrong: with all their digits, and nested ones.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ids, months } from './odd-files.mjs';

export const WAIT = 60_000;

export async function firstRow(page) {
  await page.waitForFunction(
    () => {
      const row = document.querySelector('[data-row="0"]');
      return row !== null && !row.textContent.includes('…');
    },
    null,
    { timeout: WAIT },
  );
  return page
    .locator('[data-row="0"] td')
    .allTextContents()
    .then((cells) => cells.map((cell) => cell.trim()));
}

export async function exactValues(page) {
  const group = async (operation, of) => {
    await page.selectOption('.wb-group select >> nth=0', operation);
    await page.selectOption('.wb-group select >> nth=1', of);
    await page.click('.wb-group button[type=submit]');
    await page.waitForFunction(
      (title) => document.querySelector('details thead')?.textContent?.includes(title),
      `${operation} of ${of}`,
      { timeout: WAIT },
    );
    return page.locator('details tbody tr').evaluateAll((rows) => rows.map(({ cells }) => cells[1].textContent));
  };
  const lines = ['a,9007199254740993,,x,NaN', 'a,0,,y,1', 'b,1,-4,z,inf', 'b,2,5,w,2'];
  const buffer = Buffer.from(`name,big,few,word,open\n${lines.join('\n')}\n`);
  await page.setInputFiles('.wb-file-input', { name: 'exact.csv', mimeType: 'text/csv', buffer });
  await firstRow(page);
  await page.click('#tab-groups');
  assert.deepEqual(await group('sum', 'big'), ['9007199254740993', '3']);
  assert.deepEqual(await group('max', 'few'), ['5', 'null']);
  assert.deepEqual(await group('max', 'word'), ['z', 'y']);
  // An answer keeps the title of its question, and goes where the next one fails.
  await page.selectOption('.wb-group select >> nth=0', 'sum');
  assert.match(await page.locator('details thead').textContent(), /max of word/);
  await page.click('.wb-group button[type=submit]');
  await page.waitForSelector('.wb-error', { timeout: WAIT });
  assert.equal(await page.locator('details thead').count(), 0);
  await page.click('#tab-columns');
  await page.locator('[data-column=open]').scrollIntoViewIfNeeded();
  await page.waitForSelector('[data-column=open] .wb-facts', { timeout: WAIT });
  assert.match(await page.locator('[data-column=open] .wb-facts').innerText(), /some values are infinite/);
  const far = Buffer.from('{"far":-1e308}\n{"far":1e308}\n');
  await page.setInputFiles('.wb-file-input', { name: 'far.jsonl', mimeType: '', buffer: far });
  await page.waitForFunction(() => document.querySelector('.wb-head h2')?.textContent === 'far.jsonl');
  await page.click('#tab-columns');
  await page.waitForSelector('[data-column=far] .wb-facts', { timeout: WAIT });
  assert.match(await page.locator('[data-column=far] .wb-facts').innerText(), /further apart than the largest number/);

  await page.setInputFiles('.wb-file-input', { name: 'months.cstore', mimeType: '', buffer: await months() });
  await page.click('#tab-columns');
  await page.waitForSelector('[data-column=month] svg', { timeout: WAIT });
  assert.match(await page.locator('[data-column=month] .wb-facts').innerText(), /^1970-02 to 2000-06 ·/);
  assert.match(await page.locator('[data-column=fine] .wb-facts').innerText(), /^1970-01-01T00:00:00\.000001Z to /);

  await page.setInputFiles('.wb-file-input', { name: 'ids.syr', mimeType: '', buffer: await ids() });
  await page.waitForSelector('.wb-items dd', { timeout: WAIT });
  const texts = await page.locator('.wb-items dd').allInnerTexts();
  assert.deepEqual(texts, ['9007199254740993', '1, 2.5', `${'x'.repeat(500)}…`]);
}

/** Parquet, Arrow and JSON show them as text. */
export async function nestedValues(page) {
  for (const name of ['nested.parquet', 'nested.arrow']) {
    const buffer = readFileSync(new URL(`../../packages/colkit/test/tables/golden/${name}`, import.meta.url));
    await page.setInputFiles('.wb-file-input', { name, mimeType: '', buffer });
    await page.waitForFunction((title) => document.querySelector('.wb-head h2')?.textContent === title, name);
    const shown = ['[1,2]', '{"a":1,"b":"x\\"\\n"}', '{"k":1,"__proto__":5,"2":3,"":4}'];
    assert.deepEqual((await firstRow(page)).slice(0, 3), shown, name);
  }
  const buffer = Buffer.from('{"tags":["a","b"],"n":1}\n{"tags":[],"n":2}\n');
  await page.setInputFiles('.wb-file-input', { name: 'nested.jsonl', mimeType: '', buffer });
  await page.waitForFunction(() => document.querySelector('.wb-head h2')?.textContent === 'nested.jsonl');
  assert.deepEqual(await firstRow(page), ['["a","b"]', '1']);
}
