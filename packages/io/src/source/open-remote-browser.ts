// In place of open-remote.ts: what asks servers is loaded with the first URL, or handle.
import type { ReadableHandle } from './open-other-source.ts';
import type { RandomAccessSource } from './source.ts';
import type { OpenSourceOptions } from './source-options.ts';

export async function openRemote(what: URL | ReadableHandle, options: OpenSourceOptions): Promise<RandomAccessSource> {
  const remote = await import('./open-remote.ts');
  return remote.openRemote(what, options);
}
