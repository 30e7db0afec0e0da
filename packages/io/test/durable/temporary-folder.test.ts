// Temporary folders: gone with what disposes of them, or with the process.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeUnfinished, temporaryFolder } from '../../src/durable.ts';

it('is there until it is disposed of, with what is in it', () => {
  const folder = temporaryFolder('colkit-test-');
  writeFileSync(join(folder.path, 'a'), 'x');
  folder[Symbol.dispose]();
  expect(existsSync(folder.path)).toBe(false);
  folder[Symbol.dispose]();
});

it('goes with the process', () => {
  const folder = temporaryFolder('colkit-test-');
  writeFileSync(join(folder.path, 'a'), 'x');
  removeUnfinished();
  expect(existsSync(folder.path)).toBe(false);
});
