// What a call that should fail fails with, in one word that tests compare.
import { isColkitError } from '@colkit/io';

/** Runs it, or waits for it. @returns the code of an error of the family, 'no error', or the text of another error. */
export async function codeOf(run: () => unknown): Promise<string> {
  try {
    await run();
    return 'no error';
  } catch (error) {
    return isColkitError(error) ? error.code : `not ours: ${String(error)}`;
  }
}

/** The same with the text behind it: 'ERR_ARGUMENT: rows: expected …'. */
export async function codeAndText(run: () => unknown): Promise<string> {
  try {
    await run();
    return 'no error';
  } catch (error) {
    return isColkitError(error) ? `${error.code}: ${error.message}` : `not ours: ${String(error)}`;
  }
}
