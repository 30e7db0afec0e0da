// Small local files, many at a time: by one call of the addon, off the event loop.
import { nativeBinding } from '../../backend/native.ts';
import { fromNative } from '../../backend/native-errors.ts';
import type { Backend } from '../../backend/settings.ts';

/**
 * The bytes of each file; null for one that has to be opened: it is large, or not there, or there is no addon.
 * @param paths an empty one is no file. @param mostBytes of one file.
 */
export async function readSmallFiles(
  paths: readonly string[],
  mostBytes: number,
  backend: Backend | undefined,
): Promise<readonly (Uint8Array | null)[]> {
  const binding = nativeBinding(backend);
  if (binding === null || paths.every((path) => path === '')) return paths.map(() => null);
  // What was in that memory before is shown to nobody.
  const out = Buffer.allocUnsafeSlow(paths.length * mostBytes);
  const lengths = new Int32Array(paths.length);
  try {
    await binding.readSmallFiles(paths, out, lengths);
  } catch (error) {
    throw fromNative('read', paths[0] ?? '', error);
  }
  const all = new Uint8Array(lengths.reduce((sum, length) => sum + Math.max(0, length), 0));
  let end = 0;
  return Array.from(lengths, (length, k) => {
    if (length < 0) return null;
    all.set(out.subarray(k * mostBytes, k * mostBytes + length), end);
    end += length;
    return all.subarray(end - length, end);
  });
}
