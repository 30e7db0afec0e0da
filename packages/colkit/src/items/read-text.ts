// Files that are converted -> their text, strictly: what cannot be read or is not UTF-8 is an error with the file's
// name, never a replacement character.
import { ArgumentError, IoError, isColkitError } from '@colkit/io';
import { readFileSync } from 'node:fs';

/** Whole. @throws IoError ERR_NOT_FOUND, ERR_READ; ArgumentError ERR_VALUE. */
export function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readBytes(path));
  } catch (error) {
    if (isColkitError(error)) throw error;
    throw new ArgumentError('ERR_VALUE', path, 'UTF-8 text', 'bytes that are not');
  }
}

/** @throws IoError ERR_NOT_FOUND, ERR_READ. */
export function readBytes(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** What the system said, as an error of the family. */
export function unreadable(path: string, error: unknown): Error {
  if (isColkitError(error)) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return new IoError('ERR_NOT_FOUND', 'open', path, 'no such file', error);
  return new IoError('ERR_READ', 'read', path, error instanceof Error ? error.message : String(error), error);
}
