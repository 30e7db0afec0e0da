// A folder for files that a process needs for a while, such as the rows of one form on their way to another.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unfinished } from './unfinished.ts';

export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** Removes the folder and what is in it. Idempotent. */
  [Symbol.dispose](): void;
}

/** A new, empty one. `removeUnfinished` removes it, too, where the process ends before it is disposed of. */
export function temporaryFolder(prefix: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), prefix));
  unfinished.folders.add(path);
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true });
      unfinished.folders.delete(path);
    },
  };
}
