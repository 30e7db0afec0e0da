// A path and options -> an open SyrahWriter.
import { ArgumentError, ClosedError, checkWord, filePath, openFileSink, openFileSinkSync } from '@colkit/io';
import type { FileSinkOptions, Sink } from '@colkit/io';
import { runActions, runActionsSync } from '@colkit/table';
import type { Actions } from '@colkit/table';
import { existsSync, rmSync } from 'node:fs';
import { BSON_LARGEST_DOCUMENT } from '../layout/constants.ts';
import { FileWriter } from './file-writer.ts';
import { parseSchema } from './item-encoder.ts';
import type { SchemaInput } from './item-encoder.ts';
import { Journal, journalPath } from './journal.ts';
import { refuseLiveJournal } from './live-writer.ts';
import { PartialFile, leftBehind, partialPath } from './partial-file.ts';
import { SyrahWriter } from './writer.ts';
import type { WriterParts } from './writer.ts';

export interface CreateOptions {
  /** Keys, dtypes and their order; without it the first item decides. */
  readonly schema?: SchemaInput;
  /** Arrays start at multiples of it (a power of two). 1, the default, writes the original's bytes; 8 makes every array viewable by any reader, and the original reads it. */
  readonly align?: number;
  /** Keep a side journal, so that `recover` can make a file of everything acknowledged if this process dies. Every item is then written at once: slower. */
  readonly journal?: boolean;
  /** Replace what is at the path. Without it, an existing file is ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Where the metadata would outgrow its limit, close this file and go on in PATH with .00001, .00002, … before the extension. Else ERR_METADATA_TOO_LARGE. Each file has a journal of its own, where one is kept. */
  readonly roll?: boolean;
  /** At most BSON's 2,147,483,647 bytes, the default: 16 for each array. */
  readonly maxMetadataBytes?: number;
  /** 'full', the default: the file is durable when close() returns. 'none': left to the system. */
  readonly durability?: 'full' | 'none';
}

const LARGEST_ALIGNMENT = 65_536;

/** Starts a .syr file; nothing is at the path before `close()`. @throws IoError ERR_EXISTS, ERR_LOCKED (to be overwritten, but a writer with a journal is at work), ERR_WRITE; ArgumentError. */
export async function create(path: string | URL, options: CreateOptions = {}): Promise<SyrahWriter> {
  const parts = checkOptions(filePath(path), options);
  return new SyrahWriter(await runActions(parts.startFile(parts.path)), parts);
}

export function createSync(path: string | URL, options: CreateOptions = {}): SyrahWriter {
  const parts = checkOptions(filePath(path), options);
  return new SyrahWriter(runActionsSync(parts.startFile(parts.path)), parts);
}

function checkOptions(path: string, options: CreateOptions): WriterParts {
  const { align = 1, maxMetadataBytes = BSON_LARGEST_DOCUMENT, durability = 'full' } = options;
  checkWord(durability, ['full', 'none'], 'durability');
  if (!Number.isInteger(align) || !Number.isInteger(Math.log2(align)) || align < 1 || align > LARGEST_ALIGNMENT) {
    throw new ArgumentError('ERR_ARGUMENT', 'align', `a power of two in [1, ${String(LARGEST_ALIGNMENT)}]`, String(align));
  }
  if (!Number.isInteger(maxMetadataBytes) || maxMetadataBytes < 5 || maxMetadataBytes > BSON_LARGEST_DOCUMENT) {
    throw new ArgumentError('ERR_ARGUMENT', 'maxMetadataBytes', `an integer in [5, ${String(BSON_LARGEST_DOCUMENT)}]`, String(maxMetadataBytes));
  }
  return { path, startFile: (target) => startFile(target, align, options), maxMetadataBytes, roll: options.roll ?? false, keys: options.schema === undefined ? null : parseSchema(options.schema) };
}

function* startFile(path: string, align: number, options: CreateOptions): Actions<FileWriter> {
  const { overwrite = false, durability = 'full' } = options;
  if (overwrite) refuseLiveJournal(path, 'create');
  for (const left of [journalPath(path), partialPath(path)]) {
    if (overwrite) rmSync(left, { force: true });
    else if (existsSync(left)) throw leftBehind(left);
  }
  if (options.journal !== true) {
    const sink = yield* openSink(path, { overwrite, durability });
    return new FileWriter({ path, sink, journaled: null, align });
  }
  const file = new PartialFile(path, { overwrite, durable: durability === 'full' });
  try {
    return new FileWriter({ path, sink: file, journaled: { file, journal: new Journal(path) }, align });
  } catch (error) {
    file.abortSync();
    throw error;
  }
}

function* openSink(path: string, options: FileSinkOptions): Actions<Sink> {
  const opened: Sink[] = [];
  yield { run: async () => void opened.push(await openFileSink(path, options)), runSync: () => void opened.push(openFileSinkSync(path, options)) };
  const [sink] = opened;
  if (sink === undefined) throw new ClosedError('create', path);
  return sink;
}
