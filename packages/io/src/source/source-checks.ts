// What every source checks before it reads, and the errors that all of them share.
import { ArgumentError, CannotViewError, ClosedError, IoError, UnsupportedError } from '../errors/errors.ts';
import { fitsWithin, isCount } from '../values/integers.ts';
import { messageOf, systemCode } from '../errors/system-error.ts';
import type { RandomAccessSource } from './source.ts';

/** Refuses a read of a closed source or outside of [0, byteLength]. @throws ClosedError, ArgumentError. */
export function checkRead(source: RandomAccessSource, operation: string, byteOffset: number, byteLength: number): void {
  if (source.closed) throw new ClosedError(operation, source.path);
  if (!isCount(byteOffset) || !fitsWithin(byteOffset, byteLength, source.byteLength)) {
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'byteOffset',
      `a range within the ${String(source.byteLength)} bytes of ${source.path}`,
      `${String(byteLength)} bytes at ${String(byteOffset)}`,
    );
  }
}

/** The file is shorter than when it was opened. */
export function fileChanged(operation: string, path: string, opened: number, now: number | null): IoError {
  const found = now === null ? 'it ended early' : `it has ${String(now)} now`;
  return new IoError(
    'ERR_FILE_CHANGED',
    operation,
    path,
    `the file had ${String(opened)} bytes when it was opened, ${found}`,
  );
}

/** A source that has no address in memory. */
export function notMapped(reason: string, remedy: string): CannotViewError {
  return new CannotViewError('ERR_NOT_MAPPED', reason, remedy);
}

/** The Sync twin of a source that can only be read asynchronously. */
export function noSyncForm(path: string): UnsupportedError {
  return new UnsupportedError(
    'ERR_FEATURE',
    'synchronous reads of a remote source',
    `${path}: only asynchronous reads; use the form without Sync`,
  );
}

const TOO_MANY = new Set(['EMFILE', 'ENFILE']);

/** What the system said, as an error of the family: ERR_NOT_FOUND where nothing is there, else ERR_READ. */
export function readFailed(operation: string, path: string, cause: unknown): IoError {
  const code = systemCode(cause);
  const missing = code === 'ENOENT' || code === 'ENOTDIR';
  const said = missing ? 'no such file' : messageOf(cause);
  return new IoError(missing ? 'ERR_NOT_FOUND' : 'ERR_READ', operation, path, `${said}${remedyOf(code, path)}`, cause);
}

function remedyOf(code: string, path: string): string {
  if (TOO_MANY.has(code)) return ' (raise the limit, `ulimit -n`, or open fewer at a time: `maxOpen` of a dataset)';
  // What lists a folder shows so what it cannot say.
  const unsaid = (code === 'ENOENT' || code === 'ENOTDIR') && path.includes('\ufffd');
  return unsaid ? ' (a name that is no UTF-8 cannot be opened: rename the file)' : '';
}
