// What can be said of a URL at opening: known before the requests are, which browsers load when a URL is opened.
import { option } from '../../options/index.ts';
import type { OptionSet } from '../../options/index.ts';

export interface HttpSourceOptions {
  /** Sent with every request: authorisation and the like. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the global fetch. */
  readonly fetch?: typeof fetch;
  /** Longest time without a byte from the server. Default 60 seconds. */
  readonly timeoutMs?: number;
  /**
   * The most bytes that are loaded at opening from a server that knows no ranges, which sends the whole object or
   * nothing; a warning says so. Default 64 MiB; 0 refuses.
   */
  readonly downloadLimit?: number;
  /** Aborts the opening. */
  readonly signal?: AbortSignal;
}

/** What timers take. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export const HTTP_OPTIONS: OptionSet<HttpSourceOptions> = {
  headers: option.kind('an object of texts', isHeaders),
  fetch: option.callback(),
  timeoutMs: option.count('milliseconds', 1, LONGEST_TIMEOUT_MS),
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
