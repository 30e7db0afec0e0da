// What a caller may give for the path of a file that is written.
import { fileURLToPath } from 'node:url';
import { describeValue } from '../errors/describe-value.ts';
import { ArgumentError } from '../errors/errors.ts';

/** @throws ArgumentError for what is no path and no file URL. */
export function filePath(path: string | URL): string {
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return path;
  if (path instanceof URL && path.protocol === 'file:') return fileURLToPath(path);
  throw new ArgumentError('ERR_ARGUMENT', 'path', 'the path of a file', describeValue(path));
}
