// What the operations of one work share: who may give it up, how many threads it may use, and what it cost.
import type { FileOperations } from './file-operations.ts';

/** The options of a user that concern a whole work. */
export interface WorkOptions {
  /** Gives the work up. */
  readonly signal?: AbortSignal | undefined;
  /** Most threads of one operation; absent or 0: the process-wide setting. */
  readonly workers?: number | undefined;
  /** In place of the system's files: for tests. */
  readonly operations?: FileOperations | undefined;
}

export class WorkContext {
  readonly signal: AbortSignal | undefined;
  /** 0: the process-wide setting. */
  readonly workers: number;
  /** Undefined: the system's. */
  readonly files: FileOperations | undefined;
  /** Every byte that was asked of a source. */
  bytesRead = 0;

  constructor({ signal, workers = 0, operations }: WorkOptions = NO_OPTIONS) {
    this.signal = signal;
    this.workers = workers;
    this.files = operations;
  }
}

const NO_OPTIONS: WorkOptions = Object.freeze({});
