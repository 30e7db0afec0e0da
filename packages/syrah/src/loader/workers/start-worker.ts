// A thread that runs the worker script, and the port to it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { LoaderError } from '../loader-errors.ts';
import type { WorkerMessage, WorkerStart } from './wire.ts';

export interface StartedWorker {
  readonly worker: Worker;
  /**
   * Tasks out, results in. A port of our own, because results that have arrived can be taken from it at once, without a
   * turn of the event loop.
   */
  readonly port: MessagePort;
  /** A message that has arrived; null where none has. */
  take(): WorkerMessage | null;
}

/** The worker script, and the process's options for it. */
export interface WorkerEntry {
  readonly url: URL;
  readonly options: { readonly execArgv?: string[] };
}

export function startWorker(start: WorkerStart, { url, options }: WorkerEntry): StartedWorker {
  const { port1: port, port2 } = new MessageChannel();
  const worker = new Worker(url, {
    ...options,
    workerData: { ...start, port: port2 },
    transferList: [port2],
    name: 'syrah loader',
  });
  return { worker, port, take: () => (receiveMessageOnPort(port)?.message as WorkerMessage | undefined) ?? null };
}

/**
 * Workers inherit the process's options, but a script's type given by option (`node --input-type=module -e …`) refuses
 * to start one: then only what finds modules is passed on.
 */
function inheritedOptions(): { execArgv?: string[] } {
  const { execArgv } = process;
  if (!execArgv.some((option) => option.startsWith('--input-type'))) return {};
  const kept = execArgv.filter(
    (option, k) =>
      MODULE_OPTION.test(option) ||
      (MODULE_OPTION.test(execArgv[k - 1] ?? '') && !(execArgv[k - 1] ?? '').includes('=')),
  );
  return { execArgv: kept };
}

const MODULE_OPTION = /^(?:-C|-r|--conditions|--import|--require|--loader|--experimental-loader)(?:=|$)/;

/**
 * The built worker script: beside this file once built, in `dist` where this runs from source (whose resolve conditions
 * plain workers must not inherit).
 * @throws LoaderError where it is missing.
 */
export function workerEntry(): WorkerEntry {
  const built = new URL('./loader-worker.js', import.meta.url);
  if (existsSync(fileURLToPath(built))) return { url: built, options: inheritedOptions() };
  const fromSource = new URL('../../../dist/loader-worker.js', import.meta.url);
  if (existsSync(fileURLToPath(fromSource))) return { url: fromSource, options: { execArgv: [] } };
  throw new LoaderError(
    'worker',
    `the worker script ${fileURLToPath(built)} is missing: is the package whole (and, in its repository, built)?`,
  );
}
