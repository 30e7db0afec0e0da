// recover: what a dead writer left -> a whole file, up to the last footer that is whole. For PATH.partial of a
// streaming writer, and for a file that something was appended to.
import { CorruptFileError, IoError, checkOptions, option, optionsNow } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { perform, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { filesOf, reserve } from '@colkit/io/durable';
import type { Reservation } from '@colkit/io/durable';
import { closeSync, openSync, readSync } from 'node:fs';
import { MAGIC } from '../layout/constants.ts';
import { lastFooter } from './file/last-footer.ts';

export interface RecoverOptions {
  /** Replace a whole file that is at the path by what a dead streaming writer was to replace it with. */
  readonly overwrite?: boolean;
  /** Go on though a writer seems to be alive. */
  readonly force?: boolean;
}

const RECOVER_OPTIONS: OptionSet<RecoverOptions> = {
  overwrite: option.flag,
  force: option.flag,
};

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
 * Makes a whole file of what a dead writer left: every row group up to the last checkpoint. Safe to repeat, also after
 * dying itself.
 * @throws IoError ERR_LOCKED where the writer is still alive, ERR_EXISTS where a whole file is in the way,
 * ERR_NOT_FOUND where there is nothing; CorruptFileError ERR_MAGIC for another kind of file.
 */
export async function recover(path: string | URL, options: RecoverOptions = {}): Promise<Recovery> {
  checkOptions('recover', RECOVER_OPTIONS, options);
  return run(recovering(path, optionsNow(options)));
}

/** The Sync twin of `recover`. */
export function recoverSync(path: string | URL, options: RecoverOptions = {}): Recovery {
  checkOptions('recoverSync', RECOVER_OPTIONS, options);
  return runSync(recovering(path, options));
}

function* recovering(path: string | URL, options: RecoverOptions): Work<Recovery> {
  const { force, overwrite = false } = options;
  const reserved = yield* perform(reserve(path, { to: 'recover', durable: true, operations: filesOf(options), force }));
  try {
    if ((yield* perform(reserved.inspect('.partial'))) !== null) return yield* fromPartial(reserved, overwrite);
    if (!reserved.exists)
      throw new IoError('ERR_NOT_FOUND', 'recover', String(path), 'no such file, and no streaming writer left one');
    return yield* inPlace(reserved);
  } finally {
    yield* perform(reserved.release());
  }
}

function* fromPartial(reserved: Reservation, overwrite: boolean): Work<Recovery> {
  const partial = reserved.beside('.partial');
  if (yield* perform(reserved.isPublished())) {
    // The writer died between giving the file its name and taking the other one away.
    yield* perform(reserved.remove('.partial'));
    return yield* inPlace(reserved);
  }
  const { byteLength, found } = yield* lastFooter(partial);
  if (found === null) {
    yield* perform(reserved.remove('.partial'));
    return nothing(byteLength, 'the writer died before its first checkpoint');
  }
  const { rowCount } = found.footer;
  if (reserved.exists && !overwrite) {
    throw new IoError(
      'ERR_EXISTS',
      'recover',
      reserved.path,
      `a file is there already; pass { overwrite: true } to replace it by the ${rowCount} rows of ${partial}`,
    );
  }
  yield* cutTo(reserved, '.partial', found.end);
  yield* perform(reserved.publish(overwrite));
  return {
    status: 'recovered',
    rowCount,
    lostBytes: byteLength - found.end,
    reason: 'everything up to the last checkpoint of the streaming writer',
  };
}

function* inPlace(reserved: Reservation): Work<Recovery> {
  const { path } = reserved;
  const { byteLength, found } = yield* lastFooter(path);
  if (found === null) {
    if (!isTable(path))
      throw new CorruptFileError('ERR_MAGIC', {
        path,
        region: 'file',
        byteOffset: 0,
        expected: 'a .cna file, which starts with "CNA1"',
        found: 'other bytes',
      });
    return nothing(byteLength, 'no footer in it is whole; the file is as it was');
  }
  const { rowCount } = found.footer;
  if (found.end === byteLength) return { status: 'whole', rowCount, lostBytes: 0, reason: 'the file is complete' };
  yield* cutTo(reserved, '', found.end);
  return {
    status: 'recovered',
    rowCount,
    lostBytes: byteLength - found.end,
    reason: 'everything up to the last whole footer',
  };
}

function* cutTo(reserved: Reservation, ending: '' | '.partial', end: number): Work<void> {
  const file = yield* perform(reserved.open(ending));
  try {
    yield* perform(file.cut(end));
    yield* perform(file.barrier());
  } finally {
    yield* perform(file.close());
  }
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
