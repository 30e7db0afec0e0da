// Whether somebody adds to a file at this moment.
import type { RandomAccessSource } from '@colkit/io';
import { isBeingWritten } from '@colkit/io/durable';
import type { Work } from '@colkit/io/effects';

/** Of local files; false of all else. */
export function beingWritten({ path }: RandomAccessSource): Work<boolean> {
  return isBeingWritten(path);
}
