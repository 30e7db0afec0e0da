// Worker threads for writers, from the scripts of the build. Nothing of an answer is given away, large parts are small
// enough to be copied or in shared memory: a thread that gives away an array once runs slower from then on, because its
// loops must ask each array whether it is still there.
import { ArgumentError } from '@colkit/io';
import { KeptThreads, ThreadPool, findScript, mayStartThreads, receivedError } from '@colkit/io/threads';
import type { SentError, ThreadScript } from '@colkit/io/threads';

/** How long a thread waits for more to do: it keeps the memory that it works with. */
const IDLE_MS = 60_000;

/** By what they run. */
const kept = new Map<string, KeptThreads>();

interface WorkersOptions {
  readonly threads: number;
  /** Tasks that a thread has at once; 1 unless told. */
  readonly depth?: number;
  /** What the threads do, for messages. */
  readonly doing: string;
}

/** Threads that have few tasks each: whoever is free gets the next. */
export function startWorkers<Task, Result>(
  script: ThreadScript,
  { threads, depth = 1, doing }: WorkersOptions,
): ThreadPool<Task, Result> {
  const waiting = kept.get(script.url.href) ?? new KeptThreads({ idleMs: () => IDLE_MS });
  kept.set(script.url.href, waiting);
  return new ThreadPool(
    {
      script,
      name: 'columna',
      unpackError: (sent) => {
        const error = receivedError(sent as SentError);
        if (error instanceof ArgumentError) return error;
        return new Error(`a worker thread failed to ${doing}: ${error.message}`, { cause: error });
      },
      ended: (what, cause) => new Error(`a worker thread ${what}`, { cause }),
    },
    { count: threads, depth, kept: waiting, holdsWhileAsked: true },
  );
}

/**
 * What is made of threads that run a script. Null where the package runs from its sources, in a bundle that lacks the
 * script, where threads are forbidden, and where the system has none to give, as in a container that limits them.
 */
export function onWorkers<T>(built: string, make: (script: ThreadScript) => T): T | null {
  const script = mayStartThreads() ? findScript({ from: import.meta.url, built }) : null;
  if (script === null) return null;
  try {
    return make(script);
  } catch {
    return null;
  }
}
