// Runs the reads of a plan, a bounded number of them at a time. Settles only when none is under way any more, so that
// nobody writes to an output that was given up.
import type { ReadStep } from './read-plan.ts';

/** @param most reads at a time. @throws what the first failing read threw, or the signal's reason. */
export async function runReads(
  steps: Iterable<ReadStep>,
  most: number,
  signal: AbortSignal | undefined,
  run: (step: ReadStep) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const start = async (step: ReadStep): Promise<void> => {
    try {
      await run(step);
    } catch (error) {
      failures.push(error);
    }
  };
  for (const step of steps) {
    while (running.size >= (step.kind === 'barrier' ? 1 : most)) await Promise.race(running);
    if (failures.length > 0 || signal?.aborted === true) break;
    if (step.kind === 'barrier') continue;
    const read: Promise<void> = start(step).finally(() => running.delete(read));
    running.add(read);
  }
  await Promise.all(running);
  signal?.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}
