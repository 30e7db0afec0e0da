// Memory that is shared by items must not be transferred away with one of them.
export { markAsUntransferable } from 'node:worker_threads';

/** Larger items get memory of their own. */
export const LARGEST_SHARE_BYTES = 16 * 1024;
