// What a page names, by a URL that may be relative to its own, or by the handle of a file.
import { ArgumentError } from '../errors/errors.ts';
import { noFiles } from './no-files.ts';
import { isHandle } from './open-other-source.ts';
import type { ReadableHandle } from './open-other-source.ts';
import { openRemote } from './open-remote.ts';
import { remoteUrl } from './paths/remote-url.ts';
import type { RandomAccessSource } from './source.ts';
import type { OpenSourceOptions } from './source-options.ts';
import { visibleUrl } from './paths/visible-url.ts';

export async function openInPage(
  where: string | URL | ReadableHandle,
  options: OpenSourceOptions,
): Promise<RandomAccessSource> {
  const remote = isHandle(where) ? where : remoteUrl(absolute(where));
  if (remote === null) throw noFiles('opening a path');
  return openRemote(remote, options);
}

function absolute(what: string | URL): URL {
  const page = (globalThis as { location?: { href?: string } }).location?.href;
  try {
    return new URL(what, page);
  } catch {
    throw new ArgumentError('ERR_ARGUMENT', 'what', 'a URL', JSON.stringify(visibleUrl(what)));
  }
}
