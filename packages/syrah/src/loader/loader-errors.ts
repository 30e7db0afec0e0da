// What goes wrong while batches are made: a sample that cannot be read, processed or collated, with item and key; and a
// loader that cannot go on.
import { ArgumentError, ColkitError, isColkitError, messageOf, withoutPath } from '@colkit/io';
import type { ColkitErrorCode } from '@colkit/io';
import { receivedError, sentError } from '@colkit/io/threads';
import type { SentError } from '@colkit/io/threads';

/** Where a sample comes from. */
export interface SampleOrigin {
  /** Its index in the dataset. */
  readonly index: number;
  /** Its item in the file; null for datasets of the caller's own. */
  readonly item: number | null;
  /** The file; null likewise. */
  readonly path: string | null;
}

/**
 * A sample that could not be read, processed or collated. `cause` is what went wrong (its `code` is also this error's,
 * where it has one).
 */
export class SampleError extends ColkitError {
  readonly index: number;
  readonly item: number | null;
  /** Null where the whole item is concerned. */
  readonly key: string | null;
  readonly path: string | null;

  constructor(origin: SampleOrigin, key: string | null, cause: unknown) {
    const name = origin.path ?? 'dataset';
    const where =
      `${name}: ` +
      (origin.item === null ? `sample ${String(origin.index)}` : `item ${String(origin.item)}`) +
      (key === null ? '' : `, key ${JSON.stringify(key)}`);
    super(isColkitError(cause) ? cause.code : 'ERR_VALUE', `${where}: ${withoutPath(messageOf(cause), name)}`, {
      cause,
    });
    this.index = origin.index;
    this.item = origin.item;
    this.key = key;
    this.path = origin.path;
  }
}

/**
 * A worker that ended or could not begin (with the `code` of what it failed with, else ERR_READ), or a batch that took
 * longer than `timeoutMs`.
 */
export class LoaderError extends ColkitError {
  readonly reason: 'worker' | 'timeout';

  constructor(reason: 'worker' | 'timeout', message: string, cause?: unknown, code: ColkitErrorCode = 'ERR_READ') {
    super(code, message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** What a thread failed with as plain data that it can send. */
export interface SentFailure {
  /** Of a sample's error. */
  readonly sample: { readonly origin: SampleOrigin; readonly key: string | null } | null;
  readonly cause: SentError;
}

export function packError(error: unknown): SentFailure {
  if (!(error instanceof SampleError)) return { sample: null, cause: sentError(error) };
  const { index, item, path, key, cause } = error;
  return { sample: { origin: { index, item, path }, key }, cause: sentError(cause) };
}

/**
 * The same error again: a SampleError whose cause has the name, message, code and stack of the thread's; an
 * ArgumentError, which is the caller's and no sample's; or a LoaderError of what the thread failed with.
 */
export function unpackError({ sample, cause: sent }: SentFailure): ColkitError {
  const cause = receivedError(sent);
  if (sample !== null) return new SampleError(sample.origin, sample.key, cause);
  if (cause instanceof ArgumentError) return cause;
  return new LoaderError('worker', `a loader worker failed: ${sent.message}`, cause, sent.code ?? 'ERR_READ');
}
