// Each public function that takes options refuses those that it does not know. A new one must come here.
import { openSource } from '@colkit/io';
import { functionsWithOptions } from '@colkit/testkit/functions-with-options';
import { acceptedOptions } from '@colkit/testkit/refused-options';
import type { CallWithOptions } from '@colkit/testkit/refused-options';
import { expect, test } from 'vitest';
import * as columna from '../src/index.ts';
import { overview, pushdownFooter } from '../src/inspect/index.ts';
import { newFolders } from './support/new-folders.ts';

const { folder, path } = newFolders('options')();
const target = `${folder}/new`;
columna.writeSync(path, { x: Int32Array.of(1, 2, 3) });

const [split] = columna.openDatasetSync([path]).splitsSync() as [columna.Split];

const CALLS: Readonly<Record<string, CallWithOptions>> = {
  append: (options) => columna.append(path, { x: Int32Array.of(4) }, options),
  appendSync: (options) => columna.appendSync(path, { x: Int32Array.of(4) }, options),
  appender: (options) => columna.appender(path, options),
  appenderSync: (options) => columna.appenderSync(path, options),
  commit: (options) => columna.commit(target, [], options as never),
  create: (options) => columna.create(target, options),
  createSync: (options) => columna.createSync(target, options),
  inspect: (options) => columna.inspect(path, options),
  inspectSync: (options) => columna.inspectSync(path, options),
  'new Scan': (options) => new columna.Scan(path, options),
  open: (options) => columna.open(path, options),
  openDataset: (options) => columna.openDataset(path, options),
  openDatasetSync: (options) => columna.openDatasetSync(path, options),
  openSync: (options) => columna.openSync(path, options),
  openTask: (options) => columna.openTask({ split }, options),
  partial: (options) => columna.partial({ split, aggregates: { n: 'count' } }, options),
  read: (options) => columna.read(path, options),
  readSync: (options) => columna.readSync(path, options),
  recover: (options) => columna.recover(path, options),
  recoverSync: (options) => columna.recoverSync(path, options),
  runTask: (options) => columna.runTask({ split }, options).next(),
  scan: (options) => columna.scan(path, options),
  scanSync: (options) => columna.scanSync(path, options),
  verify: (options) => columna.verify(path, options),
  verifySync: (options) => columna.verifySync(path, options),
  write: (options) => columna.write(target, { x: [1] }, options),
  writeCsv: (options) => columna.writeCsv(new TextEncoder().encode('x\n1\n'), target, options),
  writePart: (options) => columna.writePart(folder, { x: [1] }, options),
  writeSync: (options) => columna.writeSync(target, { x: [1] }, options),
};

const OF_INSPECT: Readonly<Record<string, CallWithOptions>> = {
  overview: async (options) => overview(await openSource(path), options as never),
  pushdownFooter: (options) => pushdownFooter(path, options),
};

/** It comes from @colkit/table. */
const OF_TABLE: Readonly<Record<string, CallWithOptions>> = {
  vacuum: (options) => columna.vacuum(folder, options),
};

/** `scan` makes it, and no user. */
const INTERNAL = ['new GroupedScan'];

test('these are all functions that take options', () => {
  expect(functionsWithOptions(new URL('../src/index.ts', import.meta.url))).toEqual(
    [...Object.keys(CALLS), ...INTERNAL].sort(),
  );
  expect(functionsWithOptions(new URL('../src/inspect/index.ts', import.meta.url))).toEqual(Object.keys(OF_INSPECT));
});

test.each([...Object.entries(CALLS), ...Object.entries(OF_INSPECT), ...Object.entries(OF_TABLE)])(
  '%s',
  async (_, call) => {
    expect(await acceptedOptions(call)).toEqual([]);
  },
);

test.each<[string, () => unknown, RegExp]>([
  [
    'a misspelt columns',
    () => columna.read(path, { column: ['x'] } as never),
    /^read: unknown option "column"; did you mean "columns"\?$/,
  ],
  [
    'a misspelt where',
    () => columna.scan(path, { wehre: 'x > 1' } as never),
    /^scan: unknown option "wehre"; did you mean "where"\?$/,
  ],
  [
    'a misspelt limit',
    () => columna.open(path, { limits: { maxPageByte: 1 } } as never),
    /^open: unknown option "limits\.maxPageByte"; did you mean "limits\.maxPageBytes"\?$/,
  ],
  [
    'a misspelt overwrite',
    () => columna.write(path, { x: [1] }, { overwite: true } as never),
    /^write: unknown option "overwite"; did you mean "overwrite"\?$/,
  ],
  [
    "Python's spelling",
    () => columna.create(target, { row_group_size: 5 } as never),
    /^create: unknown option "row_group_size"; did you mean "rowGroupSize"\?$/,
  ],
  [
    'what another function takes',
    () => columna.append(path, { x: [1] }, { checkpoints: 'auto' } as never),
    /^append: unknown option "checkpoints"; did you mean "onCheckpoint"\?$/,
  ],
  [
    'columns that are a text',
    () => columna.read(path, { columns: 'x' } as never),
    /^columns: expected an array of names but found "x"$/,
  ],
  [
    'a predicate that is a function',
    () => columna.scan(path, { where: (() => true) as never }),
    /^where: expected a predicate, as an expression or text but found a function$/,
  ],
  [
    'pages of 12 rows',
    () => columna.write(target, { x: [1] }, { pageRows: 12 }),
    /^pageRows: expected a multiple of 8 in \[8, 65536\] but found 12$/,
  ],
])('%s is refused', async (_, call, text) => {
  await expect((async () => call())()).rejects.toMatchObject({
    code: 'ERR_ARGUMENT',
    message: expect.stringMatching(text) as string,
  });
});

test('headers and a fetch of the caller reach the server', async () => {
  const bytes = await (await import('node:fs/promises')).readFile(path);
  const seen: string[] = [];
  const table = await columna.open('http://example.invalid/a.cna', {
    headers: { authorization: 'Bearer x' },
    fetch: (_, init) => {
      const headers = new Headers(init?.headers);
      seen.push(headers.get('authorization') ?? '');
      return Promise.resolve(
        new Response(bytes, {
          status: 206,
          headers: { 'content-range': `bytes 0-${String(bytes.length - 1)}/${String(bytes.length)}`, etag: '"1"' },
        }),
      );
    },
  });
  expect(await table.column('x').toArray()).toEqual(Int32Array.of(1, 2, 3));
  expect(seen).toEqual(['Bearer x']);
  table.close();
});
