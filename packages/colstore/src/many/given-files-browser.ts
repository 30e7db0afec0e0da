// The same name as in given-files.ts for browsers: one file, since there are no folders to look into.
import { UnsupportedError, isSource } from '@colkit/io';
import type { Work } from '@colkit/io/effects';

/** Null: it is one file. @throws UnsupportedError ERR_FEATURE for a list. */
// eslint-disable-next-line require-yield -- in Node it looks at paths
export function* givenFiles(what: unknown): Work<null> {
  if (Array.isArray(what) && !isSource(what))
    throw new UnsupportedError(
      'ERR_FEATURE',
      'several files as one table',
      'several files as one table need Node; in a browser open each of them',
    );
  return null;
}
