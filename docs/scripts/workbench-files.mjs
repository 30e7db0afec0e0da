// The workbench where the browser writes to no file of its own, where a file changes after it was picked, and where a
// policy of the host forbids workers.
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySink, write } from 'colstore';
import { WAIT, firstRow } from './workbench-values.mjs';

/** As Safari before 26: what is imported and converted is held in memory. */
export async function withoutWritableFiles(page, context) {
  await context.route(/\/assets\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const body = `delete FileSystemFileHandle.prototype.createWritable;${await response.text()}`;
    await route.fulfill({ response, body });
  });
  await page.reload();
  await page.waitForSelector('.workbench[data-ready=true]', { timeout: WAIT });
  const buffer = Buffer.from('a,b\n1,x\n2,y\n');
  await page.setInputFiles('.wb-file-input', { name: 'own.csv', mimeType: 'text/csv', buffer });
  await page.waitForSelector('[data-row="0"], .wb-error', { timeout: WAIT });
  assert.deepEqual(await page.locator('.wb-error').allTextContents(), []);
  assert.deepEqual(await firstRow(page), ['1', 'x']);
  await page.click('#tab-convert');
  await page.selectOption('.wb-group select', 'parquet');
  await page.click('.wb-group button[type=submit]');
  await page.waitForSelector('.wb-results a[download="own.parquet"]', { timeout: WAIT });
}

/** The error names the file. */
export async function changedFile(page) {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-workbench-'));
  try {
    const path = join(folder, 'changed.cstore');
    const sink = new MemorySink();
    await write(sink, { a: new Float64Array(100_000) });
    writeFileSync(path, sink.bytes());
    await page.setInputFiles('.wb-file-input', path);
    await firstRow(page);
    appendFileSync(path, 'more');
    await page.fill('#wb-jump', '90000');
    await page.click('.wb-jump button[type=submit]');
    await page.waitForSelector('.wb-error', { timeout: WAIT });
    assert.match(await page.locator('.wb-error').first().innerText(), /changed\.cstore: /);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file is not waited for that nobody opens. */
export async function withoutWorker(page, context) {
  await context.route(/\/workbench$/, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-security-policy': "worker-src 'none'" };
    await route.fulfill({ response, headers });
  });
  await page.reload();
  await page.waitForSelector('.wb-error', { timeout: WAIT });
  await page.setInputFiles('.wb-file-input', { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a\n1\n') });
  const told = () => document.querySelector('.wb-error')?.textContent === 'the worker could not be loaded';
  await page.waitForFunction(told, null, { timeout: WAIT });
  assert.equal(await page.locator('.wb-busy').count(), 0);
}
