// The error family of all colkit packages. The class says what a caller can do about it, `code` is the exact reason,
// the fields carry the facts; message texts are for people and may change.
import { describeValue } from './describe-value.ts';
import { nearestName } from './nearest-name.ts';
import { isError } from './system-error.ts';

export type ColkitErrorCode =
  | 'ERR_MAGIC'
  | 'ERR_TRUNCATED'
  | 'ERR_MANIFEST'
  | 'ERR_METADATA'
  | 'ERR_CRC'
  | 'ERR_UNCOMMITTED_TAIL'
  | 'ERR_LAYOUT'
  | 'ERR_VERSION'
  | 'ERR_DTYPE'
  | 'ERR_ENCODING'
  | 'ERR_FEATURE'
  | 'ERR_LIMIT'
  | 'ERR_METADATA_TOO_LARGE'
  | 'ERR_ARGUMENT'
  | 'ERR_VALUE'
  | 'ERR_SCHEMA'
  | 'ERR_OUT_BUFFER'
  | 'ERR_UNSAFE_INTEGER'
  | 'ERR_INDEX_OUT_OF_RANGE'
  | 'ERR_UNKNOWN_COLUMN'
  | 'ERR_QUERY_SYNTAX'
  | 'ERR_QUERY_TYPE'
  | 'ERR_MISALIGNED'
  | 'ERR_NOT_MAPPED'
  | 'ERR_VIEW_TOO_LARGE'
  | 'ERR_HAS_NULLS'
  | 'ERR_NOT_CONTIGUOUS'
  | 'ERR_NOT_VIEWABLE'
  | 'ERR_TOO_MANY_VIEWS'
  | 'ERR_CLOSED'
  | 'ERR_DETACHED'
  | 'ERR_READ'
  | 'ERR_WRITE'
  | 'ERR_NOT_FOUND'
  | 'ERR_EXISTS'
  | 'ERR_FILE_CHANGED'
  | 'ERR_LOCKED'
  | 'ERR_CONFLICT'
  | 'ERR_REMOTE_RANGE'
  | 'ERR_NATIVE_UNAVAILABLE';

/** Every error that a colkit package throws on purpose. */
export abstract class ColkitError extends Error {
  readonly code: ColkitErrorCode;

  protected constructor(code: ColkitErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

export interface CorruptFileDetails {
  /** The path or name of the source. */
  readonly path: string;
  /** Which part of the file: 'header', 'manifest', 'record 3 header', 'page', … */
  readonly region: string;
  /** Where it starts in the file, in bytes. */
  readonly byteOffset: number;
  readonly expected: string;
  readonly found: string;
  readonly column?: string;
  readonly rowGroup?: number;
  readonly page?: number;
  readonly cause?: unknown;
}

/** The bytes are not what the format allows: a damaged, truncated or foreign file. */
export class CorruptFileError extends ColkitError {
  readonly path: string;
  readonly region: string;
  readonly byteOffset: number;
  readonly expected: string;
  readonly found: string;
  readonly column: string | undefined;
  readonly rowGroup: number | undefined;
  readonly page: number | undefined;

  constructor(
    code:
      | 'ERR_MAGIC'
      | 'ERR_TRUNCATED'
      | 'ERR_MANIFEST'
      | 'ERR_METADATA'
      | 'ERR_CRC'
      | 'ERR_UNCOMMITTED_TAIL'
      | 'ERR_LAYOUT',
    details: CorruptFileDetails,
  ) {
    const where = details.column === undefined ? '' : ` (column ${JSON.stringify(details.column)})`;
    super(
      code,
      `${details.path}: ${details.region}${where} at byte ${String(details.byteOffset)}: expected ` +
        `${details.expected} but found ${details.found}`,
      causeOf(details),
    );
    this.path = details.path;
    this.region = details.region;
    this.byteOffset = details.byteOffset;
    this.expected = details.expected;
    this.found = details.found;
    this.column = details.column;
    this.rowGroup = details.rowGroup;
    this.page = details.page;
  }
}

/** A valid file or a sensible request that this version does not handle. */
export class UnsupportedError extends ColkitError {
  readonly feature: string;

  constructor(code: 'ERR_VERSION' | 'ERR_DTYPE' | 'ERR_ENCODING' | 'ERR_FEATURE', feature: string, message: string) {
    super(code, message);
    this.feature = feature;
  }
}

/** A length, count or depth beyond a limit, refused before anything is allocated. */
export class LimitError extends ColkitError {
  readonly limit: number;
  readonly value: number;

  constructor(code: 'ERR_LIMIT' | 'ERR_METADATA_TOO_LARGE', what: string, limit: number, value: number) {
    super(code, `${what}: expected at most ${String(limit)} but found ${String(value)}`);
    this.limit = limit;
    this.value = value;
  }
}

/** The caller passed something that cannot be meant. */
export class ArgumentError extends ColkitError {
  readonly argument: string;
  readonly expected: string;
  readonly found: string;

  /** @param message where another sentence says it better. */
  constructor(
    code: 'ERR_ARGUMENT' | 'ERR_VALUE' | 'ERR_SCHEMA' | 'ERR_OUT_BUFFER' | 'ERR_UNSAFE_INTEGER',
    argument: string,
    expected: string,
    found: string,
    message = `${argument}: expected ${expected} but found ${found}`,
  ) {
    super(code, message);
    this.argument = argument;
    this.expected = expected;
    this.found = found;
  }
}

/** An index outside [-length, length). `position` tells where in the caller's array it stands. */
export class OutOfRangeError extends ColkitError {
  readonly index: number;
  readonly length: number;
  readonly position: number | undefined;

  /** @param index whatever was given: `index` of the error is NaN where it is no number. */
  constructor(argument: string, index: unknown, length: number, position?: number) {
    const at = position === undefined ? '' : ` at position ${String(position)}`;
    super(
      'ERR_INDEX_OUT_OF_RANGE',
      `${argument}: expected integers in [${String(-length)}, ${String(length)}) but found ` +
        `${describeValue(index)}${at}`,
    );
    this.index = typeof index === 'bigint' ? Number(index) : typeof index === 'number' ? index : NaN;
    this.length = length;
    this.position = position;
  }
}

/** Columns that an error lists. */
const MOST_NAMES = 20;

/** A column name that the table does not have. */
export class UnknownColumnError extends ColkitError {
  readonly column: string;
  readonly available: readonly string[];

  constructor(column: string, available: readonly string[]) {
    const shown = available
      .slice(0, MOST_NAMES)
      .map((name) => JSON.stringify(name))
      .join(', ');
    // Whatever was given.
    const given: unknown = column;
    const nearest = typeof given === 'string' ? nearestName(given, available) : null;
    const hint = nearest === null ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
    super(
      'ERR_UNKNOWN_COLUMN',
      `unknown column ${describeValue(given)}; available: ${shown}${available.length > MOST_NAMES ? ', …' : ''}${hint}`,
    );
    this.column = column;
    this.available = [...available];
  }
}

/** A predicate that cannot be parsed or typed; `position` counts characters of `text` from 0. */
export class QueryError extends ColkitError {
  readonly text: string;
  readonly position: number;

  constructor(code: 'ERR_QUERY_SYNTAX' | 'ERR_QUERY_TYPE', text: string, position: number, message: string) {
    super(code, `${message} at position ${String(position)} of ${JSON.stringify(text)}`);
    this.text = text;
    this.position = position;
  }
}

/** No copy-free view can be had; `remedy` tells what to call instead. */
export class CannotViewError extends ColkitError {
  readonly reason: string;
  readonly remedy: string;

  constructor(
    code:
      | 'ERR_MISALIGNED'
      | 'ERR_NOT_MAPPED'
      | 'ERR_VIEW_TOO_LARGE'
      | 'ERR_HAS_NULLS'
      | 'ERR_NOT_CONTIGUOUS'
      | 'ERR_NOT_VIEWABLE'
      | 'ERR_TOO_MANY_VIEWS',
    reason: string,
    remedy: string,
  ) {
    super(code, `no copy-free view: ${reason}; ${remedy}`);
    this.reason = reason;
    this.remedy = remedy;
  }
}

/** Used after close(). */
export class ClosedError extends ColkitError {
  readonly operation: string;

  constructor(operation: string, what: string, code: 'ERR_CLOSED' | 'ERR_DETACHED' = 'ERR_CLOSED') {
    super(
      code,
      code === 'ERR_CLOSED' ? `${operation}: ${what} is closed` : `${operation}: the buffer of ${what} was detached`,
    );
    this.operation = operation;
  }
}

/** The system refused, or the file changed under us. */
export class IoError extends ColkitError {
  readonly operation: string;
  readonly path: string;

  constructor(
    code:
      | 'ERR_READ'
      | 'ERR_WRITE'
      | 'ERR_NOT_FOUND'
      | 'ERR_EXISTS'
      | 'ERR_FILE_CHANGED'
      | 'ERR_LOCKED'
      | 'ERR_CONFLICT'
      | 'ERR_REMOTE_RANGE'
      | 'ERR_NATIVE_UNAVAILABLE',
    operation: string,
    path: string,
    message: string,
    cause?: unknown,
  ) {
    super(code, `${path}: ${operation}: ${withoutPath(message, path)}`, cause === undefined ? undefined : { cause });
    this.operation = operation;
    this.path = path;
  }
}

/** Of a message, for one that begins with the path already. */
export function withoutPath(message: string, path: string): string {
  return message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
}

/** Narrows an unknown to this family, also across two copies of this package. */
export function isColkitError(error: unknown): error is ColkitError {
  return (
    error instanceof ColkitError ||
    (isError(error) && FAMILY.has(error.name) && typeof (error as { code?: unknown }).code === 'string')
  );
}

const FAMILY: ReadonlySet<string> = new Set([
  'CorruptFileError',
  'UnsupportedError',
  'LimitError',
  'ArgumentError',
  'OutOfRangeError',
  'UnknownColumnError',
  'QueryError',
  'CannotViewError',
  'ClosedError',
  'IoError',
  'SampleError',
  'LoaderError',
]);

function causeOf(details: CorruptFileDetails): ErrorOptions | undefined {
  return details.cause === undefined ? undefined : { cause: details.cause };
}
