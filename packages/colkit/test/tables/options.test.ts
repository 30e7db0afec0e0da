// The functions of colkit/convert and colkit/inspect: names, options, odd arguments and remedies.
import { functionsWithOptions } from '@colkit/testkit/functions-with-options';
import { misunderstood } from '@colkit/testkit/odd-arguments';
import { acceptedOptions } from '@colkit/testkit/refused-options';
import type { CallWithOptions } from '@colkit/testkit/refused-options';
import { followed } from '@colkit/testkit/remedies';
import { open, openSync, readSync, typed, writeSync } from 'columna';
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as page from '../../src/page/inspect-html.ts';
import * as exchange from '../../src/convert.ts';
import { fromParquet, identify, openTable, toCsv, writeTable } from '../../src/convert.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
const path = folder.path('table.cna');
const target = folder.path('new');
const golden = (name: string): string => fileURLToPath(new URL(`golden/${name}`, import.meta.url));
writeSync(path, { n: Int32Array.of(1), b: typed('binary', [Uint8Array.of(1)]) });

const CALLS: Readonly<Record<string, CallWithOptions>> = {
  fromParquet: (options) => fromParquet(path, target, options),
  identify: (options) => identify(path, options),
  inspectHtml: (options) => page.inspectHtml(path, options),
  openTable: (options) => openTable(path, options),
  toCsv: (options) => toCsv(path, target, options),
  toParquet: (options) => exchange.toParquet(path, target, options),
  writeTable: async (options) => writeTable(await open(path), 'cna', undefined, options),
};

test('these are all functions, and each takes options', () => {
  const names = ['../../src/convert.ts', '../../src/page/inspect-html.ts'].flatMap((file) =>
    functionsWithOptions(new URL(file, import.meta.url)),
  );
  expect(names.sort()).toEqual(Object.keys(CALLS));
  expect([...Object.keys(exchange), ...Object.keys(page)].sort()).toEqual(Object.keys(CALLS));
});

test.each(Object.entries(CALLS))('%s', async (_, call) => {
  expect(await acceptedOptions(call)).toEqual([]);
});

test('odd arguments of toCsv', async () => {
  mkdirSync(folder.path('odd'));
  const inFolder = (odd: unknown): never => (typeof odd === 'string' ? folder.path(`odd/${odd}`) : odd) as never;
  const overwrite = { overwrite: true, columns: ['n'] };
  const said = ['no such file', 'a .cna file'];
  expect(await misunderstood([(odd) => toCsv(inFolder(odd), target, overwrite), []], said)).toEqual([]);
  expect(await misunderstood([(odd) => toCsv(path, inFolder(odd), overwrite), ['text']], said)).toEqual([]);
});

test('a Parquet column without a type here', async () => {
  const [to, chosen] = [folder.path('chosen.cna'), ['utc', 'local']];
  expect(
    await followed({
      says: 'choose other columns with { columns }: utc,local,',
      fails: () => fromParquet(golden('types.parquet'), to),
      helps: async () => (await fromParquet(golden('types.parquet'), to, { columns: chosen })).rowCount,
    }),
  ).toBe(2);
  expect(Object.keys(readSync(to))).toEqual(chosen);
});

test('a Parquet value that no column holds', async () => {
  const to = folder.path('ticks.cna');
  expect(
    await followed({
      says: '(choose other columns with { columns })',
      fails: () => fromParquet(golden('nanoseconds.parquet'), to),
      helps: async () => (await fromParquet(golden('nanoseconds.parquet'), to, { columns: ['n'] })).rowCount,
    }),
  ).toBe(1);
});

test('binary values as text; Arrow has a type for them', async () => {
  expect(
    await followed({
      says: 'which has no form as text; drop() it',
      fails: () => toCsv(path, folder.path('all.csv')),
      helps: async () => {
        const to = folder.path('without.csv');
        await toCsv((await open(path)).drop('b'), to);
        return readFileSync(to, 'utf8');
      },
    }),
  ).toMatch(/^n\r?\n1\r?\n$/);
  expect((await openSync(path).toArrow()).numRows).toBe(1);
});
