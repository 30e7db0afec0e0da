// Which texts are URLs, for all that take a path or a URL.
import { ArgumentError } from '../../errors/errors.ts';
import { visibleUrl } from './visible-url.ts';

/** Whether a text is a URL, and no path. */
export function isUrl(text: string): boolean {
  return /^(?:(?:https?|file):\/\/|blob:|data:[^,]*,)/iu.test(text);
}

/** The URL that `fetch` takes; null for a path or a file: URL. */
export function remoteUrl(what: string | URL): URL | null {
  if (typeof what === 'string' && !isUrl(what)) return null;
  let url: URL;
  try {
    url = new URL(what);
  } catch {
    throw new ArgumentError('ERR_ARGUMENT', 'what', 'a URL', JSON.stringify(visibleUrl(what)));
  }
  return /^(?:https?|blob|data):/.test(url.protocol) ? url : null;
}
