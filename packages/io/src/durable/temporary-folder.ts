// A folder for files that a process needs for a while, such as the rows of one form on their way to another.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IoError } from '../errors/errors.ts';
import { messageOf } from '../errors/system-error.ts';
import { unfinished } from './unfinished.ts';

export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** Removes the folder and what is in it. Idempotent. */
  [Symbol.dispose](): void;
}

/**
 * A new, empty one. `removeUnfinished` removes it, too, where the process ends before it is disposed of.
 * @throws IoError ERR_WRITE where none can be made.
 */
export function temporaryFolder(prefix: string): TemporaryFolder {
  const path = makeIn(tmpdir(), prefix);
  unfinished.folders.add(path);
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true });
      unfinished.folders.delete(path);
    },
  };
}

function makeIn(folder: string, prefix: string): string {
  try {
    return mkdtempSync(join(folder, prefix));
  } catch (error) {
    const remedy = 'temporary files need a folder to write to; TMPDIR (TEMP on Windows) names it';
    throw new IoError('ERR_WRITE', 'create', folder, `${messageOf(error)}; ${remedy}`, error);
  }
}
