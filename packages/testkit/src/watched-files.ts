// The system's files with a hook around every operation: crash tests announce phases in it, failure tests throw in it what a disk would.
import * as fs from 'node:fs';
import type { FileFacts, FileOperation, FileOperations, FileResult } from '@colkit/io';
import { assertNever } from '@colkit/io';

export type Hook = (operation: FileOperation, when: 'before' | 'after') => void;

/** The operations of the atomic sink on this machine's files. */
export const SYSTEM_FILES: FileOperations = {
  run: (operation) => Promise.resolve(perform(operation)),
  runSync: (operation) => perform(operation),
};

export class WatchedFiles implements FileOperations {
  readonly #hook: Hook;

  constructor(hook: Hook) {
    this.#hook = hook;
  }

  async run(operation: FileOperation): Promise<FileResult> {
    await Promise.resolve();
    return this.runSync(operation);
  }

  runSync(operation: FileOperation): FileResult {
    this.#hook(operation, 'before');
    const result = SYSTEM_FILES.runSync(operation);
    this.#hook(operation, 'after');
    return result;
  }
}

/** A hook that fails the `nth` operation (from 0) of a kind, as the system would. */
export function failing(kind: FileOperation['kind'], code: string, nth = 0): Hook {
  let seen = 0;
  return (operation, when) => {
    if (when !== 'before' || operation.kind !== kind) return;
    if (seen === nth) throw systemError(code, kind);
    seen += 1;
  };
}

export const systemError = (code: string, kind: string): Error => Object.assign(new Error(`${code}: injected, ${kind}`), { code });

function perform(operation: FileOperation): FileResult {
  switch (operation.kind) {
    case 'create': return fs.openSync(operation.path, 'wx', operation.mode);
    case 'openFolder': return fs.openSync(operation.path, 'r');
    case 'write': return fs.writeSync(operation.fd, operation.bytes, 0, operation.bytes.byteLength, operation.byteOffset);
    case 'sync': return void fs.fsyncSync(operation.fd);
    case 'setMode': return void fs.fchmodSync(operation.fd, operation.mode);
    case 'close': return void fs.closeSync(operation.fd);
    case 'rename': return void fs.renameSync(operation.from, operation.to);
    case 'link': return void fs.linkSync(operation.from, operation.to);
    case 'unlink': return void fs.unlinkSync(operation.path);
    case 'list': return fs.readdirSync(operation.path);
    case 'inspect': return facts(operation.path);
    case 'resolve': return fs.realpathSync(operation.path);
    default: return assertNever(operation);
  }
}

function facts(path: string): FileFacts | null {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  return { type: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other', mode: stats.mode & 0o777 };
}
