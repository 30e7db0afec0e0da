// Arrow files as Polars writes them (golden/make.py): texts as views, categories as dictionaries of views.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeOf } from '@colkit/testkit';
import { openSync } from 'columna';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { openTable } from '../../src/convert.ts';
import { checkLengths } from '../../src/tables/arrow/batch-lengths.ts';
import { linesOf } from '../support/run.ts';

const { path: at } = temporaryFolder();

const file = fileURLToPath(new URL('golden/polars-categorical.arrow', import.meta.url));

test('categories of Polars', async () => {
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

const LONG = 'a much longer text than twelve';

async function lastTexts(bytes: Uint8Array): Promise<unknown> {
  const { table } = await openTable(bytes);
  return (await table.select('s').toColumns())['s'];
}

test.each([
  ['a buffer that there is not', 8, 7],
  ['a buffer before the first', 8, -1],
  ['a start behind the end', 12, 1 << 20],
  ['a start before the beginning', 12, -4],
  ['more bytes than there are', 0, LONG.length + 4000],
  ['fewer bytes than none', 0, -LONG.length],
])('a view of %s', async (_, at, value) => {
  const bytes = readFileSync(file);
  expect(await lastTexts(bytes)).toContain(LONG);
  const head = Buffer.from([LONG.length, 0, 0, 0, ...Buffer.from(LONG.slice(0, 4))]);
  const found: string[] = [];
  for (let view = bytes.indexOf(head); view !== -1; view = bytes.indexOf(head, view + 8)) {
    const damaged = Uint8Array.from(bytes);
    new DataView(damaged.buffer).setInt32(view + at, value, true);
    const code = await codeOf(() => lastTexts(damaged));
    // The same text is an entry of the categories, which nobody asks for.
    if (code === 'no error') expect(await lastTexts(damaged)).toContain(LONG);
    else found.push(code);
  }
  expect(new Set(found)).toEqual(new Set(['ERR_METADATA']));
});

test('what stands in the views of nulls does not matter', () => {
  const values = new Uint8Array(16 * 3).fill(0x7f).fill(0, 16, 32);
  const check = (bits: number, offset: number) => () => {
    const shape = { length: 3, offset: 0, nullCount: 0, type: { typeId: 13 }, children: [] };
    const column = { ...shape, type: { typeId: 24 }, offset, nullCount: 2, values, nullBitmap: Uint8Array.of(bits) };
    checkLengths({ schema: { fields: [{ name: 's' }] }, data: { ...shape, children: [column] } });
  };
  expect(check(0b010, 0)).not.toThrow();
  expect(check(0b100, 1)).not.toThrow();
  expect(check(0b001, 0)).toThrow('a view of');
  expect(check(0b010, 1)).toThrow('a view of');
});
