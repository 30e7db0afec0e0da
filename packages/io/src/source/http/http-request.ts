// One request to the server of an object: signed, sent, watched, and its answer checked. What another try may mend is
// told apart from what none will.
import { ColkitError, IoError } from '../../errors/errors.ts';
import { messageOf } from '../../errors/system-error.ts';
import { decoded, reasonOf, requestFailed } from './http-failure.ts';
import type { HttpRequest, HttpSourceOptions, RetryOptions } from './http-options.ts';
import { dropBody } from './http-response.ts';
import { retryAfterMs, unlessAborted } from './http-waits.ts';
import { onAbort } from './on-abort.ts';

export interface Remote {
  /** Where the object is; another URL once `renew` gave it. */
  url: URL;
  /** The URL without what may be secret: for messages. */
  readonly path: string;
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly sign: HttpSourceOptions['sign'];
  readonly renew: HttpSourceOptions['renew'];
  /** The URL that is being renewed, and what comes of it: reads that find it expired together ask once. */
  renewal: { readonly of: URL; readonly done: Promise<void> } | null;
  readonly retry: Required<RetryOptions>;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number | null;
  readonly downloadLimit: number;
}

export interface Asked {
  /** GET by default. */
  readonly method?: 'GET' | 'HEAD';
  /** `range` and conditions, beside the headers of the user. */
  readonly headers: Readonly<Record<string, string>>;
}

export type Use<T> = (response: Response, progress: () => void) => Promise<T>;

/** What another try may mend. */
export class FailedTry extends Error {
  readonly error: IoError;
  /** 0: there was no whole answer. */
  readonly status: number;
  /** How long the server asks to wait, in milliseconds. */
  readonly waitMs: number;

  constructor(error: IoError, status = 0, waitMs = 0) {
    super();
    this.error = error;
    this.status = status;
    this.waitMs = waitMs;
  }
}

/** The server does not know what it is asked: it will not the next time. */
const NEVER = new Set([501, 505]);
const TRY_LATER = new Set([408, 425, 429]);

/**
 * Sends one request and hands its answer to `use`; a server that is silent for too long, an abort and a close end both.
 * @throws FailedTry; what `use` and the signals tell.
 */
export async function sendOnce<T>(
  remote: Remote,
  { method = 'GET', headers }: Asked,
  signals: readonly AbortSignal[],
  use: Use<T>,
): Promise<T> {
  const { path, url } = remote;
  let asked = withoutUser(url, { method, url: url.href, headers: { ...remote.headers, ...headers } });
  try {
    if (remote.sign !== undefined) asked = await unlessAborted(signed(remote.sign, asked), signals);
  } catch (error) {
    for (const signal of signals) signal.throwIfAborted();
    throw requestFailed(path, [url.href], `sign: ${messageOf(error)}`, error);
  }
  const silence = new AbortController();
  const end = (): void => silence.abort();
  const stop = onAbort(signals, end);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const progress = (): void => {
    clearTimeout(timer);
    timer = setTimeout(end, remote.timeoutMs);
  };
  progress();
  try {
    // With a range, fetch itself asks for the plain bytes (accept-encoding: identity).
    // Browsers keep parts of objects, and might mix those of two versions.
    const init: RequestInit & { cache: 'no-store' } = {
      method,
      headers: { ...asked.headers },
      cache: 'no-store',
      signal: silence.signal,
    };
    // Browsers demand that fetch is called as a function, not as a method.
    const { fetch: send } = remote;
    const response = await send(asked.url, init);
    progress();
    try {
      const { status } = response;
      const isExpired = remote.renew !== undefined && (status === 401 || status === 403);
      if (isExpired || TRY_LATER.has(status) || (status >= 500 && !NEVER.has(status)))
        throw new FailedTry(answered(response, path), status, retryAfterMs(response));
      return await use(response, progress);
    } finally {
      if (!response.bodyUsed) dropBody(response);
    }
  } catch (error) {
    for (const signal of signals) signal.throwIfAborted();
    if (error instanceof ColkitError || error instanceof FailedTry) throw error;
    const reason = silence.signal.aborted ? `no byte for ${String(remote.timeoutMs)} ms` : reasonOf(error);
    throw new FailedTry(requestFailed(path, [url.href, asked.url], reason, error));
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** fetch takes no URL with a user in it: the user is told in a header. */
function withoutUser({ href, username, password }: URL, asked: HttpRequest): HttpRequest {
  if (username === '' && password === '') return asked;
  const plain = new URL(href);
  plain.username = '';
  plain.password = '';
  const user = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`);
  const authorization = `Basic ${btoa(Array.from(user, (byte) => String.fromCharCode(byte)).join(''))}`;
  const isGiven = Object.keys(asked.headers).some((name) => name.toLowerCase() === 'authorization');
  return { ...asked, url: plain.href, headers: { ...(isGiven ? {} : { authorization }), ...asked.headers } };
}

async function signed(sign: NonNullable<HttpSourceOptions['sign']>, asked: HttpRequest): Promise<HttpRequest> {
  const { url = asked.url, headers = {} } = await sign(asked);
  const merged = new Headers(asked.headers);
  new Headers(headers).forEach((value, name) => merged.set(name, value));
  return { method: asked.method, url: String(url), headers: Object.fromEntries(merged) };
}

/** @throws IoError unless the answer is a part of an object as it is stored. */
export function checkPartial(response: Response, path: string): void {
  const { status } = response;
  if (status === 404 || status === 410)
    throw new IoError('ERR_NOT_FOUND', 'open', path, `the server answers ${String(status)}`);
  if (status === 200) throw rangeError(path, 'the server ignores ranges: it sends the whole object (status 200)');
  if (status === 416) throw rangeError(path, 'the server cannot satisfy the range (status 416)');
  if (status !== 206) throw answered(response, path);
  const encoding = response.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity')
    throw rangeError(path, `the server compresses the answer (${encoding})`);
}

function answered({ status, statusText }: Response, path: string): IoError {
  return new IoError('ERR_READ', 'read', path, `the server answers ${String(status)} ${statusText}`.trim());
}

export function rangeError(path: string, message: string): IoError {
  return new IoError('ERR_REMOTE_RANGE', 'read', path, message);
}

export function describeRange(response: Response): string {
  const header = response.headers.get('content-range');
  return header === null
    ? 'no Content-Range header; for another origin the server must list it in Access-Control-Expose-Headers'
    : `Content-Range: ${header}`;
}
