// What can be had of a file whose writer died. The format has array borders only in its metadata, at the end, so that without it bytes are only bytes; with a journal
// (PATH.journal beside PATH.partial), every acknowledged item.
import { IoError, filePath, isColkitError } from '@colkit/io';
import { closeSync, existsSync, fsyncSync, ftruncateSync, linkSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { openSync as openFile } from '../open.ts';
import { encodeHeader } from '../layout/header.ts';
import type { JournalContents } from './journal-reader.ts';
import { readJournal } from './journal-reader.ts';
import { journalPath } from './journal.ts';
import { refuseLiveJournal, refuseLiveTemporaries, temporariesOf } from './live-writer.ts';
import { MetadataBuilder } from './metadata-builder.ts';
import { attempt, partialPath, publishPartial, writeFullySync } from './partial-file.ts';

export interface RecoverOptions {
  /** Replace a whole file that is at the path (the old version, where the dead writer was to overwrite it). */
  readonly overwrite?: boolean;
  /** Go on though the writer is alive, or works where that cannot be judged: on another machine or in another container that shares the volume. */
  readonly force?: boolean;
}

/** What was found and done. */
export interface Recovery {
  /** 'whole': the file is complete, nothing was done. 'recovered': it is complete now. 'nothing': no item can be had. */
  readonly status: 'whole' | 'recovered' | 'nothing';
  readonly itemCount: number;
  /** Bytes of arrays that were written and cannot be had. */
  readonly lostBytes: number;
  /** One sentence. */
  readonly reason: string;
}

/**
 * Makes a whole file of what a dead writer left, as far as that is possible. Safe to repeat, also after dying itself.
 * @throws IoError ERR_LOCKED where the writer is still alive or cannot be judged (see `force`), ERR_EXISTS where a whole file is in the way, ERR_NOT_FOUND where there is neither file nor journal.
 */
export function recoverSync(file: string | URL, options: RecoverOptions = {}): Recovery {
  const path = filePath(file);
  if (options.force !== true) refuseLiveJournal(path, 'recover');
  const hasPartial = existsSync(partialPath(path));
  const hasJournal = existsSync(journalPath(path));
  if (hasPartial && isSameFile(partialPath(path), path)) {
    // The writer died between giving the file its name and taking away the other one.
    rmSync(partialPath(path), { force: true });
    rmSync(journalPath(path), { force: true });
    return examine(path);
  }
  if (hasPartial && hasJournal) return fromJournal(path, options);
  if (existsSync(path)) {
    const recovery = examine(path);
    // The writer died between giving the file its name and removing the journal.
    if (recovery.status === 'whole' && hasJournal) rmSync(journalPath(path), { force: true });
    return recovery;
  }
  if (hasPartial) return nothing(statSync(partialPath(path)).size, `${partialPath(path)} has no journal, and only the writer knew where its arrays are`);
  if (!hasJournal) return fromTemporary(path, options);
  rmSync(journalPath(path), { force: true });
  return nothing(0, 'the writer died before it wrote anything');
}

/** See `recoverSync`. Recovery is done on the calling thread: it runs once, with nothing to wait for it. */
export function recover(file: string | URL, options: RecoverOptions = {}): Promise<Recovery> {
  return new Promise((resolve) => {
    resolve(recoverSync(file, options));
  });
}

function fromJournal(path: string, options: RecoverOptions): Recovery {
  const partial = partialPath(path);
  const partialBytes = statSync(partial).size;
  const journal = readJournal(new Uint8Array(readFileSync(journalPath(path))), journalPath(path), partialBytes);
  if (journal.itemCount === 0) {
    if (journal.isDamaged) return nothing(partialBytes, `${journalPath(path)} is damaged before its first item; ${partial} and it are left as they are`);
    rmSync(partial, { force: true });
    rmSync(journalPath(path), { force: true });
    return nothing(partialBytes, 'the writer died before its first item was acknowledged');
  }
  if (existsSync(path) && options.overwrite !== true) {
    throw new IoError('ERR_EXISTS', 'recover', path, `a file is there already; pass { overwrite: true } to replace it by the ${String(journal.itemCount)} items of the journal`);
  }
  completeFile(partial, journal);
  publishPartial(path, { overwrite: options.overwrite === true, durable: true });
  rmSync(journalPath(path), { force: true });
  return { status: 'recovered', itemCount: journal.itemCount, lostBytes: 0, reason: 'every item that the journal acknowledges' };
}

/** Cuts off what was not acknowledged, appends the metadata, writes the header. */
function completeFile(partial: string, journal: JournalContents): void {
  const metadata = new MetadataBuilder(journal.keys);
  for (let item = 0; item < journal.itemCount; item += 1) {
    for (const key of journal.keys.keys()) {
      const { byteOffset, byteLength } = journal.place(item, key);
      metadata.add(key, byteOffset, byteLength);
    }
    metadata.endItem();
  }
  const fd = attempt('open', partial, () => openSync(partial, 'r+'));
  try {
    attempt('truncate', partial, () => ftruncateSync(fd, journal.dataEnd));
    let at = journal.dataEnd;
    for (const piece of metadata.pieces()) {
      writeFullySync(fd, partial, piece, at);
      at += piece.length;
    }
    writeFullySync(fd, partial, encodeHeader(journal.dataEnd, at - journal.dataEnd), 0);
    attempt('fsync', partial, () => fsyncSync(fd));
  } finally {
    closeSync(fd);
  }
}

/** What writers without a journal left. A file that is complete only lacks its name. */
function fromTemporary(path: string, options: RecoverOptions): Recovery {
  const left = temporariesOf(path);
  if (left.length === 0) throw new IoError('ERR_NOT_FOUND', 'recover', path, 'no such file, no journal of it, and no temporary file of a dead writer');
  if (options.force !== true) refuseLiveTemporaries(path, left);
  let lostBytes = 0;
  for (const temporary of left) {
    const { status, itemCount } = examine(temporary);
    if (status === 'whole') {
      attempt('rename', path, () => linkSync(temporary, path));
      rmSync(temporary, { force: true });
      return { status: 'recovered', itemCount, lostBytes: 0, reason: 'the writer died after it had written everything, and before the file got its name' };
    }
    lostBytes += statSync(temporary).size;
  }
  return nothing(lostBytes, `the writer died before it closed ${path}; only the metadata tells where arrays are, and no journal was kept`);
}

/** A file without a journal: whole or lost. */
function examine(path: string): Recovery {
  try {
    using file = openFile(path);
    return { status: 'whole', itemCount: file.itemCount, lostBytes: 0, reason: 'the file is complete' };
  } catch (error) {
    if (!isColkitError(error) || error.code === 'ERR_READ') throw error;
    return nothing(statSync(path).size, `${error.message}; only the metadata tells where arrays are, and no journal was kept`);
  }
}

function nothing(lostBytes: number, reason: string): Recovery {
  return { status: 'nothing', itemCount: 0, lostBytes, reason };
}

/** Whether two names are one file. */
function isSameFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino && first.ino !== 0n;
}
