// What this process would leave behind where it ends in the middle of its work.
import { rmSync } from 'node:fs';
import { runSync, contextOf } from '../effects/run.ts';
import type { FileLock } from './file-lock.ts';
import { SYSTEM_FILES } from './system-files.ts';

export const unfinished = {
  /** Paths of temporary files that have not taken their target's name. */
  files: new Set<string>(),
  /** Locks of paths where nothing but such a file is written. */
  locks: new Set<FileLock>(),
  /** Paths of folders whose files are needed for a while. */
  folders: new Set<string>(),
};

/**
 * For a process that is about to end: else its temporary files and locks stay until the next write of the targets, and
 * its temporary folders for ever.
 */
export function removeUnfinished(): void {
  for (const path of unfinished.files) {
    try {
      SYSTEM_FILES.runSync({ kind: 'unlink', path });
    } catch {
      // It has just been given its name, or cannot be removed.
    }
  }
  for (const path of unfinished.folders) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Files of it are open, on Windows.
    }
  }
  // What is under way gives none of these files a name any more: whoever comes next has the path.
  for (const lock of unfinished.locks) runSync(lock.release(), contextOf({ operations: SYSTEM_FILES }));
}
