// Each public function that takes options refuses those that it does not know. A new one must come here.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionsWithOptions } from '@colkit/testkit/functions-with-options';
import { acceptedOptions } from '@colkit/testkit/refused-options';
import type { CallWithOptions } from '@colkit/testkit/refused-options';
import { afterAll, expect, test } from 'vitest';
import * as colstore from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-options-'));
const path = join(folder, 'table.cstore');
const grown = join(folder, 'grown');
const target = join(folder, 'new.cstore');
const columns = { x: Int32Array.of(1, 2, 3) };
const rows = [{ x: 1 }, { x: 2 }];
colstore.writeSync(path, columns);
const table = colstore.openSync(path);
const records = table.toRecordsSync();
const arrow = await table.toArrow();
afterAll(() => {
  table.close();
  rmSync(folder, { recursive: true, force: true });
});

const CALLS: Readonly<Record<string, CallWithOptions>> = {
  'ColStore.fromArrow': (options) => colstore.ColStore.fromArrow(arrow, target, options),
  'ColStore.fromArrowSync': (options) => colstore.ColStore.fromArrowSync(arrow, target, options),
  'ColStore.fromColumns': (options) => colstore.ColStore.fromColumns(columns, target, options),
  'ColStore.fromColumnsSync': (options) => colstore.ColStore.fromColumnsSync(columns, target, options),
  'ColStore.fromRecords': (options) => colstore.ColStore.fromRecords(records, target, options),
  'ColStore.fromRecordsSync': (options) => colstore.ColStore.fromRecordsSync(records, target, options),
  'ColStore.fromRows': (options) => colstore.ColStore.fromRows(rows, target, options),
  'ColStore.fromRowsSync': (options) => colstore.ColStore.fromRowsSync(rows, target, options),
  compact: (options) => colstore.compact(path, options),
  compactSync: (options) => colstore.compactSync(path, options),
  concat: (options) => colstore.concat([path], options as never),
  concatSync: (options) => colstore.concatSync([path], options as never),
  appendAll: (options) => colstore.appendAll(grown, [{ a: [1] }], options),
  appendAllSync: (options) => colstore.appendAllSync(grown, [{ a: [1] }], options),
  append: (options) => colstore.append(grown, { a: [1] }, options),
  appendSync: (options) => colstore.appendSync(grown, { a: [1] }, options),
  appender: async (options) => (await colstore.appender(grown, options)).close(),
  appenderSync: (options) => colstore.appenderSync(grown, options).closeSync(),
  create: (options) => colstore.create(target, options),
  createSync: (options) => colstore.createSync(target, options),
  info: (options) => colstore.info(path, options),
  infoSync: (options) => colstore.infoSync(path, options),
  open: (options) => colstore.open(path, options),
  openSync: (options) => colstore.openSync(path, options),
  recover: (options) => colstore.recover(path, options),
  recoverSync: (options) => colstore.recoverSync(path, options),
  recreate: (options) => colstore.recreate(path, options),
  recreateSync: (options) => colstore.recreateSync(path, options),
  schema: (options) => colstore.schema(path, options),
  schemaSync: (options) => colstore.schemaSync(path, options),
  update: (options) => colstore.update(path, options),
  updateSync: (options) => colstore.updateSync(path, options),
  upgrade: (options) => colstore.upgrade(path, options),
  upgradeSync: (options) => colstore.upgradeSync(path, options),
  verify: (options) => colstore.verify(path, options),
  verifySync: (options) => colstore.verifySync(path, options),
  write: (options) => colstore.write(target, columns, options),
  writeSync: (options) => colstore.writeSync(target, columns, options),
};

test('these are all functions that take options', () => {
  expect(functionsWithOptions(new URL('../src/index.ts', import.meta.url))).toEqual(Object.keys(CALLS).sort());
});

test.each(Object.entries(CALLS))('%s', async (_, call) => {
  expect(await acceptedOptions(call)).toEqual([]);
});

test.each<[string, () => unknown, RegExp]>([
  [
    'a misspelt verify',
    () => colstore.open(path, { verfy: true } as never),
    /^open: unknown option "verfy"; did you mean "verify"\?$/,
  ],
  [
    'a misspelt overwrite',
    () => colstore.write(target, columns, { overwite: true } as never),
    /^write: unknown option "overwite"; did you mean "overwrite"\?$/,
  ],
  [
    "Python's max_workers",
    () => colstore.open(path, { max_workers: 2 } as never),
    /^open: unknown option "max_workers"; did you mean "maxWorkers"\?$/,
  ],
])('%s is refused', async (_, call, text) => {
  await expect((async () => call())()).rejects.toMatchObject({
    code: 'ERR_ARGUMENT',
    message: expect.stringMatching(text) as string,
  });
});
