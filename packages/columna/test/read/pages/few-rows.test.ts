// Few rows of many pages of texts: what a fetch takes into memory is counted by these rows, so that all pages are asked
// for at once, and the threads of the addon have more than one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { open } from '../../../src/index.ts';
import { PageJobs } from '../../../src/read/pages/jobs/page-jobs.ts';
import { writeTable } from '../../support/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-few-'));
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true }));

const PAGES = 16;
const PAGE_ROWS = 4096;
const random = createRandom(7);
const texts = Array.from({ length: PAGES * PAGE_ROWS }, () =>
  Array.from({ length: 12 }, () => random.integer(2 ** 31).toString(36)).join(' '),
);

it.skipIf(process.env['COLKIT_BACKEND'] === 'js')('are decoded in one call, whole pages in many', async () => {
  const path = join(folder, 'texts.cna');
  const { bytes } = writeTable([{ name: 't', type: 'string', values: texts }], {
    mode: 'fast',
    pageRows: PAGE_ROWS,
    rowGroupRows: PAGES * PAGE_ROWS,
  });
  writeFileSync(path, bytes);
  await using table = await open(path);
  const operation = vi.spyOn(PageJobs.prototype, 'operation');
  const rows = Array.from({ length: PAGES }, (_, page) => page * PAGE_ROWS + ((page * 997) % PAGE_ROWS));
  expect(await table.take(rows).toColumns()).toEqual({ t: rows.map((row) => texts[row]) });
  const calls = operation.mock.calls.length;
  operation.mockClear();
  expect((await table.toColumns())['t']).toEqual(texts);
  expect(operation.mock.calls.length).toBeGreaterThan(3);
  expect(calls).toBeLessThan(3);
});
