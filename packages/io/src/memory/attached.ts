// Arrays of a caller whose buffers were transferred to another thread, or cut before an array's end: they have no
// elements any more, which is not the same as having none.
import { tagOf } from '../errors/tags.ts';
import { ClosedError } from '../errors/errors.ts';

/** Whether its memory is there; true for what has no buffer. */
export function isAttached(given: unknown): boolean {
  try {
    if (ArrayBuffer.isView(given)) {
      // The elements of an array without its memory are an error, as is the length of such a DataView.
      if (given.byteLength === 0) (given as { keys?: () => unknown }).keys?.();
      return true;
    }
    const buffer = isBuffer(given) ? given : (given as { buffer?: unknown } | null | undefined)?.buffer;
    // Runtimes of before 2024 do not say it.
    if (isBuffer(buffer)) new Uint8Array(buffer);
    return true;
  } catch {
    return false;
  }
}

/** Of any realm. */
function isBuffer(given: unknown): given is ArrayBuffer {
  return given instanceof ArrayBuffer || tagOf(given) === 'ArrayBuffer';
}

/** What was given, where its memory is there. @throws ClosedError ERR_DETACHED, with `operation` and `what`. */
export function attached<T>(given: T, operation: string, what: string): T {
  if (!isAttached(given)) throw new ClosedError(operation, what, 'ERR_DETACHED');
  return given;
}
