// The same names as filter-jobs.ts for browsers, which have no addon to give jobs to.
import type { Work } from '@colkit/io/effects';

export class FilterJobs {
  /** Always null: there is nothing for the addon. */
  *start(): Work<null> {
    return null;
  }
}
