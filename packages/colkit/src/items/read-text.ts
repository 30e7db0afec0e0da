// Files that are converted -> their text, strictly: what cannot be read or is not UTF-8 is an error with the file's
// name, never a replacement character.
import { ArgumentError, IoError, isColkitError } from '@colkit/io';
import { createReadStream, readFileSync } from 'node:fs';

/** Whole. @throws IoError ERR_NOT_FOUND, ERR_READ; ArgumentError ERR_VALUE. */
export function readText(path: string): string {
  return decoderOf(path)(readBytes(path), false);
}

/** In pieces that do not divide characters. Errors as of readText. */
export async function* readTextPieces(path: string): AsyncGenerator<string> {
  const decode = decoderOf(path);
  try {
    for await (const piece of createReadStream(path)) yield decode(piece as Uint8Array, true);
  } catch (error) {
    throw unreadable(path, error);
  }
  yield decode(new Uint8Array(0), false);
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

function decoderOf(path: string): (bytes: Uint8Array, more: boolean) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return (bytes, more) => {
    try {
      return decoder.decode(bytes, { stream: more });
    } catch {
      throw new ArgumentError('ERR_VALUE', path, 'UTF-8 text', 'bytes that are not');
    }
  };
}
