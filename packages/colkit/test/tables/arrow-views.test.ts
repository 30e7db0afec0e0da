// Arrow files as Polars writes them (golden/make.py): texts as views, categories as dictionaries of views.
import { fileURLToPath } from 'node:url';
import { openSync } from 'columna';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { linesOf } from '../support/run.ts';

const { path: at } = temporaryFolder();

test('categories of Polars', async () => {
  const file = fileURLToPath(new URL('golden/polars-categorical.arrow', import.meta.url));
  const { code, notes } = await linesOf('convert', file, at('a.cna'));
  expect([code, notes]).toEqual([0, []]);
  using table = openSync(at('a.cna'));
  expect(table.toRowsSync().map((row) => ({ ...row }))).toEqual([
    { c: 'red', e: 'x', s: 'a' },
    { c: 'green', e: 'y', s: 'b' },
    { c: null, e: 'x', s: null },
    { c: 'a much longer text than twelve', e: null, s: 'a much longer text than twelve' },
    { c: 'red', e: 'y', s: 'é' },
  ]);
});
