// Parquet files in which any byte of the footer is another one: other values, or an error that tells of the file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '@colkit/testkit';
import { afterAll, expect, test } from 'vitest';
import { openTable } from '../../src/convert.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-parquet-damage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const TOLD = ['no error', 'ERR_DTYPE', 'ERR_ENCODING', 'ERR_FEATURE', 'ERR_LIMIT', 'ERR_METADATA', 'ERR_SCHEMA'];

test('one byte of the footer', async () => {
  const bytes = readFileSync(fileURLToPath(new URL('golden/as-told-zstd.parquet', import.meta.url)));
  const path = join(folder, 'damaged.parquet');
  const end = bytes.length - 8;
  const found = new Set<string>();
  for (let at = end - bytes.readInt32LE(end); at < end; at++)
    for (const change of [0x01, 0x40, 0xff]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ change;
      writeFileSync(path, damaged);
      found.add(await codeOf(async () => (await openTable(path)).close()));
    }
  expect([...found].filter((code) => !TOLD.includes(code))).toEqual([]);
  expect(found).toContain('ERR_METADATA');
});
