// Arrays of a caller whose buffers were transferred to another thread: they have no elements any more, which is not the
// same as having none.
import { ClosedError } from '@colkit/io';

/** What was given, where its memory is there. @throws ClosedError ERR_DETACHED. */
export function attached<T>(given: T, operation: string, what: string): T {
  if (ArrayBuffer.isView(given) && given.byteLength === 0 && isDetached(given.buffer))
    throw new ClosedError(operation, what, 'ERR_DETACHED');
  return given;
}

/** Runtimes of before 2024 do not say it. */
function isDetached(buffer: ArrayBufferLike): boolean {
  if (buffer.byteLength > 0) return false;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}
