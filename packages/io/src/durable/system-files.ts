// The operations of writers on the file system of this machine.
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { assertNever } from '../errors/assert-never.ts';
import { systemCode } from '../errors/system-error.ts';
import type { FileFacts, FileOperation, FileOperations, FileResult } from '../effects/file-operations.ts';
import { waitFor } from '../backend/timers.ts';

import { lockOpenFile } from './system-lock.ts';

type WriteCall = (
  fd: number,
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesWritten: number }>;

const writeAsync = promisify(fs.write) as WriteCall;
const fstatAsync = promisify(fs.fstat) as (fd: number, options: { bigint: true }) => Promise<fs.BigIntStats>;
const [openAsync, truncateAsync, syncAsync, setModeAsync, closeAsync] = [
  promisify(fs.open),
  promisify(fs.ftruncate),
  promisify(fs.fsync),
  promisify(fs.fchmod),
  promisify(fs.close),
];

/** Without waiting: opening a pipe could block for ever. Regular files do not care; Windows has no such flag. */
const OPEN_FLAGS = fs.constants.O_RDWR | ((fs.constants.O_NONBLOCK as number | undefined) ?? 0);

export const SYSTEM_FILES: FileOperations = Object.freeze({
  async run(operation: FileOperation): Promise<FileResult> {
    switch (operation.kind) {
      case 'create':
        return openAsync(operation.path, 'wx', operation.mode);
      case 'open':
        return openAsync(operation.path, OPEN_FLAGS);
      case 'openFolder':
        return openAsync(operation.path, 'r');
      case 'write':
        return (await writeAsync(operation.fd, operation.bytes, 0, operation.bytes.byteLength, operation.byteOffset))
          .bytesWritten;
      case 'truncate':
        return nothing(truncateAsync(operation.fd, operation.byteLength));
      case 'sync':
        return nothing(syncAsync(operation.fd));
      case 'setMode':
        return nothing(setModeAsync(operation.fd, operation.mode));
      case 'lock':
        return lockOpenFile(operation.fd);
      case 'stat':
        return factsOf(await fstatAsync(operation.fd, { bigint: true }));
      case 'close':
        return nothing(closeAsync(operation.fd));
      case 'rename':
        return nothing(fs.promises.rename(operation.from, operation.to));
      case 'link':
        return nothing(fs.promises.link(operation.from, operation.to));
      case 'unlink':
        return nothing(fs.promises.unlink(operation.path));
      case 'makeFolder':
        return nothing(fs.promises.mkdir(operation.path, { mode: operation.mode }));
      case 'list':
        return fs.promises.readdir(operation.path);
      case 'inspect':
        return found(await fs.promises.lstat(operation.path, { bigint: true }).catch(nullIfMissing));
      case 'read':
        return bytesOf(await fs.promises.readFile(operation.path).catch(nullIfMissing));
      case 'resolve':
        return fs.promises.realpath(operation.path);
      case 'wait':
        return nothing(waitFor(operation.milliseconds));
      default:
        return assertNever(operation);
    }
  },

  runSync(operation: FileOperation): FileResult {
    switch (operation.kind) {
      case 'create':
        return fs.openSync(operation.path, 'wx', operation.mode);
      case 'open':
        return fs.openSync(operation.path, OPEN_FLAGS);
      case 'openFolder':
        return fs.openSync(operation.path, 'r');
      case 'write':
        return fs.writeSync(operation.fd, operation.bytes, 0, operation.bytes.byteLength, operation.byteOffset);
      case 'truncate':
        fs.ftruncateSync(operation.fd, operation.byteLength);
        return undefined;
      case 'sync':
        fs.fsyncSync(operation.fd);
        return undefined;
      case 'setMode':
        fs.fchmodSync(operation.fd, operation.mode);
        return undefined;
      case 'lock':
        return lockOpenFile(operation.fd);
      case 'stat':
        return factsOf(fs.fstatSync(operation.fd, { bigint: true }));
      case 'close':
        fs.closeSync(operation.fd);
        return undefined;
      case 'rename':
        fs.renameSync(operation.from, operation.to);
        return undefined;
      case 'link':
        fs.linkSync(operation.from, operation.to);
        return undefined;
      case 'unlink':
        fs.unlinkSync(operation.path);
        return undefined;
      case 'makeFolder':
        fs.mkdirSync(operation.path, { mode: operation.mode });
        return undefined;
      case 'list':
        return fs.readdirSync(operation.path);
      case 'inspect':
        return found(fs.lstatSync(operation.path, { bigint: true, throwIfNoEntry: false }) ?? null);
      case 'read':
        return bytesOf(readIfThere(operation.path));
      case 'resolve':
        return fs.realpathSync(operation.path);
      case 'wait':
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, operation.milliseconds);
        return undefined;
      default:
        return assertNever(operation);
    }
  },
});

async function nothing(done: Promise<unknown>): Promise<undefined> {
  await done;
  return undefined;
}

function nullIfMissing(error: unknown): null {
  if (systemCode(error) === 'ENOENT') return null;
  throw error;
}

function readIfThere(path: string): Uint8Array | null {
  try {
    return fs.readFileSync(path);
  } catch (error) {
    return nullIfMissing(error);
  }
}

const bytesOf = (buffer: Uint8Array | null): Uint8Array | null => (buffer === null ? null : new Uint8Array(buffer));

const found = (stats: fs.BigIntStats | null): FileFacts | null => (stats === null ? null : factsOf(stats));

function factsOf(stats: fs.BigIntStats): FileFacts {
  const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other';
  const { dev: device, ino: inode } = stats;
  // Set-user-ID, set-group-ID and sticky bits are of the old content's owner, and not for whoever writes a new one.
  return {
    type,
    mode: Number(stats.mode) & 0o777,
    byteLength: Number(stats.size),
    device,
    inode,
    links: Number(stats.nlink),
    owner: Number(stats.uid),
  };
}
