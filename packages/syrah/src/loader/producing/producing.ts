// What makes batches: where that is. In builds for browsers it is loaded with the first iteration.
import * as producing from './producers.ts';

/** @returns a promise where it is not here yet. */
export function producers(): typeof producing | Promise<typeof producing> {
  return producing;
}
