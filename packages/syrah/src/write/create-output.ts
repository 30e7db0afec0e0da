// What writers of paths, sinks and handles of files have in common: options, and a writer whose bytes go to an output
// that is no path.
import { ArgumentError, describeValue, option } from '@colkit/io';
import type { OptionSet, WriteTarget } from '@colkit/io';
import { openOutput, targetName } from '@colkit/io/durable';
import type { Output } from '@colkit/io/durable';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { BSON_LARGEST_DOCUMENT } from '../layout/constants.ts';
import { FileWriter } from './file-writer.ts';
import type { FileWriterParts } from './file-writer.ts';
import { parseSchema } from './item-encoder.ts';
import type { SchemaInput } from './item-encoder.ts';
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
export const CREATE_OPTIONS: OptionSet<CreateOptions> = {
  // parseSchema says what is wrong with it, and where.
  schema: option.kind('a schema', () => true),
  align: option.count('bytes', 1, LARGEST_ALIGNMENT),
  journal: option.flag,
  overwrite: option.flag,
  roll: option.flag,
  maxMetadataBytes: option.count('bytes', 5, BSON_LARGEST_DOCUMENT),
  durability: option.word('full', 'none'),
};

/** @throws ArgumentError for what is no power of two. */
export function alignmentOf({ align = 1 }: CreateOptions): number {
  if (Number.isInteger(Math.log2(align))) return align;
  throw new ArgumentError(
    'ERR_ARGUMENT',
    'align',
    `a power of two in [1, ${String(LARGEST_ALIGNMENT)}]`,
    describeValue(align),
  );
}

/** What does not depend on where the bytes go. */
export function partsOf(path: string, options: CreateOptions): Omit<WriterParts, 'startFile' | 'removeOldParts'> {
  const { maxMetadataBytes = BSON_LARGEST_DOCUMENT, roll = false, overwrite = false, schema } = options;
  return {
    path,
    maxMetadataBytes,
    roll,
    holdsBack: overwrite,
    keys: schema === undefined ? null : parseSchema(schema),
  };
}

/** A file without a journal. @param end what is to be done when it is published or given up. */
export function fileIn(path: string, output: Output, align: number, end: FileWriterParts['end'] = nothing): FileWriter {
  return new FileWriter({ path, output, journal: null, align, end });
}

/** @throws ArgumentError for options that only a path has. */
export function* openedOutput(target: Exclude<WriteTarget, string | URL>, options: CreateOptions): Work<SyrahWriter> {
  for (const name of ['roll', 'journal'] as const)
    if (options[name] === true)
      throw new ArgumentError('ERR_ARGUMENT', name, 'a path: files beside the first one are needed', 'another target');
  const align = alignmentOf(options);
  const parts = partsOf(targetName(target, String), options);
  const file = fileIn(parts.path, yield* perform(openOutput(target, options)), align);
  return new SyrahWriter(file, {
    ...parts,
    holdsBack: false,
    // Never called: nothing rolls.
    startFile: () => perform({ run: () => Promise.resolve(file), runSync: () => file }),
    removeOldParts: nothing,
  });
}

export function* nothing(): Work<void> {
  // Neither parts nor a lock to give back.
}
