// Every call that a streaming writer, `append` and `recover` make to change the file system, as data: tests announce phases, record what a power failure could leave, or fail like a full disk.
// (One-shot writes go through the atomic sink of @colkit/io, which does the same.)
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { assertNever } from '@colkit/io';
import type { Action } from '@colkit/table';

export type StreamOperation =
  /** A new file for reading and writing; fails with EEXIST where there is anything of that name. Gives its descriptor. */
  | { readonly kind: 'create'; readonly path: string }
  /** An existing file for reading and writing. Gives its descriptor. */
  | { readonly kind: 'open'; readonly path: string }
  /** Gives a descriptor of a folder, to sync it. */
  | { readonly kind: 'openFolder'; readonly path: string }
  /** Gives how many of the bytes were written, which may be fewer. */
  | { readonly kind: 'write'; readonly fd: number; readonly bytes: Uint8Array; readonly byteOffset: number }
  | { readonly kind: 'truncate'; readonly fd: number; readonly byteLength: number }
  | { readonly kind: 'sync'; readonly fd: number }
  | { readonly kind: 'close'; readonly fd: number }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  /** A second name; fails with EEXIST where there is anything of that name. */
  | { readonly kind: 'link'; readonly from: string; readonly to: string }
  | { readonly kind: 'unlink'; readonly path: string };

/** Runs one operation: gives a descriptor or a count, 0 where there is nothing to tell; throws the system's error with its `code`. */
export interface StreamFiles {
  run(operation: StreamOperation): Promise<number>;
  runSync(operation: StreamOperation): number;
}

/** One operation as an action. */
export function fileAction(files: StreamFiles, operation: StreamOperation): Action<number> {
  return { run: () => files.run(operation), runSync: () => files.runSync(operation) };
}

const openAsync = promisify(fs.open);
const writeAsync = promisify(fs.write) as (fd: number, bytes: Uint8Array, offset: number, length: number, position: number) => Promise<{ bytesWritten: number }>;
const truncateAsync = promisify(fs.ftruncate);
const syncAsync = promisify(fs.fsync);
const closeAsync = promisify(fs.close);

/** The file system of this machine. */
export const SYSTEM_STREAM_FILES: StreamFiles = Object.freeze({
  async run(operation: StreamOperation): Promise<number> {
    switch (operation.kind) {
      case 'create': return openAsync(operation.path, 'wx+');
      case 'open': return openAsync(operation.path, 'r+');
      case 'openFolder': return openAsync(operation.path, 'r');
      case 'write': return (await writeAsync(operation.fd, operation.bytes, 0, operation.bytes.byteLength, operation.byteOffset)).bytesWritten;
      case 'truncate': await truncateAsync(operation.fd, operation.byteLength); return 0;
      case 'sync': await syncAsync(operation.fd); return 0;
      case 'close': await closeAsync(operation.fd); return 0;
      case 'rename': await fs.promises.rename(operation.from, operation.to); return 0;
      case 'link': await fs.promises.link(operation.from, operation.to); return 0;
      case 'unlink': await fs.promises.unlink(operation.path); return 0;
      default: return assertNever(operation);
    }
  },

  runSync(operation: StreamOperation): number {
    switch (operation.kind) {
      case 'create': return fs.openSync(operation.path, 'wx+');
      case 'open': return fs.openSync(operation.path, 'r+');
      case 'openFolder': return fs.openSync(operation.path, 'r');
      case 'write': return fs.writeSync(operation.fd, operation.bytes, 0, operation.bytes.byteLength, operation.byteOffset);
      case 'truncate': fs.ftruncateSync(operation.fd, operation.byteLength); return 0;
      case 'sync': fs.fsyncSync(operation.fd); return 0;
      case 'close': fs.closeSync(operation.fd); return 0;
      case 'rename': fs.renameSync(operation.from, operation.to); return 0;
      case 'link': fs.linkSync(operation.from, operation.to); return 0;
      case 'unlink': fs.unlinkSync(operation.path); return 0;
      default: return assertNever(operation);
    }
  },
});
