// Arrays of a caller whose buffers were transferred to another thread: they have no elements any more, which is not the
// same as having none.
import { ClosedError } from '../errors/errors.ts';
import { isFloat16Array } from './float16.ts';
import { bytesOfArray } from './typed-array.ts';

/** Whether its memory is there; true for what is no typed array. */
export function isAttached(given: unknown): boolean {
  if (given instanceof ArrayBuffer) return given.byteLength > 0 || hasMemory(() => new Uint8Array(given));
  if (!ArrayBuffer.isView(given) && !isFloat16Array(given)) return true;
  return given.byteLength > 0 || hasMemory(() => bytesOfArray(given));
}

/** What was given, where its memory is there. @throws ClosedError ERR_DETACHED, with `operation` and `what`. */
export function attached<T>(given: T, operation: string, what: string): T {
  if (!isAttached(given)) throw new ClosedError(operation, what, 'ERR_DETACHED');
  return given;
}

/** Runtimes of before 2024 do not say whether a buffer is detached. */
function hasMemory(look: () => Uint8Array): boolean {
  try {
    look();
    return true;
  } catch {
    return false;
  }
}
