// Room for the texts of a page is learned from pages that had not enough. One whose texts are much longer than its
// bytes does not keep the addon from the others.
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Table as ArrowTable } from 'apache-arrow';
import { createRandom } from '@colkit/testkit';
import { open, writeSync } from '../../../src/index.ts';
import { PageJobs } from '../../../src/read/pages/jobs/page-jobs.ts';
import { newFolders } from '../../support/new-folders.ts';

const { folder } = newFolders('text-room')();

const random = createRandom(8);
const letters = (count: number): string =>
  String.fromCharCode(...Array.from({ length: count }, () => 33 + random.integer(90)));
const PHRASES = Array.from({ length: 50 }, () => letters(60));
const rows = <T>(count: number, value: (row: number) => T): T[] =>
  Array.from({ length: count }, (_, row) => value(row));

const TABLES = {
  // All pages alike: from the second read on they have room at once.
  'texts of phrases': {
    texts: rows(20_000, () => rows(6, () => random.pick(PHRASES)).join('')),
    pageRows: 5000,
    reads: [8, 4, 4],
  },
  // Beside texts with nothing to compress in them; the page is decoded once more each time.
  'a page of one text': {
    texts: rows(240_000, (row) => (row < 60_000 ? 'a text, again and again '.repeat(5) : letters(20))),
    pageRows: 60_000,
    reads: [5, 5, 5],
  },
} as const;

it.skipIf(process.env['COLKIT_BACKEND'] === 'js').each(Object.entries(TABLES))('%s', async (name, table) => {
  const { texts, pageRows, reads } = table;
  const path = join(folder, `${name}.cna`);
  writeSync(path, { t: texts }, { encodings: { t: 'ONPAIR' }, pageRows });
  using opened = await open(path);
  const spy = vi.spyOn(PageJobs.prototype, 'addTexts');
  const counts: number[] = [];
  for (let read = 0; read < reads.length; read++) {
    spy.mockClear();
    const arrow = await opened.toArrow<ArrowTable>();
    expect([...(arrow.getChild('t') ?? [])]).toEqual(texts);
    counts.push(spy.mock.calls.length);
  }
  spy.mockRestore();
  expect(counts).toEqual(reads);
});
