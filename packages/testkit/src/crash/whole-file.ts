// A writer of a file that appears at once is killed: the old file or the new one is there, byte for byte.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { FILE_PHASES } from './announcements.ts';
import type { FilePhase } from './announcements.ts';
import type { Death } from './crash.ts';
import { killWriter } from './writer-process.ts';
import type { Kill } from './writer-process.ts';

export interface WholeFileOptions {
  /** Writes what the writer writes as that version, to a path where nothing is. */
  readonly write: (path: string, version: number) => void;
  /** Replaces what is at the path by another file. */
  readonly replace: (path: string) => void;
  /** About how many writes of bytes a file takes. */
  readonly writes: number;
}

/** @throws Error where anything else is found. */
export async function killWholeFile(
  kill: Kill,
  { write, replace, writes }: WholeFileOptions,
): Promise<Death<FilePhase>> {
  const { mode, path } = kill;
  const version = kill.kill * 2 + 2;
  if (mode === 'overwrite') write(path, version - 1);
  const before = mode === 'overwrite' ? readFileSync(path) : null;
  const { phase } = await killWriter(kill, version, FILE_PHASES, (each) => (each === 'writing' ? writes : 1));
  const found = existsSync(path) ? readFileSync(path) : null;
  const reference = `${path}.reference`;
  write(reference, version);
  const isNew = found?.equals(readFileSync(reference)) === true;
  rmSync(reference);
  const isOld = found === null ? before === null : before?.equals(found) === true;
  if (!isNew && !isOld)
    throw new Error(
      `${phase}: ${found === null ? 'no file' : `a file of ${String(found.length)} bytes`}, neither old nor new`,
    );
  replace(path);
  return { phase, outcome: isNew ? 'all' : 'old' };
}
