// Texts of another width than the column's: what holds them takes them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '@colkit/testkit';
import { afterAll, expect, test } from 'vitest';
import { append, create, open, typed, write } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-widths-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('narrower texts go into wider columns, in a file of records and in a folder', async () => {
  const path = join(folder, 'log.cstore');
  const writer = await create(path);
  await writer.write({ t: typed('U4', ['abcd']), b: typed('S3', ['xyz']) });
  await writer.write({ t: typed('U2', ['é']), b: typed('S1', ['w']) });
  await writer.write({ t: typed('S2', [Uint8Array.of(0xe9, 0xea)]), b: typed('S3', ['']) });
  const wider = { t: typed('U5', ['a']), b: typed('S3', ['']) };
  expect(await codeOf(() => writer.write(wider))).toBe('ERR_SCHEMA');
  expect(await codeOf(() => writer.write({ ...wider, t: typed('U1', ['a']), b: typed('U3', ['']) }))).toBe(
    'ERR_SCHEMA',
  );
  await writer.close();
  expect(await (await open(path)).toRows()).toEqual([
    { t: 'abcd', b: 'xyz' },
    { t: 'é', b: 'w' },
    { t: 'éê', b: '' },
  ]);
  await append(join(folder, 'shards'), { t: typed('U4', ['abcd']) });
  await append(join(folder, 'shards'), { t: typed('U2', ['ab']) });
  expect(await (await open(join(folder, 'shards'))).column('t').toArray()).toEqual(['abcd', 'ab']);
});

test('options are those of the call', async () => {
  const path = join(folder, 'options.cstore');
  await write(path, { n: Int32Array.of(1) });
  const options = { overwrite: false };
  const refused = write(path, { n: Int32Array.of(2) }, options);
  options.overwrite = true;
  expect(await codeOf(() => refused)).toBe('ERR_EXISTS');
});
