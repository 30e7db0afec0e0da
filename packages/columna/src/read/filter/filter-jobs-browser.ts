// The same names as filter-jobs.ts for browsers, which have no addon to test terms.
import type { Work } from '@colkit/io/effects';

export class FilterJobs {
  // eslint-disable-next-line require-yield -- in Node it waits for dictionaries
  *start(): Work<null> {
    return null;
  }
}

export function isForAddon(): boolean {
  return false;
}
