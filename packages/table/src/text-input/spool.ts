// A stream -> something that can be read twice: memory while it is small, then a temporary file, which goes away when
// it is closed.
import { MemorySource } from '@colkit/io';
import { TemporaryFile } from './temporary-file.ts';
import type { Spooled } from './spooled.ts';

const MEMORY_BYTES = 64 * 2 ** 20;

export async function spool(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Promise<Spooled> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let file: TemporaryFile | null = null;
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      if (file === null && bytes > MEMORY_BYTES) {
        file = await TemporaryFile.create();
        for (const each of held.splice(0)) await file.write(each);
      }
      // The stream may use its memory again.
      if (file === null) held.push(chunk.slice());
      else await file.write(chunk);
    }
    if (file !== null) return await file.finish();
  } catch (error) {
    await file?.remove();
    throw error;
  }
  const all = new Uint8Array(bytes);
  let used = 0;
  for (const chunk of held) {
    all.set(chunk, used);
    used += chunk.length;
  }
  const source = new MemorySource(all, '<stream>');
  return {
    source,
    close: () => {
      source.close();
      return Promise.resolve();
    },
  };
}
