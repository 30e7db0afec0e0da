// A split that nobody could work on: which one, and why.
import type { Split } from 'columna';

/** ERR_CRC, ERR_FILE_CHANGED, … in front of what a worker told. */
const CODE = /^(ERR_[A-Z_]+): /u;
/** What BullMQ says of a job whose workers died or stood still too often. */
const STALLED = /stalled more than allowable limit/u;

/**
 * A split that failed for good: the run has no answer. `code` is the reason that the worker told (`ERR_CRC`,
 * `ERR_FILE_CHANGED`, …), `ERR_STALLED` where its workers died or stood still, `ERR_REMOVED` where its job vanished
 * from the queue again and again, else `ERR_SPLIT`.
 */
export class SplitError extends Error {
  override readonly name = 'SplitError';
  readonly code: string;
  /** Of the file; a URL comes without its query. */
  readonly path: string;
  /** Which rows of the file, that is which row groups: [start, end). */
  readonly rows: { readonly start: number; readonly end: number };
  /** What the worker said. */
  readonly reason: string;
  /** How often the work was begun and failed. */
  readonly attempts: number;
  readonly split: Split;

  constructor(split: Split, reason: string, attempts: number, code?: string) {
    const path = split.path.replace(/^([a-z]+:\/\/[^?#]*)[?#].*$/isu, '$1');
    const { start, end } = split.rows;
    super(`${path}: rows [${String(start)}, ${String(end)}): ${reason}`);
    this.code = code ?? CODE.exec(reason)?.[1] ?? (STALLED.test(reason) ? 'ERR_STALLED' : 'ERR_SPLIT');
    this.path = path;
    this.rows = split.rows;
    this.reason = reason;
    this.attempts = attempts;
    this.split = split;
  }
}
