// What goes wrong while batches are made: a sample that cannot be read, processed or collated, with item and key; and a
// loader that cannot go on.
import { ArgumentError, ColkitError, isColkitError } from '@colkit/io';
import type { ColkitErrorCode } from '@colkit/io';

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
    const where = `${origin.path ?? 'dataset'}: ${origin.item === null ? `sample ${String(origin.index)}` : `item ${String(origin.item)}`}${key === null ? '' : `, key ${JSON.stringify(key)}`}`;
    super(
      isColkitError(cause) ? cause.code : 'ERR_VALUE',
      `${where}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
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

/** The error of a sample as plain data that a thread can send. */
export interface SentError {
  readonly origin: SampleOrigin | null;
  readonly key: string | null;
  readonly name: string;
  readonly message: string;
  readonly code: ColkitErrorCode | null;
  /** Of an ArgumentError, which is the caller's and no sample's. */
  readonly argument: Pick<ArgumentError, 'argument' | 'expected' | 'found'> | null;
  readonly stack: string | null;
}

export function packError(error: unknown): SentError {
  const cause = error instanceof SampleError ? error.cause : error;
  const { name, message, stack } =
    cause instanceof Error ? cause : { name: 'Error', message: String(cause), stack: undefined };
  const origin = error instanceof SampleError ? { index: error.index, item: error.item, path: error.path } : null;
  const argument =
    cause instanceof ArgumentError ? { argument: cause.argument, expected: cause.expected, found: cause.found } : null;
  return {
    origin,
    argument,
    key: error instanceof SampleError ? error.key : null,
    name,
    message,
    code: isColkitError(cause) ? cause.code : null,
    stack: stack ?? null,
  };
}

/**
 * The same error again: a SampleError whose cause has the name, message, code and stack of the thread's; an
 * ArgumentError; or a LoaderError of what the thread failed with.
 */
export function unpackError(sent: SentError): ColkitError {
  const cause = new Error(sent.message);
  cause.name = sent.name;
  if (sent.stack !== null) cause.stack = sent.stack;
  if (sent.code !== null) Object.defineProperty(cause, 'code', { value: sent.code, enumerable: true });
  if (sent.origin === null && sent.argument !== null) {
    const { argument, expected, found } = sent.argument;
    const error = new ArgumentError('ERR_ARGUMENT', argument, expected, found);
    error.cause = cause;
    return error;
  }
  if (sent.origin === null)
    return new LoaderError('worker', `a loader worker failed: ${sent.message}`, cause, sent.code ?? 'ERR_READ');
  return new SampleError(sent.origin, sent.key, cause);
}
