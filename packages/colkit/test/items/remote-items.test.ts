// Items of a file on a server: many of them come with one request, whatever is done with them.
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createSync } from 'syrah';
import { objectServer } from '@colkit/testkit/object-server';
import { temporaryFolder } from '../support/folder.ts';
import { linesOf as run } from '../support/run.ts';

const COUNT = 3000;
const LARGE = 6;
const folder = temporaryFolder();
const server = await objectServer();

/** Many small items, and behind them some of a megabyte. */
const path = folder.path('items.syr');
const writer = createSync(path, { durability: 'none' });
for (let i = 0; i < COUNT; i += 1) writer.addItemSync({ label: Int32Array.of(i), name: `n${String(i)}` });
writer.closeSync();
const largePath = folder.path('large.syr');
const largeWriter = createSync(largePath, { durability: 'none' });
for (let i = 0; i < LARGE; i += 1)
  largeWriter.addItemSync({ label: Int32Array.of(i), name: 'x'.repeat(i === 2 ? 6_000_000 : 1_000_000) });
largeWriter.closeSync();
server.objects.set('items.syr', readFileSync(path));
server.objects.set('large.syr', readFileSync(largePath));

afterAll(() => server.close());

async function requestsOf(...words: readonly string[]): Promise<number> {
  server.ranges.length = 0;
  expect(await run(...words)).toMatchObject({ code: 0 });
  return server.ranges.length;
}

test.each(['csv', 'jsonl', 'cna', 'syr', 'parquet'])('to %s', async (form) => {
  const [there, here] = [folder.path(`there.${form}`), folder.path(`here.${form}`)];
  expect(await requestsOf('convert', server.url('items.syr'), there)).toBeLessThan(20);
  await run('convert', path, here);
  if (form === 'csv' || form === 'jsonl' || form === 'syr')
    expect(readFileSync(there).equals(readFileSync(here))).toBe(true);
  else expect(readFileSync(there).length).toBeGreaterThan(1000);
});

test('in other commands', async () => {
  const url = server.url('items.syr');
  expect(await requestsOf('verify', url)).toBeLessThan(20);
  expect(await requestsOf('diff', url, path)).toBeLessThan(20);
  expect(await requestsOf('query', url, 'label > 5', '--count')).toBeLessThan(20);
});

test('large ones do not come all at once', async () => {
  const there = folder.path('large.csv');
  expect(await requestsOf('convert', server.url('large.syr'), there)).toBeGreaterThan(3);
  await run('convert', largePath, folder.path('large-here.csv'));
  expect(readFileSync(there).equals(readFileSync(folder.path('large-here.csv')))).toBe(true);
  expect((await run('diff', server.url('large.syr'), largePath)).out).toEqual(['the same: 6 items']);
});
