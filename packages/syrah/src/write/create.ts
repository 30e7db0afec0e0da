// A path and options -> an open SyrahWriter.
import { ArgumentError, checkOptions, describeValue, filePath, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { perform, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { filesOf, nothingBeside, openOutput, reserve } from '@colkit/io/durable';
import type { GrowingFile, Reservation } from '@colkit/io/durable';
import { BSON_LARGEST_DOCUMENT } from '../layout/constants.ts';
import { FileWriter } from './file-writer.ts';
import { parseSchema } from './item-encoder.ts';
import type { SchemaInput } from './item-encoder.ts';
import { Journal } from './journal.ts';
import { KeptFile } from './kept-file.ts';
import { isSet, removeOldParts } from './old-parts.ts';
import { SyrahWriter } from './writer.ts';
import type { WriterParts } from './writer.ts';

export interface CreateOptions {
  /** Keys, dtypes and their order; without it the first item decides. */
  readonly schema?: SchemaInput;
  /**
   * Arrays start at multiples of it (a power of two). 1, the default, writes the original's bytes; 8 makes every array
   * viewable by any reader, and the original reads it.
   */
  readonly align?: number;
  /**
   * Keep a side journal, so that `recover` can make a file of everything acknowledged if this process dies. Every item
   * is then written at once: slower.
   */
  readonly journal?: boolean;
  /** Replace what is at the path. Without it, an existing file is ERR_EXISTS. */
  readonly overwrite?: boolean;
  /**
   * Where the metadata would outgrow its limit, close this file and go on in PATH with .00001, .00002, … before the
   * extension. Else ERR_METADATA_TOO_LARGE. Each file has a journal of its own, where one is kept.
   */
  readonly roll?: boolean;
  /** At most BSON's 2,147,483,647 bytes, the default: 16 for each array. */
  readonly maxMetadataBytes?: number;
  /** 'full', the default: the file is durable when close() returns. 'none': left to the system. */
  readonly durability?: 'full' | 'none';
}

const LARGEST_ALIGNMENT = 65_536;
/** What a dead writer leaves. */
const LEFT = ['.journal', '.partial'] as const;

const CREATE_OPTIONS: OptionSet<CreateOptions> = {
  // parseSchema says what is wrong with it, and where.
  schema: option.kind('a schema', () => true),
  align: option.count('bytes', 1, LARGEST_ALIGNMENT),
  journal: option.flag,
  overwrite: option.flag,
  roll: option.flag,
  maxMetadataBytes: option.count('bytes', 5, BSON_LARGEST_DOCUMENT),
  durability: option.word('full', 'none'),
};

/**
 * Starts a .syr file; nothing is at the path before `close()`.
 * @throws IoError ERR_EXISTS, ERR_LOCKED (to be overwritten, but a writer with a journal is at work), ERR_WRITE;
 * ArgumentError.
 */
export async function create(path: string | URL, options: CreateOptions = {}): Promise<SyrahWriter> {
  checkOptions('create', CREATE_OPTIONS, options);
  const parts = partsOf(filePath(path), options);
  return run(starting(parts));
}

export function createSync(path: string | URL, options: CreateOptions = {}): SyrahWriter {
  checkOptions('createSync', CREATE_OPTIONS, options);
  const parts = partsOf(filePath(path), options);
  return runSync(starting(parts));
}

function partsOf(path: string, options: CreateOptions): WriterParts {
  const { align = 1, maxMetadataBytes = BSON_LARGEST_DOCUMENT, durability = 'full' } = options;
  if (!Number.isInteger(Math.log2(align))) {
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'align',
      `a power of two in [1, ${String(LARGEST_ALIGNMENT)}]`,
      describeValue(align),
    );
  }
  const { roll = false, overwrite = false, schema } = options;
  return {
    path,
    startFile: (target) => startFile(target, align, options),
    maxMetadataBytes,
    roll,
    holdsBack: overwrite,
    removeOldParts: (partCount) =>
      overwrite
        ? removeOldParts(path, partCount, { durable: durability === 'full', operations: filesOf(options) })
        : nothing(),
    keys: schema === undefined ? null : parseSchema(schema),
  };
}

function* starting(parts: WriterParts): Work<SyrahWriter> {
  // The first part of a set stands for the set: whatever replaces it replaces all of it.
  const replacesSet = parts.roll || (parts.holdsBack && (yield* isSet(parts.path)));
  const file = yield* parts.startFile(parts.path);
  return new SyrahWriter(file, replacesSet ? parts : { ...parts, removeOldParts: nothing });
}

function* startFile(path: string, align: number, options: CreateOptions): Work<FileWriter> {
  const { overwrite = false, durability = 'full' } = options;
  const operations = filesOf(options);
  // The usual case has nothing to clear, and so nothing to reserve: locks are a good part of a small write.
  if (options.journal !== true && (yield* perform(nothingBeside(path, LEFT, { operations }))))
    return yield* plainFile(path, align, options);
  const reserved = yield* perform(
    reserve(path, { to: overwrite ? 'replace' : 'new', durable: durability === 'full', operations }),
  );
  try {
    yield* clear(reserved, overwrite);
    if (options.journal === true) return yield* journaled(path, align, reserved);
  } catch (error) {
    yield* perform(reserved.release());
    throw error;
  }
  yield* perform(reserved.release());
  return yield* plainFile(path, align, options);
}

function* plainFile(path: string, align: number, options: CreateOptions): Work<FileWriter> {
  const output = yield* perform(openOutput(path, options));
  return new FileWriter({ path, output, journal: null, align, end: nothing });
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

function* nothing(): Work<void> {
  // Neither parts nor a lock to give back.
}
