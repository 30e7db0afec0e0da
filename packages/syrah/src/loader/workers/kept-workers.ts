// How long the threads of a loader wait between two epochs.
import { KeptThreads } from '@colkit/io/threads';

/**
 * After its first iteration nobody knows whether a loader gets another one: programs that make a loader for each epoch
 * must not gather threads.
 */
const IDLE_FIRST_MS = 1000;
/** Later: longer than most pauses between epochs. */
const IDLE_MS = 10_000;

/** A loader's workers between two of its iterations. */
export function keptWorkers(workers: number, iterations: () => number): KeptThreads {
  return new KeptThreads({ most: workers, idleMs: () => (iterations() > 1 ? IDLE_MS : IDLE_FIRST_MS) });
}
