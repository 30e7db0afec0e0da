// Small local files, many at a time: by one call of the addon, off the event loop.
import { nativeBinding } from '../../backend/native.ts';
import { fromNative } from '../../backend/native-errors.ts';
import type { Backend } from '../../backend/settings.ts';
import { alignUp } from '../../memory/align.ts';
import { giveWorkingMemory, takeWorkingMemory } from '../../memory/working-memory.ts';

/** Of each file in the memory that they share, so that items in it are aligned as they are in the file. */
const ALIGNMENT = 8;

/**
 * The bytes of each file; null for one that has to be opened: it is large, or not there, or there is no addon.
 * @param paths an empty one is no file. @param mostBytes of one file, a multiple of 8.
 */
export async function readSmallFiles(
  paths: readonly string[],
  mostBytes: number,
  backend: Backend | undefined,
): Promise<readonly (Uint8Array | null)[]> {
  const binding = nativeBinding(backend);
  if (binding === null || paths.every((path) => path === '')) return paths.map(() => null);
  const memory = takeWorkingMemory(paths.length * mostBytes);
  const out = new Uint8Array(memory, 0, paths.length * mostBytes);
  const lengths = new Int32Array(paths.length);
  try {
    await binding.readSmallFiles(paths.map((path) => (path.includes('\0') ? '' : path)).join('\0'), out, lengths);
  } catch (error) {
    throw fromNative('read', paths[0] ?? '', error);
  }
  const used = lengths.reduce((sum, length) => sum + alignUp(Math.max(0, length), ALIGNMENT), 0);
  // What was in that memory before is shown to nobody.
  const all = Buffer.allocUnsafeSlow(used);
  all.set(out.subarray(0, used));
  giveWorkingMemory(memory);
  let start = 0;
  return Array.from(lengths, (length) => {
    if (length < 0) return null;
    const file = new Uint8Array(all.buffer, start, length);
    start += alignUp(length, ALIGNMENT);
    return file;
  });
}
