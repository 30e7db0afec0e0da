// An empty folder for every test of a file; all of them are gone when the file is done.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** To be called once in a test file. @returns a maker of folders; `path` is a name for a .cna file in the new one. */
export function newFolders(name: string): () => { folder: string; path: string } {
  const root = mkdtempSync(join(tmpdir(), `columna-${name}-`));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return () => {
    const folder = mkdtempSync(join(root, 'test-'));
    return { folder, path: join(folder, 'data.cna') };
  };
}
