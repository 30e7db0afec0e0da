// Whether a writer may still be at work on a path: by the owner in its journal, or by the names of its temporary files. Nobody may recover or replace what it is writing.
import { CorruptFileError, IoError } from '@colkit/io';
import { isAbandoned, temporaryPrefix } from '@colkit/io/durable';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isDead } from './journal-owner.ts';
import type { JournalOwner } from './journal-owner.ts';
import { readJournal } from './journal-reader.ts';
import { journalPath } from './journal.ts';
import { attempt } from './partial-file.ts';

/** @throws IoError ERR_LOCKED where the writer of the path's journal is alive, or cannot be judged. */
export function refuseLiveJournal(path: string, operation: 'create' | 'recover'): void {
  const journal = journalPath(path);
  if (!existsSync(journal)) return;
  const owner = writerOf(journal);
  if (owner === null || isDead(owner)) return;
  const isHere = owner.host === hostname();
  const who = isHere && owner.pid === process.pid ? 'this process is writing it' : `process ${String(owner.pid)}${isHere ? ' is' : ` on ${owner.host} may be`} writing it`;
  throw locked(operation, path, who);
}

/** Null where nobody writes it: its writer gave up or died at its start, or somebody damaged it. */
function writerOf(journal: string): JournalOwner | null {
  const bytes = new Uint8Array(attempt('read', journal, () => readFileSync(journal)));
  try {
    const { owner, gaveUp } = readJournal(bytes, journal, 0);
    return gaveUp ? null : owner;
  } catch (error) {
    if (error instanceof CorruptFileError) return null;
    throw error;
  }
}

/** The hidden temporary files of writers without a journal. */
export function temporariesOf(path: string): string[] {
  const prefix = temporaryPrefix(basename(path));
  const folder = dirname(path);
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith('.tmp')).map((name) => join(folder, name)) : [];
}

/** @throws IoError ERR_LOCKED where the writer of one of the path's temporary files is alive, or cannot be judged. */
export function refuseLiveTemporaries(path: string, temporaries: readonly string[]): void {
  const alive = temporaries.find((temporary) => !isAbandoned(basename(temporary), basename(path)));
  if (alive !== undefined) throw locked('recover', path, `the writer of ${alive} is at work, or cannot be judged from here`);
}

function locked(operation: 'create' | 'recover', path: string, who: string): IoError {
  return new IoError('ERR_LOCKED', operation, path, `${who}; where that is not so, recover(path, { force: true }) goes on`);
}
