// A URL, or the handle of a file, -> its source. What a page or a program made a URL of (blob:, data:) is in memory, or
// on its disk, already.
import { IoError } from '../errors/errors.ts';
import { isError, messageOf } from '../errors/system-error.ts';
import { pickOptions } from '../options/index.ts';
import { BlobSource } from './blob-source.ts';
import { HTTP_OPTIONS } from './http/http-options.ts';
import { HttpSource } from './http/http-source.ts';
import { isHandle } from './open-other-source.ts';
import type { ReadableHandle } from './open-other-source.ts';
import type { RandomAccessSource } from './source.ts';
import type { OpenSourceOptions } from './source-options.ts';
import { visibleUrl } from './paths/visible-url.ts';

export async function openRemote(what: URL | ReadableHandle, options: OpenSourceOptions): Promise<RandomAccessSource> {
  if (isHandle(what)) return new BlobSource(await fileOfHandle(what));
  const url = what;
  if (!url.protocol.startsWith('http')) return new BlobSource(await blobOf(url, options.signal), visibleUrl(url));
  const source = await HttpSource.open(url, pickOptions(HTTP_OPTIONS, options));
  if (options.cache === undefined || source.isWhole) return source;
  try {
    const { CachedSource } = await import('./cache/cached-source.ts');
    return new CachedSource(source, url, options.cache);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** @throws IoError ERR_NOT_FOUND for the URL of a Blob that was revoked, or is another page's; ERR_READ. */
async function blobOf(url: URL, signal: AbortSignal | undefined): Promise<Blob> {
  try {
    return await (await fetch(url, { signal: signal ?? null })).blob();
  } catch (error) {
    signal?.throwIfAborted();
    if (url.protocol === 'data:') throw new IoError('ERR_READ', 'open', visibleUrl(url), messageOf(error));
    const message = 'no such Blob: its URL was revoked, or is that of another page or process';
    throw new IoError('ERR_NOT_FOUND', 'open', visibleUrl(url), message, error);
  }
}

/** @throws IoError ERR_NOT_FOUND where the file was removed, else ERR_READ. */
async function fileOfHandle(handle: ReadableHandle): Promise<Blob> {
  try {
    return await handle.getFile();
  } catch (error) {
    const isGone = isError(error) && error.name === 'NotFoundError';
    throw new IoError(isGone ? 'ERR_NOT_FOUND' : 'ERR_READ', 'open', handle.name, messageOf(error), error);
  }
}
