// The same names as page-jobs.ts for browsers, which have no addon to give jobs to.
export const MOST_IN_CHAIN = 0;
export const CHAIN_BYTES = 0;

export const PageJobs = {
  /** Always null. */
  of: (): null => null,
};
