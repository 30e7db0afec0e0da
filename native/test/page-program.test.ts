// One table says what TypeScript and C++ agree on: the files that are generated from it are what the generator writes.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the generated constants are those of the table', () => {
  const script = fileURLToPath(new URL('../scripts/generate-page-program.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
