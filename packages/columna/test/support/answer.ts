// What a question gives, or the code of the error that it is refused with.
import { isColkitError } from '@colkit/io';

export function answer(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    if (!isColkitError(error)) throw error;
    return error.code;
  }
}
