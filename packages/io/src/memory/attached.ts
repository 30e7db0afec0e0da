// Arrays of a caller whose buffers were transferred to another thread: they have no elements any more, which is not the
// same as having none.
import { tagOf } from '../errors/tags.ts';
import { ClosedError } from '../errors/errors.ts';

/** Whether its memory is there; true for what has no buffer. */
export function isAttached(given: unknown): boolean {
  // A view first: it is what is mostly given, and its tag takes longer to be asked for.
  const isOther = ArrayBuffer.isView(given) || !isBuffer(given);
  const buffer = isOther ? (given as { buffer?: unknown } | null | undefined)?.buffer : given;
  if (!isBuffer(buffer) || buffer.byteLength > 0) return true;
  try {
    // Runtimes of before 2024 do not say it.
    new Uint8Array(buffer);
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
