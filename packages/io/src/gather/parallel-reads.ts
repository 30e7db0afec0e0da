// Runs the reads of a plan, a bounded number of them at a time. Settles only when none is under way any more, so that
// nobody writes to an output that was given up.
import type { RandomAccessSource } from '../source/source.ts';
import type { ReadStep } from './read-plan.ts';

/** Of a source that makes few of many: enough for its largest requests, and what their promises take is little. */
const READS_TO_COALESCE = 4096;
/** What the buffers of reads that are under way may take together. */
const BYTES_AT_ONCE = 32 * 1024 * 1024;

/** How many reads are asked for at a time. */
export function readsAtOnce({ coalesces, concurrency }: RandomAccessSource): number {
  return coalesces === true ? READS_TO_COALESCE : concurrency;
}

/** @throws what the first failing read threw, or the signal's reason. */
export async function runReads(
  steps: Iterable<ReadStep>,
  source: RandomAccessSource,
  signal: AbortSignal | undefined,
  run: (step: ReadStep) => Promise<void>,
): Promise<void> {
  const most = readsAtOnce(source);
  const running = new Set<Promise<void>>();
  let bytes = 0;
  const failures: unknown[] = [];
  const start = async (step: ReadStep): Promise<void> => {
    try {
      await run(step);
    } catch (error) {
      failures.push(error);
    }
  };
  for (const step of steps) {
    const size = bufferBytes(step);
    while (
      running.size >= (step.kind === 'barrier' ? 1 : most) ||
      (running.size > 0 && size > 0 && bytes + size > BYTES_AT_ONCE)
    )
      // Where many become few, they are asked for by the many.
      await (source.coalesces === true ? Promise.all(running) : Promise.race(running));
    if (failures.length > 0 || signal?.aborted === true) break;
    if (step.kind === 'barrier') continue;
    bytes += size;
    const read: Promise<void> = start(step).finally(() => {
      bytes -= size;
      running.delete(read);
    });
    running.add(read);
  }
  await Promise.all(running);
  signal?.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}

/** Direct reads go straight to the output. */
function bufferBytes(step: ReadStep): number {
  return step.kind === 'scatter' ? step.byteLength : 0;
}
