// Every call that a file sink makes to the file system, as data: one union of operations and two ways to run them. Tests run them on a double that records them, forgets what was
// not synced, or fails where a disk would.
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { assertNever } from './assert-never.ts';

export type FileOperation =
  /** A new file for writing; fails with EEXIST where there is anything of that name. Gives its descriptor. */
  | { readonly kind: 'create'; readonly path: string; readonly mode: number }
  /** Gives a descriptor of a folder, to sync it. */
  | { readonly kind: 'openFolder'; readonly path: string }
  /** Gives how many of the bytes were written, which may be fewer. */
  | { readonly kind: 'write'; readonly fd: number; readonly bytes: Uint8Array; readonly byteOffset: number }
  | { readonly kind: 'sync'; readonly fd: number }
  | { readonly kind: 'setMode'; readonly fd: number; readonly mode: number }
  | { readonly kind: 'close'; readonly fd: number }
  /** Replaces `to` in one step. */
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  /** A second name for a file; fails with EEXIST where there is anything of that name. */
  | { readonly kind: 'link'; readonly from: string; readonly to: string }
  | { readonly kind: 'unlink'; readonly path: string }
  /** The names in a folder. */
  | { readonly kind: 'list'; readonly path: string }
  /** What stands at a path, links not followed; null where nothing does. */
  | { readonly kind: 'inspect'; readonly path: string }
  /** The path without links. */
  | { readonly kind: 'resolve'; readonly path: string };

export interface FileFacts {
  readonly type: 'file' | 'folder' | 'link' | 'other';
  readonly mode: number;
}

interface Results {
  create: number;
  openFolder: number;
  write: number;
  sync: undefined;
  setMode: undefined;
  close: undefined;
  rename: undefined;
  link: undefined;
  unlink: undefined;
  list: readonly string[];
  inspect: FileFacts | null;
  resolve: string;
}

export type FileResult = Results[keyof Results];

/** Runs one operation; throws the system's error with its `code`. */
export interface FileOperations {
  run(operation: FileOperation): Promise<FileResult>;
  runSync(operation: FileOperation): FileResult;
}

/** A procedure over files: it yields operations and gets their results. Written once, run either way. */
export type FileSteps<T> = Generator<FileOperation, T, FileResult>;

/** One operation within a procedure, with the type of its result. */
export function* perform<K extends keyof Results>(operation: FileOperation & { readonly kind: K }): FileSteps<Results[K]> {
  return (yield operation) as Results[K];
}

export function runStepsSync<T>(steps: FileSteps<T>, operations: FileOperations): T {
  let step = steps.next();
  while (step.done !== true) {
    let result: FileResult;
    try {
      result = operations.runSync(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(result);
  }
  return step.value;
}

export async function runSteps<T>(steps: FileSteps<T>, operations: FileOperations): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    let result: FileResult;
    try {
      result = await operations.run(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(result);
  }
  return step.value;
}

const writeAsync = promisify(fs.write) as (fd: number, bytes: Uint8Array, offset: number, length: number, position: number) => Promise<{ bytesWritten: number }>;
const fsyncAsync = promisify(fs.fsync);
const fchmodAsync = promisify(fs.fchmod);
const closeAsync = promisify(fs.close);
const openAsync = promisify(fs.open);

/** The file system of this machine. */
export const SYSTEM_FILES: FileOperations = Object.freeze({
  async run(operation: FileOperation): Promise<FileResult> {
    switch (operation.kind) {
      case 'create': return openAsync(operation.path, 'wx', operation.mode);
      case 'openFolder': return openAsync(operation.path, 'r');
      case 'write': return (await writeAsync(operation.fd, operation.bytes, 0, operation.bytes.byteLength, operation.byteOffset)).bytesWritten;
      case 'sync': return nothing(fsyncAsync(operation.fd));
      case 'setMode': return nothing(fchmodAsync(operation.fd, operation.mode));
      case 'close': return nothing(closeAsync(operation.fd));
      case 'rename': return nothing(fs.promises.rename(operation.from, operation.to));
      case 'link': return nothing(fs.promises.link(operation.from, operation.to));
      case 'unlink': return nothing(fs.promises.unlink(operation.path));
      case 'list': return fs.promises.readdir(operation.path);
      case 'inspect': return factsOf(await fs.promises.lstat(operation.path).catch(nullIfMissing));
      case 'resolve': return fs.promises.realpath(operation.path);
      default: return assertNever(operation);
    }
  },

  runSync(operation: FileOperation): FileResult {
    switch (operation.kind) {
      case 'create': return fs.openSync(operation.path, 'wx', operation.mode);
      case 'openFolder': return fs.openSync(operation.path, 'r');
      case 'write': return fs.writeSync(operation.fd, operation.bytes, 0, operation.bytes.byteLength, operation.byteOffset);
      case 'sync': fs.fsyncSync(operation.fd); return undefined;
      case 'setMode': fs.fchmodSync(operation.fd, operation.mode); return undefined;
      case 'close': fs.closeSync(operation.fd); return undefined;
      case 'rename': fs.renameSync(operation.from, operation.to); return undefined;
      case 'link': fs.linkSync(operation.from, operation.to); return undefined;
      case 'unlink': fs.unlinkSync(operation.path); return undefined;
      case 'list': return fs.readdirSync(operation.path);
      case 'inspect': return factsOf(fs.lstatSync(operation.path, { throwIfNoEntry: false }) ?? null);
      case 'resolve': return fs.realpathSync(operation.path);
      default: return assertNever(operation);
    }
  },
});

async function nothing(done: Promise<void>): Promise<undefined> {
  await done;
  return undefined;
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

function factsOf(stats: fs.Stats | null): FileFacts | null {
  if (stats === null) return null;
  const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other';
  return { type, mode: stats.mode & 0o777 };
}
