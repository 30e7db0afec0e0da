// What can be had of a file whose writer died. The format has array borders only in its metadata, at the end, so that
// without it bytes are only bytes; with a journal (PATH.journal beside PATH.partial), every acknowledged item. Parts of
// a set (create with `roll`) get their names in order, so that the one before says which set a part is of.
import { IoError, checkOptions, crc32, filePath, isColkitError, omitOptions, openSourceSync, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { perform, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { filesOf, isAbandoned, reserve, temporaryPrefix } from '@colkit/io/durable';
import type { Reservation } from '@colkit/io/durable';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { markOf } from '../items/part-files.ts';
import { openSync as openFile } from '../open.ts';
import { isSyrahDType } from '../layout/dtype.ts';
import { encodeHeader } from '../layout/header.ts';
import { encodePartMark, partPath, setAndNumber } from '../layout/part-mark.ts';
import type { PartMark } from '../layout/part-mark.ts';
import { startFile } from './create.ts';
import type { JournalContents } from './journal-reader.ts';
import { readJournal } from './journal-reader.ts';
import { MetadataBuilder } from './metadata-builder.ts';
import { removeOldParts } from './old-parts.ts';

export interface RecoverOptions {
  /** Replace a whole file that is at the path (the old version, where the dead writer was to overwrite it). */
  readonly overwrite?: boolean;
  /**
   * Go on though the writer is alive, or works where that cannot be judged: on another machine or in another container
   * that shares the volume.
   */
  readonly force?: boolean;
}

const RECOVER_OPTIONS: OptionSet<RecoverOptions> = {
  overwrite: option.flag,
  force: option.flag,
};

/** Of arrays, read at a time for their checksums. */
const PIECE_BYTES = 1 << 20;

/** What was found and done. */
export interface Recovery {
  /**
   * 'whole': the file is complete, nothing was done. 'recovered': it is complete now. 'nothing': no item can be had.
   */
  readonly status: 'whole' | 'recovered' | 'nothing';
  /** Of all parts, where the path is that of a set's first part. */
  readonly itemCount: number;
  /** Bytes of arrays that were written and cannot be had. */
  readonly lostBytes: number;
  /** One sentence. */
  readonly reason: string;
}

/**
 * Makes a whole file of what a dead writer left, as far as that is possible; at the path of a set's first part, a whole
 * set: the part that its writer died in becomes the last one. Safe to repeat, also after dying itself.
 * @throws IoError ERR_LOCKED where the writer is still alive or cannot be judged (see `force`), ERR_EXISTS where a
 * whole file is in the way, ERR_NOT_FOUND where there is neither file nor journal.
 */
export async function recover(file: string | URL, options: RecoverOptions = {}): Promise<Recovery> {
  checkOptions('recover', RECOVER_OPTIONS, options);
  return run(recovering(file, options));
}

/** The Sync twin of `recover`. */
export function recoverSync(file: string | URL, options: RecoverOptions = {}): Recovery {
  checkOptions('recoverSync', RECOVER_OPTIONS, options);
  return runSync(recovering(file, options));
}

function* recovering(file: string | URL, options: RecoverOptions): Work<Recovery> {
  const path = filePath(file);
  const first = yield* recoverFile(path, options);
  if (first.status === 'nothing' || setAndNumber(path).number > 0) return first;
  return yield* recoverFurtherParts(path, first, options);
}

/** One file. Of a set that was to replace another, all parts may lack their names: those before it get theirs first. */
function* recoverFile(path: string, options: RecoverOptions): Work<Recovery> {
  const { force } = options;
  const { set, number } = setAndNumber(path);
  const before = number === 0 ? null : partPath(set, number - 1);
  if (before !== null && existsSync(`${before}.partial`)) yield* recoverFile(before, options);
  const mark = before === null ? null : yield* markOf(before);
  const last = mark === null || mark.count !== null ? null : { set: mark.set, number, count: number + 1 };
  const reserved = yield* perform(reserve(path, { to: 'recover', durable: true, force, operations: filesOf(options) }));
  try {
    return yield* fromLeftovers(reserved, last, options);
  } finally {
    yield* perform(reserved.release());
  }
}

/** Behind the first part of a set, where there are any; as far as they are of the same set. */
function* recoverFurtherParts(path: string, first: Recovery, options: RecoverOptions): Work<Recovery> {
  const all = { ...first };
  let count = 1;
  for (let mark = yield* markOf(path); mark !== null && mark.count === null; count += 1) {
    const next = partPath(path, count);
    const part = yield* recoverIfAny(next, options);
    all.lostBytes += part?.lostBytes ?? 0;
    const found = part === null || part.status === 'nothing' ? null : yield* markOf(next);
    if (part === null || found?.set !== mark.set) {
      // Its writer is known to be dead where something of it was left.
      const isOver = all.status === 'recovered' || part?.status === 'nothing';
      if (isOver && (yield* endSet(path, count, mark.set, options))) {
        all.status = 'recovered';
        count += 1;
        break;
      }
      const problem = found === null ? 'is missing, or no part of a set' : 'is a part of another set';
      return { ...all, reason: `${all.reason}; ${next} ${problem}: a list of files opens those that are there` };
    }
    all.itemCount += part.itemCount;
    if (part.status === 'recovered') Object.assign(all, { status: part.status, reason: part.reason });
    mark = found;
  }
  if (options.overwrite === true && (count > 1 || all.status === 'recovered'))
    yield* removeOldParts(path, count, { durable: true, operations: filesOf(options) });
  return all;
}

/**
 * A last part without items behind those that are whole: else none of them says that the set ends there. False where
 * something else is in the way.
 */
function* endSet(path: string, number: number, set: string, options: RecoverOptions): Work<boolean> {
  const { overwrite = false } = options;
  const last = partPath(path, number);
  if (existsSync(`${last}.partial`) || (existsSync(last) && !overwrite)) return false;
  using before = openFile(partPath(path, number - 1));
  const keys = before.schema.flatMap(({ name, dtype }) =>
    dtype !== null && isSyrahDType(dtype) ? [{ name, dtype }] : [],
  );
  const file = yield* startFile(last, 1, { ...omitOptions(options, 'force'), overwrite });
  yield* file.complete(keys, { set, number, count: number + 1 });
  yield* file.publish();
  return true;
}

/** Null where nothing is left of it. */
function* recoverIfAny(path: string, options: RecoverOptions): Work<Recovery | null> {
  try {
    return yield* recoverFile(path, options);
  } catch (error) {
    if (isColkitError(error) && error.code === 'ERR_NOT_FOUND') return null;
    throw error;
  }
}

/** @param last what the file says of itself, where it is the part that the writer of a set died in. */
function* fromLeftovers(reserved: Reservation, last: PartMark | null, options: RecoverOptions): Work<Recovery> {
  const { path } = reserved;
  const partial = yield* perform(reserved.inspect('.partial'));
  const hasJournal = (yield* perform(reserved.inspect('.journal'))) !== null;
  if (yield* perform(reserved.isPublished())) {
    // The writer died between giving the file its name and taking away the other one.
    yield* perform(reserved.remove('.partial'));
    yield* perform(reserved.remove('.journal'));
    return examine(path);
  }
  if (partial !== null && hasJournal) return yield* fromJournal(reserved, partial.byteLength, last, options);
  if (reserved.exists) {
    const recovery = examine(path);
    // The writer died between giving the file its name and removing the journal.
    if (recovery.status === 'whole' && hasJournal) yield* perform(reserved.remove('.journal'));
    return recovery;
  }
  if (partial !== null && partial.byteLength > 0)
    return nothing(
      partial.byteLength,
      `${reserved.beside('.partial')} has no journal, and only the writer knew where its arrays are`,
    );
  if (partial === null && !hasJournal) return yield* fromTemporary(reserved, options);
  yield* perform(reserved.remove('.partial'));
  yield* perform(reserved.remove('.journal'));
  return nothing(0, 'the writer died before it wrote anything');
}

function* fromJournal(
  reserved: Reservation,
  partialBytes: number,
  last: PartMark | null,
  options: RecoverOptions,
): Work<Recovery> {
  const [partial, journalPath] = [reserved.beside('.partial'), reserved.beside('.journal')];
  const bytes = (yield* perform(reserved.read('.journal'))) ?? new Uint8Array(0);
  const journal = readWithData(bytes, journalPath, partial);
  if (journal.itemCount === 0) {
    if (journal.isDamaged)
      return nothing(
        partialBytes,
        `${journalPath} is damaged before its first item; ${partial} and it are left as they are`,
      );
    yield* perform(reserved.remove('.partial'));
    yield* perform(reserved.remove('.journal'));
    return nothing(partialBytes, 'the writer died before its first item was acknowledged');
  }
  if (reserved.exists && options.overwrite !== true) {
    throw new IoError(
      'ERR_EXISTS',
      'recover',
      reserved.path,
      `a file is there already; pass { overwrite: true } to replace it by the ${String(journal.itemCount)} items ` +
        'of the journal',
    );
  }
  yield* completeFile(reserved, journal, last);
  yield* perform(reserved.publish(options.overwrite === true));
  yield* perform(reserved.remove('.journal'));
  return {
    status: 'recovered',
    itemCount: journal.itemCount,
    lostBytes: 0,
    reason: 'every item that the journal acknowledges',
  };
}

/** The journal of a partial file, whose arrays are read for their checksums. */
function readWithData(bytes: Uint8Array, journalPath: string, partial: string): JournalContents {
  const source = openSourceSync(partial, { io: 'pread' });
  try {
    const checksum = (byteOffset: number, byteLength: number, previous: number): number => {
      let crc = previous;
      for (let at = 0; at < byteLength; at += PIECE_BYTES) {
        const piece = new Uint8Array(Math.min(PIECE_BYTES, byteLength - at));
        source.readSync(byteOffset + at, piece);
        crc = crc32(piece, crc);
      }
      return crc;
    };
    return readJournal(bytes, journalPath, { byteLength: source.byteLength, crc32: checksum });
  } finally {
    source.close();
  }
}

/**
 * Cuts off what was not acknowledged, appends the mark of a last part and the metadata, writes the header; a file that
 * has all of it is only synced.
 */
function* completeFile(reserved: Reservation, journal: JournalContents, last: PartMark | null): Work<void> {
  const isComplete = isWhole(reserved.beside('.partial'), journal);
  const file = yield* perform(reserved.open('.partial'));
  try {
    if (!isComplete) {
      yield* perform(file.cut(journal.dataEnd));
      if (last !== null) yield* perform(file.append([encodePartMark(last)]));
      const metadataOffset = file.position;
      for (const block of metadataOf(journal).blocks()) yield* perform(file.append([block]));
      yield* perform(file.writeAt(0, encodeHeader(metadataOffset, file.position - metadataOffset)));
    }
    yield* perform(file.barrier());
  } finally {
    yield* perform(file.close());
  }
}

/** Whether a file has the header and the metadata that follow from its journal, byte for byte. */
function isWhole(partial: string, journal: JournalContents): boolean {
  const source = openSourceSync(partial, { io: 'pread' });
  try {
    const blocks = [...metadataOf(journal).blocks()];
    const metadataBytes = blocks.reduce((sum, block) => sum + block.length, 0);
    let at = source.byteLength - metadataBytes;
    // A set's mark may lie between.
    if (at < journal.dataEnd) return false;
    const isAt = (byteOffset: number, expected: Uint8Array): boolean => {
      const bytes = new Uint8Array(expected.length);
      source.readSync(byteOffset, bytes);
      return bytes.every((byte, k) => byte === expected[k]);
    };
    if (!isAt(0, encodeHeader(at, metadataBytes))) return false;
    for (const block of blocks) {
      if (!isAt(at, block)) return false;
      at += block.length;
    }
    return true;
  } finally {
    source.close();
  }
}

function metadataOf(journal: JournalContents): MetadataBuilder {
  const metadata = new MetadataBuilder(journal.keys);
  for (let item = 0; item < journal.itemCount; item += 1) {
    for (const key of journal.keys.keys()) {
      const { byteOffset, byteLength } = journal.rangeOf(item, key);
      metadata.add(key, byteOffset, byteLength);
    }
    metadata.endItem();
  }
  return metadata;
}

/** What writers without a journal left. A file that is complete only lacks its name. */
function* fromTemporary(reserved: Reservation, { force }: RecoverOptions): Work<Recovery> {
  const { path } = reserved;
  const name = basename(path);
  const prefix = temporaryPrefix(name);
  const left = readdirSync(dirname(path)).filter((each) => each.startsWith(prefix) && each.endsWith('.tmp'));
  if (left.length === 0)
    throw new IoError(
      'ERR_NOT_FOUND',
      'recover',
      path,
      'no such file, no journal of it, and no temporary file of a dead writer',
    );
  const alive = force === true ? undefined : left.find((each) => !isAbandoned(each, name));
  if (alive !== undefined) {
    throw new IoError(
      'ERR_LOCKED',
      'recover',
      path,
      `the writer of ${alive} is at work, or cannot be judged from here; where that is not so, recover(path, { ` +
        'force: true }) goes on',
    );
  }
  let lostBytes = 0;
  for (const temporary of left.map((each) => join(dirname(path), each))) {
    const { status, itemCount } = examine(temporary);
    if (status === 'whole') {
      yield* perform(reserved.publish(false, temporary));
      return {
        status: 'recovered',
        itemCount,
        lostBytes: 0,
        reason: 'the writer died after it had written everything, and before the file got its name',
      };
    }
    lostBytes += statSync(temporary).size;
  }
  return nothing(
    lostBytes,
    `the writer died before it closed ${path}; only the metadata tells where arrays are, and no journal was kept`,
  );
}

/** A file without a journal: whole or lost. */
function examine(path: string): Recovery {
  try {
    using file = openFile(path);
    return { status: 'whole', itemCount: file.itemCount, lostBytes: 0, reason: 'the file is complete' };
  } catch (error) {
    if (!isColkitError(error) || error.code === 'ERR_READ') throw error;
    return nothing(
      statSync(path).size,
      `${error.message}; only the metadata tells where arrays are, and no journal was kept`,
    );
  }
}

function nothing(lostBytes: number, reason: string): Recovery {
  return { status: 'nothing', itemCount: 0, lostBytes, reason };
}
