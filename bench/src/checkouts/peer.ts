// What a candidate is: the contract of every module in peers/. One file here is one more library or format in the
// comparison; the harness finds it by itself. A module exports `peer`. Peers in Python speak the same requests through
// peers/python/_protocol.py.

/**
 * Typed arrays by name: what a task's result is compared by. The bytes count, so that every language computes the same
 * digest.
 */
export type Outputs = Readonly<Record<string, ArrayBufferView>>;

/**
 * One timed piece of work. `run` must do all of it anew each time; `iteration` counts the runs, so that small work can
 * take other rows each time.
 */
export interface SyncTask<R = unknown> {
  readonly kind: 'sync';
  run(iteration: number): R;
  /** The result as arrays. Not timed. */
  outputs(result: R): Outputs | Promise<Outputs>;
  /** Makes what the runs need, before the first one after another task. Not timed. */
  readonly ready?: (() => void) | undefined;
}

export interface AsyncTask<R = unknown> {
  readonly kind: 'async';
  run(iteration: number): Promise<R>;
  outputs(result: R): Outputs | Promise<Outputs>;
  readonly ready?: (() => void) | undefined;
}

export type Task = SyncTask | AsyncTask;

/** Where a suite's data lies and how large it is. */
export interface SuiteContext {
  /** The suite's raw columns and inputs: the same files for all peers. */
  readonly directory: string;
  /** A folder for the files that this peer builds from them; exists. */
  readonly ownDirectory: string;
  readonly parameters: Readonly<Record<string, number>>;
}

/** A variant of a peer that is ready to be measured: inputs are in memory, its file is not open yet. */
export interface Workload {
  /**
   * The files that it reads: their cache state is recorded, and they are dropped from the cache where cold reads are
   * asked for.
   */
  readonly files: readonly string[];
  /** What a user pays before the first result: opening, mapping or reading files. Timed. */
  load(): void | Promise<void>;
  /** By the suite's task names. A task that the library cannot do is left out, and reported as not offered. */
  readonly tasks: Readonly<Record<string, Task>>;
  /**
   * Lets go of what only some tasks need (columns to be written, say): called before another task begins. What one task
   * keeps, the garbage collections of all later ones have to look at.
   */
  release?(): void;
  close(): void | Promise<void>;
}

export interface PeerSuite {
  /** The ways to use this library that are measured, each in a process of its own. */
  readonly variants: readonly string[];
  /** Writes the peer's own files into `ownDirectory`, once for each data set. Not timed. */
  build?(context: SuiteContext): void | Promise<void>;
  /** Reads the inputs (rows, masks). Not timed. */
  prepare(variant: string, context: SuiteContext): Workload | Promise<Workload>;
}

export interface Peer {
  readonly name: string;
  /** Not measured unless it is named with --peers: diagnostic peers. */
  readonly onRequest?: boolean;
  /**
   * Imports what is measured; resolves to the versions of it. Whatever it throws is reported as the reason why this
   * peer is missing.
   */
  load(): Promise<Readonly<Record<string, string>>>;
  readonly suites: Readonly<Record<string, PeerSuite>>;
}

/** Keeps a task's result type inside the task. */
export function syncTask<R>(
  run: (iteration: number) => R,
  outputs: (result: R) => Outputs | Promise<Outputs>,
  ready?: () => void,
): Task {
  const task: SyncTask<R> = { kind: 'sync', run, outputs, ready };
  return task;
}

/** The same for work that is awaited. */
export function asyncTask<R>(
  run: (iteration: number) => Promise<R>,
  outputs: (result: R) => Outputs | Promise<Outputs>,
  ready?: () => void,
): Task {
  const task: AsyncTask<R> = { kind: 'async', run, outputs, ready };
  return task;
}
