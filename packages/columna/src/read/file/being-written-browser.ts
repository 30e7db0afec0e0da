// The same names as being-written.ts: browsers see no file while somebody adds to it.
import type { Work } from '@colkit/io/effects';

// eslint-disable-next-line require-yield -- a work, as where files can be looked at
export function* beingWritten(): Work<boolean> {
  return false;
}
