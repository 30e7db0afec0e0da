// Whether what a user named is a path of this machine.
import { fileURLToPath } from 'node:url';

/** Null for what is none: other URLs, bytes, the empty text. */
export function localPath(what: unknown): string | null {
  if (typeof what === 'string' && !/^(?:https?|file):\/\//iu.test(what)) return what === '' ? null : what;
  if (typeof what !== 'string' && !(what instanceof URL)) return null;
  try {
    return fileURLToPath(what);
  } catch {
    return null;
  }
}
