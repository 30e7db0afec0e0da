// recover: what a dead writer left -> a whole file, up to the last footer that is whole. For PATH.partial of a streaming writer, and for a file that something was appended to.
import { CorruptFileError, IoError, filePath } from '@colkit/io';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { runActions, runActionsSync } from '@colkit/table';
import type { Actions } from '@colkit/table';
import { MAGIC } from '../layout/constants.ts';
import { partialPath } from './create.ts';
import { GrowingFile, publish, remove } from './growing-file.ts';
import { lastFooter } from './last-footer.ts';
import { takeLock } from './lock.ts';
import { SYSTEM_STREAM_FILES } from './stream-files.ts';
import type { StreamFiles } from './stream-files.ts';

export interface RecoverOptions {
  /** Replace a whole file that is at the path by what a dead streaming writer was to replace it with. */
  readonly overwrite?: boolean;
  /** Go on though a writer seems to be alive. */
  readonly force?: boolean;
  /** In place of the system's files, for tests. */
  readonly operations?: StreamFiles;
}

/** What was found and done. */
export interface Recovery {
  /** 'whole': the file is complete, nothing was done. 'recovered': it is complete now. 'nothing': no row can be had. */
  readonly status: 'whole' | 'recovered' | 'nothing';
  readonly rowCount: number;
  /** Bytes that were written after the last checkpoint, and cut. */
  readonly lostBytes: number;
  /** One sentence. */
  readonly reason: string;
}

/**
 * Makes a whole file of what a dead writer left: every row group up to the last checkpoint. Safe to repeat, also after dying itself.
 * @throws IoError ERR_LOCKED where the writer is still alive, ERR_EXISTS where a whole file is in the way, ERR_NOT_FOUND where there is nothing; CorruptFileError ERR_MAGIC for another
 * kind of file.
 */
export async function recover(path: string | URL, options: RecoverOptions = {}): Promise<Recovery> {
  return runActions(recovering(filePath(path), options));
}

/** The Sync twin of `recover`. */
export function recoverSync(path: string | URL, options: RecoverOptions = {}): Recovery {
  return runActionsSync(recovering(filePath(path), options));
}

function* recovering(path: string, options: RecoverOptions): Actions<Recovery> {
  const files = options.operations ?? SYSTEM_STREAM_FILES;
  const lock = takeLock(path, options.force === true);
  try {
    if (existsSync(partialPath(path))) return yield* fromPartial(path, options.overwrite === true, files);
    if (!existsSync(path)) throw new IoError('ERR_NOT_FOUND', 'recover', path, 'no such file, and no streaming writer left one');
    return yield* inPlace(path, files);
  } finally {
    lock.release();
  }
}

function* fromPartial(path: string, overwrite: boolean, files: StreamFiles): Actions<Recovery> {
  const partial = partialPath(path);
  if (existsSync(path) && isSameFile(path, partial)) {
    // The writer died between giving the file its name and taking the other one away.
    yield* remove(files, partial);
    return yield* inPlace(path, files);
  }
  const { byteLength, found } = yield* lastFooter(partial);
  if (found === null) {
    yield* remove(files, partial);
    return nothing(byteLength, 'the writer died before its first checkpoint');
  }
  const { rowCount } = found.footer;
  if (existsSync(path) && !overwrite) {
    throw new IoError('ERR_EXISTS', 'recover', path, `a file is there already; pass { overwrite: true } to replace it by the ${rowCount} rows of ${partial}`);
  }
  yield* cutTo(partial, found.end, files);
  yield* publish(files, partial, path, overwrite, true);
  return { status: 'recovered', rowCount, lostBytes: byteLength - found.end, reason: 'everything up to the last checkpoint of the streaming writer' };
}

function* inPlace(path: string, files: StreamFiles): Actions<Recovery> {
  const { byteLength, found } = yield* lastFooter(path);
  if (found === null) {
    if (!isTable(path)) throw new CorruptFileError('ERR_MAGIC', { path, region: 'file', byteOffset: 0, expected: 'a .cna file, which starts with "CNA1"', found: 'other bytes' });
    return nothing(byteLength, 'no footer in it is whole; the file is as it was');
  }
  const { rowCount } = found.footer;
  if (found.end === byteLength) return { status: 'whole', rowCount, lostBytes: 0, reason: 'the file is complete' };
  yield* cutTo(path, found.end, files);
  return { status: 'recovered', rowCount, lostBytes: byteLength - found.end, reason: 'everything up to the last whole footer' };
}

function* cutTo(path: string, end: number, files: StreamFiles): Actions {
  const file = yield* GrowingFile.open(path, 'open', { files, durable: true, position: end });
  try {
    yield* file.cut(end);
    yield* file.barrier();
  } finally {
    yield* file.close();
  }
}

function isSameFile(a: string, b: string): boolean {
  const [one, other] = [statSync(a), statSync(b)];
  return one.ino === other.ino && one.dev === other.dev;
}

function isTable(path: string): boolean {
  const start = new Uint8Array(4);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, start, 0, start.length, 0);
  } finally {
    closeSync(fd);
  }
  return new DataView(start.buffer).getUint32(0, true) === MAGIC;
}

function nothing(lostBytes: number, reason: string): Recovery {
  return { status: 'nothing', rowCount: 0, lostBytes, reason };
}
