// What `create` takes for a path and refuses among its options, before there is any file.
import { codeOf } from '@colkit/testkit';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { create, createSync, openSync } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
let counter = 0;
const newPath = (): string => folder.path(`c${String((counter += 1))}.syr`);
const item = (i: number): Record<string, Int32Array> => ({ label: Int32Array.of(i) });

test.each([{ align: 3 }, { align: 0 }, { align: 2 ** 20 }, { maxMetadataBytes: 2 ** 31 }, { maxMetadataBytes: 1 }])(
  '%j is refused',
  async (options) => {
    expect(await codeOf(() => create(newPath(), options))).toBe('ERR_ARGUMENT');
  },
);

test.each([{ align: '8' }, { align: NaN }, { durability: 'x' }, { durability: 'x', journal: true }])(
  '%j is refused in JavaScript',
  async (options) => {
    expect(await codeOf(() => create(newPath(), options as never))).toBe('ERR_ARGUMENT');
  },
);

test.each([true, false])('the path is text or a file URL (journal: %s)', async (journal) => {
  const path = newPath();
  const writer = await create(pathToFileURL(path), { journal });
  await writer.addItem(item(1));
  expect((await writer.close())[0]?.path).toBe(path);
  expect(openSync(path).itemCount).toBe(1);
  for (const bad of [5, null, '', 'a\0b', new URL('http://localhost/a.syr')]) {
    expect(await codeOf(() => create(bad as never, { journal }))).toBe('ERR_ARGUMENT');
    expect(await codeOf(() => createSync(bad as never, { journal }))).toBe('ERR_ARGUMENT');
  }
});

test('no such folder', async () => {
  expect(await codeOf(() => create(folder.path('none/x.syr')))).toBe('ERR_WRITE');
  expect(await codeOf(() => create(folder.path('none/x.syr'), { journal: true }))).toBe('ERR_WRITE');
});
