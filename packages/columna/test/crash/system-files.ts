// The operations of the atomic sink on this machine's files.
import * as fs from 'node:fs';
import { assertNever } from '@colkit/io';
import type { FileFacts, FileOperation, FileOperations, FileResult } from '@colkit/io';

export const SYSTEM_FILES: FileOperations = {
  run: (operation) => Promise.resolve(perform(operation)),
  runSync: (operation) => perform(operation),
};

function perform(operation: FileOperation): FileResult {
  switch (operation.kind) {
    case 'create': return fs.openSync(operation.path, 'wx');
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
