// The footer of a file as its readers see it: the one at its end, or, while a living writer adds to the file, the last
// one that it has finished.
import { isColkitError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import type { Footer } from '../../layout/footer.ts';
import { beingWritten } from './being-written.ts';
import { findLastFooter } from './find-footer.ts';
import { checkEntries, readFooter } from './read-footer.ts';
import type { ReadLimits } from './read-footer.ts';

/** @throws as `readFooter`: ERR_UNCOMMITTED_TAIL where the writer is dead, and where it has just ended. */
export function* committedFooter(source: RandomAccessSource, limits: ReadLimits): Work<Footer> {
  try {
    return yield* readFooter(source, limits, aheadOf(source));
  } catch (error) {
    const found = isUncommitted(error) && (yield* beingWritten(source)) ? yield* findLastFooter(source, limits) : null;
    if (found === null) throw error;
    checkEntries(found.footer, source.path);
    return found.footer;
  }
}

export function isUncommitted(error: unknown): boolean {
  return isColkitError(error) && error.code === 'ERR_UNCOMMITTED_TAIL';
}

/** Where a request costs more than bytes, more of the file's end is asked for at once. */
function aheadOf({ isSync, gapBytes }: RandomAccessSource): number {
  return isSync ? 0 : gapBytes;
}
