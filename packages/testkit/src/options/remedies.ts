// What an error tells its reader to do, tried: the error is provoked, its text is the one that the test follows, and
// what it says works.
import { isColkitError } from '@colkit/io';

export interface Remedy {
  readonly what: string;
  /** What fails, now or later. */
  readonly fails: () => unknown;
  /** The words that are followed. */
  readonly says: string;
  /** Does what they say. */
  readonly helps: () => unknown;
  /** What comes of it. */
  readonly gives: unknown;
}

/**
 * What comes of following the words.
 * @throws where nothing failed, where it was another error, or where the words are others.
 */
export async function followed({ fails, says, helps }: Pick<Remedy, 'fails' | 'says' | 'helps'>): Promise<unknown> {
  const error = await failureOf(fails);
  if (!isColkitError(error)) throw new Error(`not an error of the family: ${String(error)}`);
  if (!error.message.includes(says))
    throw new Error(`expected the words ${JSON.stringify(says)} but found ${JSON.stringify(error.message)}`);
  return helps();
}

async function failureOf(run: () => unknown): Promise<unknown> {
  try {
    await run();
    return null;
  } catch (error) {
    return error;
  }
}
