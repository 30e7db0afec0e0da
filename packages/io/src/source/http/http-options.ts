// What can be said of a URL at opening: known before the requests are, which browsers load when a URL is opened.
import { isOptions, option } from '../../options/option-kinds.ts';
import type { OptionKind, OptionSet } from '../../options/option-kinds.ts';

/** How often a request is tried, and how long is waited in between. */
export interface RetryOptions {
  /** Tries of one request, the first one included. Default 4. */
  readonly attempts?: number;
  /** The first wait is a random time below so many milliseconds; the bound doubles with every try. Default 200. */
  readonly baseMs?: number;
  /**
   * Longest wait in milliseconds; a server that asks for a longer one (`Retry-After`) is not asked again. Default
   * 30,000.
   */
  readonly maxMs?: number;
}

/** A request as it is about to be sent. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD';
  readonly url: string;
  /** Those of the options, with `range` and `if-match`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What is sent instead: a `Request` is one, too. */
export interface SignedRequest {
  /** Default: the URL that was to be asked. */
  readonly url?: string | URL;
  /** They are sent beside those of the request, and in place of those with the same names. */
  readonly headers?: Headers | Readonly<Record<string, string>>;
}

/**
 * `fetch`, `sign` and `renew` are functions, which stay in their thread: of a source with one of them no handle can be
 * made, and a loader over it takes no workers. The others go along.
 */
export interface HttpSourceOptions {
  /** Sent with every request: authorisation and the like. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the global fetch. The body of an answer may be a stream of Node, as that of node-fetch is. */
  readonly fetch?: typeof fetch;
  /** Called before every request, each new try included: what it gives is sent. What it throws ends the read. */
  readonly sign?: (request: HttpRequest) => SignedRequest | Promise<SignedRequest>;
  /**
   * Asked for another URL of the same object where the server refuses this one (401, 403): a presigned URL has expired.
   * Reads go on from there; another version of the object is ERR_FILE_CHANGED.
   */
  readonly renew?: (refused: {
    /** The one that is refused. */
    readonly url: string;
    /** 401 or 403. */
    readonly status: number;
  }) => string | URL | Promise<string | URL>;
  /**
   * What is tried again: requests that are answered with 408, 429 or 5xx, not at all, or in part. The version of the
   * object is demanded each time. false: nothing.
   */
  readonly retry?: false | RetryOptions;
  /** Longest time without a byte from the server, of each try. Default 60 seconds. */
  readonly timeoutMs?: number;
  /** Longest time for the opening, and for each read, with all tries and the waits in between. Default: none. */
  readonly totalTimeoutMs?: number;
  /**
   * The most bytes that are loaded at opening from a server that knows no ranges, which sends the whole object or
   * nothing; a warning says so. Default 64 MiB; 0 refuses.
   */
  readonly downloadLimit?: number;
  /** Aborts the opening. */
  readonly signal?: AbortSignal;
}

/** As many as timers take. */
const milliseconds = (least: number): OptionKind<number> => option.count('milliseconds', least, 2 ** 31 - 1);

export const RETRY_OPTIONS: OptionSet<RetryOptions> = {
  attempts: option.count('tries', 1),
  baseMs: milliseconds(0),
  maxMs: milliseconds(0),
};
const RETRY: OptionKind<false | RetryOptions> = {
  expected: 'false or an object of options',
  accepts: (value) => value === false || isOptions(value),
  inner: RETRY_OPTIONS,
};

export const HTTP_OPTIONS: OptionSet<HttpSourceOptions> = {
  headers: option.kind('an object of texts', isHeaders),
  fetch: option.callback(),
  sign: option.callback(),
  renew: option.callback(),
  retry: RETRY,
  timeoutMs: milliseconds(1),
  totalTimeoutMs: milliseconds(1),
  downloadLimit: option.count('bytes'),
  signal: option.signal,
};

function isHeaders(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.prototype.toString.call(value) === '[object Object]' &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}
