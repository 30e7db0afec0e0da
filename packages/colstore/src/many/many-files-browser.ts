// The same names as in many-files.ts for browsers, where no table is of several files.
import { UnsupportedError } from '@colkit/io';

/** Nothing is one. */
export class ManyFiles {
  readonly parts: readonly { readonly name: string }[] = [];
}

/** Never called: `givenFiles` gives none. @throws UnsupportedError. */
export function openMany(): never {
  throw new UnsupportedError('ERR_FEATURE', 'several files as one table', 'several files as one table need Node');
}
