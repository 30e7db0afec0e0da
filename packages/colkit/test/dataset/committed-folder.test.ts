// A folder that is committed to, opened or appended to as if it were a plain folder of .cstore files.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { append, appender, concat, cstoreParts, open, openSync, write } from 'colstore';
import { commit, openDataset } from 'columna';
import { afterAll, beforeAll, expect, it } from 'vitest';

const refused = { name: 'UnsupportedError', code: 'ERR_FEATURE' };
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'colkit-committed-'));
  await write(join(folder, 'a.cstore'), { x: Int32Array.of(1, 2) });
  await commit(folder, ['a.cstore'], { expected: 0, formats: [cstoreParts] });
  // Of a writer that died before its commit.
  await write(join(folder, 'b.cstore'), { x: Int32Array.of(3) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is not opened by colstore, which would count files that nobody committed', async () => {
  for (const what of [folder, `${folder}/`, pathToFileURL(folder), [join(folder, 'a.cstore'), folder]]) {
    await expect(open(what)).rejects.toMatchObject(refused);
    expect(() => openSync(what)).toThrow(/openDataset\(folder, \{ formats: \[cstoreParts\] \}\)/u);
  }
  await expect(concat([folder], { out: `${folder}.cstore` })).rejects.toMatchObject(refused);
  using dataset = await openDataset(folder, { formats: [cstoreParts] });
  expect(dataset.rowCount).toBe(2);
  // Files that are named, and patterns, are these.
  using files = await open(join(folder, '*.cstore'));
  expect(files.rowCount).toBe(3);
});

it('gets no file that none of its versions would name', async () => {
  const before = readdirSync(folder);
  await expect(append(folder, { x: Int32Array.of(4) })).rejects.toMatchObject(refused);
  await expect(appender(folder)).rejects.toMatchObject(refused);
  expect(readdirSync(folder)).toEqual(before);
});

it('is no member of a list of files', async () => {
  await expect(openDataset([folder], { formats: [cstoreParts] })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
});

it('is a plain folder again once it has no manifest', async () => {
  rmSync(join(folder, '_manifests'), { recursive: true });
  using all = await open(folder);
  expect(all.rowCount).toBe(3);
});
