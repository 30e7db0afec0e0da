// What a user names -> the path of a file of this machine.
import { fileURLToPath } from 'node:url';
import { describeValue } from '../../errors/describe-value.ts';
import { ArgumentError } from '../../errors/errors.ts';
import { isUrl } from './remote-url.ts';
import { visibleUrl } from './visible-url.ts';

/** What a caller may give for the path of a file that is written. @throws ArgumentError for what is no such path. */
export function filePath(path: string | URL): string {
  const given = typeof path === 'string' && path.includes('\0') ? null : localPath(path);
  if (given !== null) return given;
  const found = typeof path === 'string' ? visibleUrl(path) : path;
  throw new ArgumentError('ERR_ARGUMENT', 'path', 'the path of a file', describeValue(found));
}

/** Null for what is no path: other URLs, bytes, the empty text. */
export function localPath(what: unknown): string | null {
  if (typeof what === 'string' && !isUrl(what)) return what === '' ? null : what;
  if (typeof what !== 'string' && !(what instanceof URL)) return null;
  try {
    return fileURLToPath(what);
  } catch {
    return null;
  }
}
