// The working end: a job -> the partial state of its split. The job comes from whoever reaches Redis: it is checked,
// and opens only what is allowed.
import {
  ArgumentError,
  LimitError,
  SOURCE_OPTIONS,
  checkOptions,
  describeValue,
  isPathBelow,
  option,
} from '@colkit/io';
import type { ObjectStore, OpenSourceOptions, OptionSet } from '@colkit/io';
import { Job, UnrecoverableError, Worker } from 'bullmq';
import type { ConnectionOptions, WorkerOptions } from 'bullmq';
import { partial } from 'columna';
import type { PartFormat, PartialState } from 'columna';
import { checkedTask, isFinal, reasonOf } from './scan-job.ts';
import type { ScanJob } from './scan-job.ts';

/** How often a running job is asked whether its run was given up. */
const WATCH_MS = 1000;
const MAX_RESULT_BYTES = 1 << 20;

/**
 * Folders or URLs that paths have to be below, or a function that decides about each path. No path with `..` in it is
 * allowed or asked about. Links are followed: what is below a folder is what its links lead to.
 */
export type AllowedPaths = string | readonly string[] | ((path: string) => boolean | Promise<boolean>);

/** How files are read: keys and functions, which no job holds. */
export interface ScanSource extends OpenSourceOptions {
  /** Where the files are, of a dataset that is opened from a store. */
  readonly store?: ObjectStore;
  /** Further formats: `[cstoreParts]` of colstore. */
  readonly formats?: readonly PartFormat[];
}

export interface ScanWorkerOptions {
  /** As BullMQ takes it. */
  readonly connection: ConnectionOptions;
  /** Name of the queue. It is for scans alone: other jobs in it fail. */
  readonly queue: string;
  /** Which files jobs may name. */
  readonly allow: AllowedPaths;
  /** How files are read, with what keys. */
  readonly source?: ScanSource;
  /** Of the queue's keys in Redis. Default: BullMQ's. */
  readonly prefix?: string;
  /** Splits at a time; each uses the threads of this process. Default 1. */
  readonly concurrency?: number;
  /** Bytes of a state as JSON: a larger one fails its run. Default 1 MiB. */
  readonly maxResultBytes?: number;
  /** Further options of BullMQ's worker: `lockDuration`, `maxStalledCount`, … */
  readonly worker?: Omit<WorkerOptions, 'connection' | 'prefix' | 'concurrency'>;
}

const SOURCE: OptionSet<ScanSource> = {
  ...SOURCE_OPTIONS,
  store: option.object('a store'),
  formats: option.kind<readonly PartFormat[]>('a list of formats', (value) => Array.isArray(value)),
};

const OPTIONS: OptionSet<ScanWorkerOptions> = {
  connection: option.object('a connection of BullMQ'),
  queue: option.text,
  allow: option.kind<AllowedPaths>('a path, paths or a function', isAllowed),
  source: option.inner(SOURCE),
  prefix: option.text,
  concurrency: option.count('splits', 1),
  maxResultBytes: option.count('bytes', 1),
  worker: option.kind<NonNullable<ScanWorkerOptions['worker']>>('options of BullMQ without a connection', isMore),
};

function isAllowed(value: unknown): boolean {
  const paths: readonly unknown[] = Array.isArray(value) ? value : [value];
  return typeof value === 'function' || paths.every((each) => typeof each === 'string' && each !== '');
}

/** What is said beside the options of BullMQ is not said in them. */
function isMore(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !['connection', 'prefix', 'concurrency'].some((name) => name in value)
  );
}

/**
 * A worker of BullMQ that answers the jobs of `runDistributed`: `close()` it, and listen to its `error` event. It gives
 * a job up when the run is given up, or its lock is lost.
 * @throws ArgumentError
 */
export function createScanWorker(options: ScanWorkerOptions): Worker<ScanJob, PartialState> {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null)
    throw new ArgumentError('ERR_ARGUMENT', 'createScanWorker: options', 'an object', describeValue(given));
  checkOptions('createScanWorker', OPTIONS, options);
  const { connection, queue, allow, prefix, concurrency = 1, worker: more = {} } = options;
  for (const name of ['connection', 'queue', 'allow'] as const)
    if ((options as Partial<ScanWorkerOptions>)[name] === undefined)
      throw new ArgumentError('ERR_ARGUMENT', name, OPTIONS[name].expected, 'nothing');
  const worker: Worker<ScanJob, PartialState> = new Worker(
    queue,
    // BullMQ counts the parameters: with three a job can be cancelled.
    async (job: Job<ScanJob, PartialState>, _token, signal) => {
      const abort = new AbortController();
      signal?.addEventListener('abort', () => abort.abort(new Error(String(signal.reason))));
      const watch = setInterval(() => void giveUpIfCancelled(worker, job), WATCH_MS);
      try {
        return await scan(job, options, allow, abort.signal);
      } catch (error) {
        const isOver = isCancelled(job) || isFinal(error);
        throw isOver ? new UnrecoverableError(reasonOf(error)) : new Error(reasonOf(error), { cause: error });
      } finally {
        clearInterval(watch);
      }
    },
    // One process that is killed takes a split back at most twice.
    { maxStalledCount: 2, ...more, connection, concurrency, ...(prefix === undefined ? {} : { prefix }) },
  );
  worker.on('lockRenewalFailed', (ids) => {
    for (const id of ids) worker.cancelJob(id, 'the lock was lost');
  });
  return worker;
}

async function scan(
  job: Job<ScanJob, PartialState>,
  { source = {}, maxResultBytes = MAX_RESULT_BYTES }: ScanWorkerOptions,
  allow: AllowedPaths,
  signal: AbortSignal,
): Promise<PartialState> {
  const task = checkedTask(job.name, job.data);
  if (isCancelled(job)) throw new Error('cancelled');
  const within = await allowedFolder(task.split.path, allow);
  const state = await partial(task, { ...source, signal, within });
  signal.throwIfAborted();
  const byteLength = Buffer.byteLength(JSON.stringify(state));
  if (byteLength > maxResultBytes)
    throw new LimitError('ERR_LIMIT', 'bytes of a state (fewer groups, or maxResultBytes)', maxResultBytes, byteLength);
  return state;
}

/** @throws ArgumentError where the path is none of those allowed. */
async function allowedFolder(path: unknown, allow: AllowedPaths): Promise<string> {
  const refused = new ArgumentError('ERR_ARGUMENT', 'split.path', 'a path that is allowed', describeValue(path));
  // In URLs a dot may be written %2e.
  if (typeof path !== 'string' || path.replace(/%2e/giu, '.').split(/[/\\]/u).includes('..')) throw refused;
  if (typeof allow === 'function') {
    if (!(await allow(path))) throw refused;
    return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  }
  const folder = [allow].flat().find((each) => isPathBelow(path, each));
  if (folder === undefined) throw refused;
  return folder;
}

/** Whatever is in the job. */
function isCancelled({ data }: { readonly data: unknown }): boolean {
  return (data as ScanJob | null | undefined)?.cancelled === true;
}

async function giveUpIfCancelled(
  worker: Worker<ScanJob, PartialState>,
  job: Job<ScanJob, PartialState>,
): Promise<void> {
  try {
    const now = await Job.fromId<ScanJob, PartialState>(worker, job.id ?? '');
    if (now !== undefined) job.data = now.data;
    if (now === undefined || isCancelled(now)) worker.cancelJob(job.id ?? '', 'cancelled');
  } catch {
    // Redis does not answer at the moment: asked again.
  }
}
