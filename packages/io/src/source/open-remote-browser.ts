// In place of open-remote.ts: what asks servers is loaded with the first URL.
import type { RandomAccessSource } from './source.ts';
import type { OpenSourceOptions } from './source-options.ts';

export async function openRemote(url: URL, options: OpenSourceOptions): Promise<RandomAccessSource> {
  const remote = await import('./open-remote.ts');
  return remote.openRemote(url, options);
}
