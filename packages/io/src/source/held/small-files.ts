// Local files, many by one call of the addon: small ones as a whole, of larger ones what will be read first.
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
    await binding.readSmallFiles(listOf(paths), out, lengths);
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

/**
 * Tells the system that the first bytes of each file will be read, so that whoever opens one after the other does not
 * wait for the device each time. Nothing but advice: what is no file is passed over, and without the addon nothing
 * happens.
 */
export function willReadFiles(paths: readonly string[], byteLength: number, backend: Backend | undefined): void {
  if (paths.length > 0) nativeBinding(backend)?.willReadFiles(listOf(paths), byteLength);
}

/** As the addon takes paths; one that no file can have becomes an empty one. */
function listOf(paths: readonly string[]): string {
  return paths.map((path) => (path.includes('\0') ? '' : path)).join('\0');
}
