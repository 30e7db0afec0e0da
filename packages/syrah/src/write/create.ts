// A path, a sink or the handle of a file, and options -> an open SyrahWriter.
import { checkOptions, filePath, optionsNow } from '@colkit/io';
import type { WriteTarget } from '@colkit/io';
import { perform, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { filesOf, openOutput, reserve } from '@colkit/io/durable';
import type { GrowingFile, Reservation } from '@colkit/io/durable';
import { CREATE_OPTIONS, alignmentOf, fileIn, nothing, openedOutput, partsOf } from './create-output.ts';
import type { CreateOptions } from './create-output.ts';
import { FileWriter } from './file-writer.ts';
import { Journal } from './journal.ts';
import { KeptFile } from './kept-file.ts';
import { isSet, removeOldParts } from './old-parts.ts';
import { SyrahWriter } from './writer.ts';
import type { WriterParts } from './writer.ts';

/** What a dead writer leaves. */
const LEFT = ['.journal', '.partial'] as const;

/**
 * Starts a .syr file, at a path, in a sink (`MemorySink`) or behind the handle of a file; nothing is there before
 * `close()`.
 * @throws IoError ERR_EXISTS, ERR_LOCKED (to be overwritten, but a writer with a journal is at work), ERR_WRITE;
 * ArgumentError.
 */
export async function create(target: WriteTarget, options: CreateOptions = {}): Promise<SyrahWriter> {
  checkOptions('create', CREATE_OPTIONS, options);
  return run(opened(target, optionsNow(options)));
}

export function createSync(target: WriteTarget, options: CreateOptions = {}): SyrahWriter {
  checkOptions('createSync', CREATE_OPTIONS, options);
  return runSync(opened(target, options));
}

/** Also where a caller without types gives null: that is for `filePath` to refuse. */
function isOutput(target: unknown): target is Exclude<WriteTarget, string | URL> {
  return typeof target === 'object' && target !== null && !(target instanceof URL);
}

function opened(target: WriteTarget, options: CreateOptions): Work<SyrahWriter> {
  if (isOutput(target)) return openedOutput(target, options);
  const path = filePath(target);
  const align = alignmentOf(options);
  const { overwrite = false, durability = 'full' } = options;
  return starting({
    ...partsOf(path, options),
    startFile: (at) => startFile(at, align, options),
    removeOldParts: (partCount) =>
      overwrite
        ? removeOldParts(path, partCount, { durable: durability === 'full', operations: filesOf(options) })
        : nothing(),
  });
}

function* starting(parts: WriterParts): Work<SyrahWriter> {
  // The first part of a set stands for the set: whatever replaces it replaces all of it.
  const replacesSet = parts.roll || (parts.holdsBack && (yield* isSet(parts.path)));
  const file = yield* parts.startFile(parts.path);
  return new SyrahWriter(file, replacesSet ? parts : { ...parts, removeOldParts: nothing });
}

/** One file of its own, or of a set. @throws IoError. */
export function* startFile(path: string, align: number, options: CreateOptions): Work<FileWriter> {
  const { overwrite = false, durability = 'full' } = options;
  const operations = filesOf(options);
  const reserved = yield* perform(
    reserve(path, { to: overwrite ? 'replace' : 'new', durable: durability === 'full', operations }),
  );
  try {
    yield* clear(reserved, overwrite);
    return yield* options.journal === true ? journaled(path, align, reserved) : plain(path, align, reserved, options);
  } catch (error) {
    yield* perform(reserved.release());
    throw error;
  }
}

/** Nothing stays of it where its writer dies. */
function* plain(path: string, align: number, reserved: Reservation, options: CreateOptions): Work<FileWriter> {
  const output = yield* perform(openOutput(path, { ...options, ownsPath: true }));
  return fileIn(path, output, align, () => perform(reserved.release()));
}

/** What a dead writer left goes, if that was asked for. @throws IoError ERR_EXISTS. */
function* clear(reserved: Reservation, overwrite: boolean): Work<void> {
  for (const ending of LEFT) {
    if (overwrite) yield* perform(reserved.remove(ending));
    else yield* perform(reserved.requireNone(ending));
  }
}

function* journaled(path: string, align: number, reserved: Reservation): Work<FileWriter> {
  const file = yield* perform(reserved.create('.partial'));
  const output = new KeptFile(reserved, file);
  let journal: Journal;
  try {
    journal = yield* Journal.create(reserved);
  } catch (error) {
    yield* perform(output.abort());
    throw error;
  }
  return new FileWriter({ path, output, journal, align, end: (how) => ending(how, file, reserved) });
}

function* ending(how: 'published' | 'aborted' | 'kept', file: GrowingFile, reserved: Reservation): Work<void> {
  if (how === 'kept') yield* perform(file.close());
  yield* perform(reserved.release());
}
