// A URL -> its source.
import { pickOptions } from '../options/index.ts';
import { HTTP_OPTIONS } from './http/http-options.ts';
import { HttpSource } from './http/http-source.ts';
import type { RandomAccessSource } from './source.ts';
import type { OpenSourceOptions } from './source-options.ts';

export async function openRemote(url: URL, options: OpenSourceOptions): Promise<RandomAccessSource> {
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
