// The workbench of the built site as a person uses it, in Chromium: the flights over HTTP ranges, a file that is
// dropped, without network, from the keyboard, at phone width, light and dark. What a first view and a filter read is
// bounded here.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumPath, launch, serveSite } from './served-site.mjs';
import { changedFile, withoutWorker, withoutWritableFiles } from './workbench-files.mjs';
import { WAIT, exactValues, firstRow, nestedValues } from './workbench-values.mjs';

const DATA = fileURLToPath(new URL('../.vitepress/dist/data', import.meta.url));
const FLIGHTS = statSync(join(DATA, 'flights.cna')).size;
/** Bytes of the flights' file for the schema and the first rows. */
const FIRST_VIEW = 0.12 * FLIGHTS;
/** For two of five columns. */
const FILTER = 0.6 * FLIGHTS;

if (chromiumPath() === null) {
  console.log('workbench: no Chromium here (CHROMIUM names one), not looked at');
  process.exit(0);
}

const site = await serveSite();
const browser = await launch();
const failures = [];
try {
  await scene('flights over HTTP ranges', { width: 1280 }, flights);
  await scene('files of the reader, each form there and back', { width: 1280 }, ownFiles);
  await scene('without network', { width: 1280 }, withoutNetwork);
  await scene('a link', { width: 1280 }, linked);
  await scene('from the keyboard', { width: 1280 }, fromKeyboard);
  await scene('a wide table', { width: 1280 }, wideTable);
  await scene('items', { width: 1280 }, items);
  await scene('errors', { width: 1280 }, errors);
  await scene('addresses that are none', { width: 1280 }, addresses);
  await scene('values with all their digits', { width: 1280 }, exactValues);
  await scene('lists, structs and maps', { width: 1280 }, nestedValues);
  await scene('a browser that writes to no file', { width: 1280 }, withoutWritableFiles);
  await scene('a file that changes', { width: 1280 }, changedFile);
  await scene('a host that forbids workers', { width: 1280 }, withoutWorker);
  for (const colorScheme of ['light', 'dark']) await scene(`phone, ${colorScheme}`, { width: 390, colorScheme }, phone);
} finally {
  await browser.close();
  site.close();
}
if (failures.length > 0) process.exit(1);

async function scene(name, { width, colorScheme = 'light' }, play) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  const start = Date.now();
  try {
    await page.goto(`${site.address}/workbench`);
    await page.waitForSelector('.workbench[data-ready=true]', { timeout: WAIT });
    await play(page, context);
    assert.deepEqual(faults, []);
    console.log(`workbench: ${name}, ${Date.now() - start} ms`);
  } catch (error) {
    failures.push(name);
    console.error(`workbench: ${name}: ${error.message}`, await page.locator('.wb-error').allTextContents());
  } finally {
    await context.close();
  }
}

async function openSample(page, name) {
  await page.click(`[data-sample="${name}"]`);
  await page.waitForFunction((title) => document.querySelector('.wb-head h2')?.textContent === title, name, {
    timeout: WAIT,
  });
}

function bytesAsked(name) {
  return site.requests
    .filter(({ path }) => path.endsWith(name))
    .reduce((sum, { range }) => {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
      return sum + (from === undefined ? 0 : Number(to) - Number(from) + 1);
    }, 0);
}

async function filter(page, where) {
  await page.fill('#wb-where', where);
  await page.press('#wb-where', 'Enter');
  await page.waitForSelector('[data-cost=filter]', { timeout: WAIT });
  return (await page.locator('[data-cost=filter]').innerText()).replace(/\s+/g, ' ');
}

async function flights(page) {
  site.requests.length = 0;
  await openSample(page, 'flights.cna');
  const cells = await firstRow(page);
  assert.equal(cells.length, 5);
  const first = bytesAsked('flights.cna');
  assert.ok(first > 0 && first < FIRST_VIEW, `the first view read ${first} bytes of ${FLIGHTS}`);
  assert.match(await page.locator('.wb-head').innerText(), /3,000,000 rows of 5 columns/);
  const answer = await filter(page, "delay > 120 and origin == 'ORD'");
  assert.match(answer, /^3,679 rows match, [\d.]+ MB of 13\.\d MB read in \d+ requests?/);
  const asked = bytesAsked('flights.cna') - first;
  assert.ok(asked < FILTER, `the filter read ${asked} bytes of ${FLIGHTS}`);
  assert.ok((await firstRow(page)).includes('ORD'));
  await page.click('#tab-groups');
  await page.selectOption('.wb-group select >> nth=-1', 'destination');
  await page.click('.wb-group button[type=submit]');
  await page.waitForSelector('.wb-chart svg', { timeout: WAIT });
  assert.match(await page.locator('[data-cost=group]').innerText(), /110 groups/);
  await page.click('#tab-columns');
  await page.waitForSelector('[data-column=delay] svg', { timeout: WAIT });
  assert.match(await page.locator('[data-column=delay] .wb-facts').innerText(), /121 to \d+ · 3,679 values/);
  await page.click('#tab-bytes');
  const inspector = page.frameLocator('iframe.wb-inspector');
  await inspector.locator('body').waitFor({ timeout: WAIT });
  assert.match(await inspector.locator('body').innerText(), /delay/);
  await page.click('#tab-rows');
  await page.click('text=All rows');
  await page.waitForSelector('[data-cost=filter]', { state: 'detached', timeout: WAIT });
  await firstRow(page);
  for (const row of [1_234_567, 2_999_999]) {
    await page.fill('#wb-jump', row.toLocaleString('en'));
    await page.click('.wb-jump button[type=submit]');
    await shownRow(page, row);
  }
  // A pixel of the bar is ten rows here: the wheel still moves rows, and the keys one.
  await page.fill('#wb-jump', '1,234,567');
  await page.click('.wb-jump button[type=submit]');
  await shownRow(page, 1_234_567);
  await page.focus('.wb-rows');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('[data-row="1234568"].wb-current', { timeout: WAIT });
  await page.hover('.wb-rows');
  await page.mouse.wheel(0, 280);
  await shownRow(page, 1_234_577);
}

/** It is there, with its cells, at a place that is seen. */
function shownRow(page, row) {
  return page.waitForFunction(
    (number) => {
      const found = document.querySelector(`[data-row="${number}"]`);
      if (found === null || found.textContent.includes('…')) return false;
      const [box, view] = [found, document.querySelector('.wb-rows')].map((each) => each.getBoundingClientRect());
      return box.top >= view.top + 20 && box.bottom <= view.bottom;
    },
    row,
    { timeout: WAIT },
  );
}

/** A CSV file becomes every other form; each is opened again and has the same rows. */
async function ownFiles(page) {
  const csv = 'id,name,price,day\n1,one,1.5,2024-01-02\n2,"two, and more",,2024-01-03\n3,,2.25,2024-01-04\n';
  await page.setInputFiles('.wb-file-input', { name: 'own.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  const cells = await firstRow(page);
  assert.deepEqual(cells.slice(0, 3), ['1', 'one', '1.5']);
  for (const form of ['cna', 'parquet', 'csv', 'jsonl', 'arrow']) {
    await page.click('#tab-convert');
    await page.selectOption('.wb-group select', form);
    await page.click('.wb-group button[type=submit]');
    const link = page.locator(`.wb-results a[download$=".${form}"]`).last();
    await link.waitFor({ timeout: WAIT });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const buffer = readFileSync(await download.path());
    await page.setInputFiles('.wb-file-input', { name: `again.${form}`, mimeType: '', buffer });
    await page.waitForFunction((name) => document.querySelector('.wb-head h2')?.textContent === name, `again.${form}`);
    assert.deepEqual((await firstRow(page)).slice(0, 3), cells.slice(0, 3), form);
    assert.match(await page.locator('.wb-head').innerText(), /3 rows of 4 columns/, form);
  }
  // Of a file that was imported, too, what a question reads is told.
  const long = Array.from({ length: 200_000 }, (_, row) => `${row},${(row * 7919) % 10_007},${row % 13}`).join('\n');
  const buffer = Buffer.from(`id,mixed,few\n${long}\n`);
  await page.setInputFiles('.wb-file-input', { name: 'long.csv', mimeType: 'text/csv', buffer });
  await page.waitForFunction(() => document.querySelector('.wb-head h2')?.textContent === 'long.csv');
  await firstRow(page);
  assert.match(await filter(page, 'mixed > 10000 and few == 4'), /^12 rows match, [1-9][\d.]* kB of /);
}

async function withoutNetwork(page, context) {
  await context.setOffline(true);
  const csv = 'a,b\n1,x\n2,y\n3,x\n';
  await page.setInputFiles('.wb-file-input', { name: 'o.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await firstRow(page);
  assert.match(await filter(page, "a > 1 and b == 'x'"), /^1 row matches/);
  for (const [tab, seen] of [
    ['columns', '.wb-card svg'],
    ['bytes', 'iframe.wb-inspector'],
  ]) {
    await page.click(`#tab-${tab}`);
    await page.waitForSelector(seen, { timeout: WAIT });
  }
  await page.click('#tab-groups');
  await page.click('.wb-group button[type=submit]');
  await page.waitForSelector('.wb-chart svg', { timeout: WAIT });
  await page.click('#tab-convert');
  await page.selectOption('.wb-group select', 'parquet');
  await page.click('.wb-group button[type=submit]');
  await page.waitForSelector('.wb-results a', { timeout: WAIT });
  for (const [name, seen] of [
    ['weather.cstore', '[data-row="0"] td'],
    ['digits.syr', '.wb-items canvas'],
  ]) {
    const buffer = readFileSync(join(DATA, name));
    await page.setInputFiles('.wb-file-input', { name, mimeType: '', buffer });
    await page.waitForSelector(seen, { timeout: WAIT });
    await page.click('#tab-bytes');
    await page.waitForFunction((title) => document.querySelector('iframe')?.title === `The bytes of ${title}`, name);
    assert.deepEqual(await page.locator('.wb-error').allTextContents(), []);
  }
}

async function linked(page, context) {
  await openSample(page, 'flights.cna');
  await filter(page, 'distance > 4000');
  await page.click('#tab-groups');
  await page.click('.wb-group button[type=submit]');
  await page.waitForSelector('[data-cost=group]', { timeout: WAIT });
  const said = await page.locator('.wb-answer strong').allInnerTexts();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.waitForSelector('[data-cost=group]', { timeout: WAIT });
  await other.waitForSelector('[data-cost=filter]', { timeout: WAIT });
  assert.deepEqual(await other.locator('.wb-answer strong').allInnerTexts(), said);
}

async function fromKeyboard(page) {
  await page.focus('[data-sample="weather.cstore"]');
  await page.keyboard.press('Enter');
  await firstRow(page);
  await page.focus('#tab-rows');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'tab-columns');
  await page.keyboard.press('ArrowLeft');
  await page.focus('.wb-rows');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await page.waitForSelector('[data-row="32"].wb-current', { timeout: WAIT });
  await page.keyboard.press('Control+End');
  await page.waitForSelector('[data-row="2921"].wb-current', { timeout: WAIT });
}

async function items(page) {
  await openSample(page, 'digits.syr');
  await page.waitForSelector('.wb-items canvas', { timeout: WAIT });
  const painted = await page
    .locator('.wb-items canvas')
    .first()
    .evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return { width: canvas.width, bright: data.some((level, at) => at % 4 === 0 && level > 200) };
    });
  assert.deepEqual(painted, { width: 28, bright: true });
  // 784 values are 14 rows of 56 pixels, and no rows of 30.
  const form = page.locator('[data-form=image] input');
  const sizeOf = (canvas) => [canvas.width, canvas.height];
  await form.fill('56');
  await page.waitForFunction(() => document.querySelector('.wb-items canvas')?.width === 56, null, { timeout: WAIT });
  assert.deepEqual(await page.locator('.wb-items canvas').first().evaluate(sizeOf), [56, 14]);
  await form.fill('30');
  await page.waitForSelector('.wb-misfit', { timeout: WAIT });
  assert.match(await page.locator('.wb-misfit').first().innerText(), /^784 values are no whole rows of 30 pixels$/);
  await form.fill('');
  await page.waitForSelector('.wb-items canvas', { timeout: WAIT });
  await page.click('#tab-bytes');
  const inspector = page.frameLocator('iframe.wb-inspector');
  await inspector.locator('#layout').waitFor({ timeout: WAIT });
  assert.match(await inspector.locator('body').innerText(), /1,000 items/);
}

/** Two thousand columns: those that are seen are read and drawn. */
async function wideTable(page) {
  const names = Array.from({ length: 2000 }, (_, column) => `c${column}`);
  const lines = Array.from({ length: 60 }, (_, row) => names.map((_name, column) => row * 10_000 + column).join());
  const buffer = Buffer.from(`${names.join()}\n${lines.join('\n')}\n`);
  await page.setInputFiles('.wb-file-input', { name: 'wide.csv', mimeType: 'text/csv', buffer });
  const cells = (await firstRow(page)).filter((text) => text !== '');
  assert.deepEqual(cells.slice(0, 3), ['0', '1', '2']);
  const drawn = await page.locator('.wb-rows td').count();
  assert.ok(drawn < 500, `${drawn} cells are drawn`);
  await page.fill('#wb-column', 'C1999');
  await page.press('#wb-column', 'Enter');
  await page.waitForSelector('[data-row="3"] [aria-colindex="2001"]:text-is("31999")', { timeout: WAIT });
  assert.ok((await page.locator('.wb-rows td').count()) < 500);
}

async function errors(page) {
  await openSample(page, 'flights.cna');
  await page.fill('#wb-where', 'delya > 1');
  await page.press('#wb-where', 'Enter');
  await page.waitForSelector('.wb-error', { timeout: WAIT });
  assert.match(await page.locator('.wb-error').innerText(), /did you mean "?delay/);
  const buffer = readFileSync(join(DATA, 'flights.cna')).subarray(0, 100_000);
  await page.setInputFiles('.wb-file-input', { name: 'torn.cna', mimeType: '', buffer });
  await page.waitForFunction(() => /torn\.cna/.test(document.querySelector('.wb-error')?.textContent ?? ''), null, {
    timeout: WAIT,
  });
  // The file that was open still is; one that is closed while the next one is opened does not take that along.
  assert.match(await filter(page, 'delay > 1000'), /rows? match/);
  await page.evaluate(() => {
    const given = new DataTransfer();
    given.items.add(new File(['a\n7\n'], 'next.csv'));
    const input = document.querySelector('.wb-file-input');
    input.files = given.files;
    input.dispatchEvent(new Event('change'));
    document.querySelector('.wb-close').click();
  });
  assert.deepEqual(await firstRow(page), ['7']);
}

/** What is no address is told, in the field and in a link; one with a percent sign is opened. */
async function addresses(page, context) {
  const told = (text) =>
    page.waitForFunction((part) => document.querySelector('.wb-error')?.textContent?.includes(part), text, {
      timeout: WAIT,
    });
  for (const address of ['https://', 'ftp://host/a.csv']) {
    await page.fill('#wb-url', address);
    await page.press('#wb-url', 'Enter');
    await told(`${address} is no address`);
  }
  await page.fill('#wb-url', '/data/100%.csv');
  await page.press('#wb-url', 'Enter');
  await told('100%.csv: open: the server answers 404');
  const other = await context.newPage();
  await other.goto(`${site.address}/workbench#file=https%3A%2F%2F`);
  await other.waitForSelector('.workbench[data-ready=true]', { timeout: WAIT });
  assert.match(await other.locator('.wb-error').innerText(), /^https:\/\/ is no address/);
  // Another question of the same file is another address.
  await openSample(page, 'weather.cstore');
  await page.evaluate(() => (location.hash += '&where=wind+%3E+9'));
  await page.waitForSelector('[data-cost=filter]', { timeout: WAIT });
  assert.equal(await page.inputValue('#wb-where'), 'wind > 9');
}

async function phone(page) {
  await openSample(page, 'flights.cna');
  await firstRow(page);
  const widest = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(widest <= 390, `${widest} pixels wide`);
  for (const tab of ['columns', 'groups', 'bytes', 'convert']) {
    await page.click(`#tab-${tab}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${tab}: ${wide} pixels wide`);
  }
}
