// Worker threads between two uses. A thread that starts has everything to compile, which takes as long as several
// megabytes of work; one that was at work before goes on at full speed.
import { Worker } from 'node:worker_threads';

/** How long a thread waits for more to do. It keeps no process alive meanwhile, but the memory that it works with. */
const KEPT_MS = 60_000;

/** By what they run: those that wait, and when they end. */
const waiting = new Map<string, Map<Worker, NodeJS.Timeout>>();

/** A thread that runs the script: one that waits, or a new one. Nobody listens to it, and it keeps no process alive. */
export function takeThread(script: URL): Worker {
  const threads = waiting.get(script.href);
  const [kept] = threads ?? [];
  if (kept === undefined) {
    const worker = new Worker(script, { name: 'columna', ...inheritedOptions() });
    worker.unref();
    return worker;
  }
  const [worker, timer] = kept;
  clearTimeout(timer);
  threads?.delete(worker);
  return silenced(worker);
}

/** For later: a thread that has answered everything it was asked. */
export function keepThread(script: URL, worker: Worker): void {
  const threads = waiting.get(script.href) ?? new Map<Worker, NodeJS.Timeout>();
  waiting.set(script.href, threads);
  const forget = (): void => {
    clearTimeout(threads.get(worker));
    threads.delete(worker);
  };
  threads.set(
    worker,
    setTimeout(() => {
      forget();
      void worker.terminate();
    }, KEPT_MS).unref(),
  );
  silenced(worker).on('error', forget).on('exit', forget);
}

function silenced(worker: Worker): Worker {
  for (const event of ['message', 'messageerror', 'error', 'exit']) worker.removeAllListeners(event);
  return worker;
}

/**
 * Workers inherit the process's options, but a script's type given by option (`node --input-type=module -e …`) refuses
 * to start one.
 */
function inheritedOptions(): { execArgv?: string[] } {
  const kept = process.execArgv.filter((option) => !option.startsWith('--input-type'));
  return kept.length === process.execArgv.length ? {} : { execArgv: [] };
}
