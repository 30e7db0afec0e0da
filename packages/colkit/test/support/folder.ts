// A folder of its own for the files of one test file, removed afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function temporaryFolder(): { readonly root: string; path(name: string): string } {
  const root = mkdtempSync(join(tmpdir(), 'colkit-test-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return { root, path: (name) => join(root, name) };
}
