// An object behind a URL, read by HTTP range requests. Opening is one request for the last bytes, which tells the size
// and brings most footers; no HEAD, which signed URLs refuse. Every answer is checked: status 206, the range that was
// asked for, the size and the version that were there at opening.
import { ArgumentError, ClosedError, IoError } from '../errors/errors.ts';
import { newArrayBuffer } from '../memory/align.ts';
import { contentRangeOf, dropBody, readBody, sameVersion, strongTag, validatorsOf } from './http-response.ts';
import type { Validators } from './http-response.ts';
import { checkOptions, option } from '../options/index.ts';
import type { OptionSet } from '../options/index.ts';
import type { RandomAccessSource, Reopening } from './source.ts';
import { REMOTE_GAP_BYTES, REMOTE_READS } from './read-costs.ts';
import { checkRead, noSyncForm, notMapped } from './source-checks.ts';
import { messageOf } from '../errors/system-error.ts';

export interface HttpSourceOptions {
  /** Sent with every request: authorisation and the like. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the global fetch. */
  readonly fetch?: typeof fetch;
  /** Longest time without a byte from the server. Default 60 seconds. */
  readonly timeoutMs?: number;
  /** Aborts the opening. */
  readonly signal?: AbortSignal;
}

/** What timers take. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export const HTTP_OPTIONS: OptionSet<HttpSourceOptions> = {
  headers: option.kind('an object of texts', isHeaders),
  fetch: option.callback(),
  timeoutMs: option.count('milliseconds', 1, LONGEST_TIMEOUT_MS),
  signal: option.signal,
};

/**
 * How much of the end is asked for at opening: footers of a few hundred columns fit, and it costs no more than one byte
 * would.
 */
const TAIL_BYTES = 64 * 1024;
const TIMEOUT_MS = 60_000;
/** Answers to a suffix range that say no more than that the server does not know suffix ranges. */
const TRY_FIRST_BYTE = new Set([200, 400, 416, 501]);

interface Remote {
  readonly url: URL;
  readonly fetch: typeof fetch;
  readonly ownFetch: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

interface Opened {
  readonly byteLength: number;
  readonly validators: Validators;
  readonly tail: Uint8Array;
}

export class HttpSource implements RandomAccessSource {
  readonly isSync = false;
  readonly canView = false;
  readonly concurrency = REMOTE_READS;
  readonly gapBytes = REMOTE_GAP_BYTES;
  readonly path: string;
  readonly byteLength: number;
  /** The server's ETag, else the time of the last change. */
  readonly version: string | null;
  readonly #remote: Remote;
  readonly #validators: Validators;
  /** The last bytes, kept since opening. */
  readonly #tail: Uint8Array;
  readonly #closing = new AbortController();

  private constructor(remote: Remote, opened: Opened) {
    this.#remote = remote;
    this.path = remote.url.href;
    this.byteLength = opened.byteLength;
    this.#validators = opened.validators;
    this.version = opened.validators.etag ?? opened.validators.lastModified;
    this.#tail = opened.tail;
  }

  /**
   * One request, or two where the server does not know suffix ranges.
   * @throws IoError ERR_NOT_FOUND; ERR_REMOTE_RANGE where the server does not answer ranges or hides Content-Range;
   * ERR_READ.
   */
  static async open(url: string | URL, options: HttpSourceOptions = {}): Promise<HttpSource> {
    checkOptions('HttpSource.open', HTTP_OPTIONS, options);
    const { headers = {}, timeoutMs = TIMEOUT_MS } = options;
    const remote: Remote = {
      url: parseUrl(url),
      fetch: options.fetch ?? fetch,
      ownFetch: options.fetch !== undefined,
      headers,
      timeoutMs,
    };
    const signals = options.signal === undefined ? [] : [options.signal];
    const opened = await request(remote, `bytes=-${String(TAIL_BYTES)}`, {}, signals, (response, progress) =>
      openedByTail(remote, response, progress),
    );
    return new HttpSource(
      remote,
      opened ?? (await request(remote, 'bytes=0-0', {}, signals, (response) => openedByFirstByte(remote, response))),
    );
  }

  get closed(): boolean {
    return this.#closing.signal.aborted;
  }

  /**
   * One request, or none where the bytes are among the last 64 KiB.
   * @throws IoError ERR_FILE_CHANGED, ERR_REMOTE_RANGE, ERR_READ; ClosedError; the signal's reason.
   */
  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    checkRead(this, 'read', byteOffset, out.byteLength);
    signal?.throwIfAborted();
    const tailStart = this.byteLength - this.#tail.byteLength;
    if (out.byteLength === 0 || byteOffset >= tailStart) {
      out.set(this.#tail.subarray(byteOffset - tailStart, byteOffset - tailStart + out.byteLength));
      return;
    }
    const end = byteOffset + out.byteLength;
    const signals = signal === undefined ? [this.#closing.signal] : [this.#closing.signal, signal];
    const range = `bytes=${String(byteOffset)}-${String(end - 1)}`;
    await request(this.#remote, range, this.#condition(), signals, async (response, progress) => {
      this.#check(response, byteOffset, end);
      await readBody(response, out, this.path, progress);
    });
  }

  /** Always throws UnsupportedError. */
  readSync(): void {
    throw noSyncForm(this.path);
  }

  /** Always throws CannotViewError ERR_NOT_MAPPED. */
  view(byteOffset: number, byteLength: number): Uint8Array {
    checkRead(this, 'view', byteOffset, byteLength);
    throw notMapped(`${this.path} is remote`, 'use a method that copies');
  }

  /** Null where it was opened with a `fetch` of one's own, which cannot be sent. */
  reopen(): Reopening | null {
    if (this.#remote.ownFetch) return null;
    const { headers, timeoutMs } = this.#remote;
    return { what: this.path, options: { headers, timeoutMs } };
  }

  /** Idempotent; requests that are under way fail with ClosedError. */
  close(): void {
    this.#closing.abort(new ClosedError('read', this.path));
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * If-Match, but not to another origin from a browser: there it would need a permission of its own, and comparing the
   * answer's ETag does as well.
   */
  #condition(): Record<string, string> {
    const tag = strongTag(this.#validators);
    const page = (globalThis as { location?: { origin?: string } }).location?.origin;
    const foreign = page !== undefined && page !== this.#remote.url.origin;
    return tag === null || foreign ? {} : { 'if-match': tag };
  }

  #check(response: Response, start: number, end: number): void {
    const content = contentRangeOf(response);
    const changed =
      response.status === 412 ||
      response.status === 404 ||
      response.status === 410 ||
      !sameVersion(this.#validators, validatorsOf(response));
    const resized = content?.total != null && content.total !== this.byteLength;
    if (changed || resized)
      throw new IoError('ERR_FILE_CHANGED', 'read', this.path, 'the object is not the one that was opened');
    checkPartial(response, this.path);
    if (content?.range?.start !== start || content.range.end !== end) {
      throw rangeError(
        this.path,
        `bytes ${String(start)}-${String(end - 1)} were asked for, the answer is ${describeRange(response)}`,
      );
    }
  }
}

/** Null: ask again in another way. */
async function openedByTail(remote: Remote, response: Response, progress: () => void): Promise<Opened | null> {
  const path = remote.url.href;
  const content = contentRangeOf(response);
  if (response.status === 416 && content?.total === 0)
    return { byteLength: 0, validators: validatorsOf(response), tail: new Uint8Array(0) };
  if (TRY_FIRST_BYTE.has(response.status)) return null;
  checkPartial(response, path);
  if (content?.range == null || content.total === null)
    throw rangeError(path, `the size is not in the answer (${describeRange(response)})`);
  const { start, end } = content.range;
  if (end !== content.total || end - start !== Math.min(TAIL_BYTES, content.total)) return null;
  const tail = new Uint8Array(newArrayBuffer(end - start));
  await readBody(response, tail, path, progress);
  return { byteLength: content.total, validators: validatorsOf(response), tail };
}

function openedByFirstByte(remote: Remote, response: Response): Promise<Opened> {
  const path = remote.url.href;
  const content = contentRangeOf(response);
  const empty =
    (response.status === 416 && content?.total === 0) ||
    (response.status === 200 && response.headers.get('content-length') === '0');
  if (!empty) checkPartial(response, path);
  const total = empty ? 0 : content?.total;
  if (total == null) throw rangeError(path, `the size is not in the answer (${describeRange(response)})`);
  return Promise.resolve({ byteLength: total, validators: validatorsOf(response), tail: new Uint8Array(0) });
}

function checkPartial(response: Response, path: string): void {
  const { status } = response;
  if (status === 404 || status === 410)
    throw new IoError('ERR_NOT_FOUND', 'open', path, `the server answers ${String(status)}`);
  if (status === 200) throw rangeError(path, 'the server ignores ranges: it sends the whole object (status 200)');
  if (status === 416) throw rangeError(path, 'the server cannot satisfy the range (status 416)');
  if (status !== 206)
    throw new IoError('ERR_READ', 'read', path, `the server answers ${String(status)} ${response.statusText}`.trim());
  const encoding = response.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity')
    throw rangeError(path, `the server compresses the answer (${encoding})`);
}

/**
 * Sends one request and hands its answer to `use`; a server that is silent for too long, an abort and a close end both.
 */
async function request<T>(
  remote: Remote,
  range: string,
  condition: Readonly<Record<string, string>>,
  signals: readonly AbortSignal[],
  use: (response: Response, progress: () => void) => Promise<T>,
): Promise<T> {
  const path = remote.url.href;
  const silence = new AbortController();
  const arm = (): ReturnType<typeof setTimeout> => setTimeout(() => silence.abort(), remote.timeoutMs);
  let timer = arm();
  const progress = (): void => {
    clearTimeout(timer);
    timer = arm();
  };
  try {
    // With a range, fetch itself asks for the plain bytes (accept-encoding: identity).
    const headers = { ...remote.headers, ...condition, range };
    // Browsers keep parts of objects, and might mix those of two versions.
    const init: RequestInit & { cache: 'no-store' } = {
      headers,
      cache: 'no-store',
      signal: AbortSignal.any([...signals, silence.signal]),
    };
    // Browsers demand that fetch is called as a function, not as a method.
    const { fetch: send } = remote;
    const response = await send(remote.url, init);
    progress();
    try {
      return await use(response, progress);
    } finally {
      if (!response.bodyUsed) dropBody(response);
    }
  } catch (error) {
    for (const signal of signals) signal.throwIfAborted();
    if (error instanceof IoError) throw error;
    const silent = silence.signal.aborted ? `no byte for ${String(remote.timeoutMs)} ms` : null;
    throw new IoError('ERR_READ', 'read', path, silent ?? reasonOf(error), error);
  } finally {
    clearTimeout(timer);
  }
}

/** fetch says 'fetch failed' and keeps the reason in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message !== '' ? cause.message : messageOf(error);
}

function rangeError(path: string, message: string): IoError {
  return new IoError('ERR_REMOTE_RANGE', 'read', path, message);
}

function describeRange(response: Response): string {
  const header = response.headers.get('content-range');
  return header === null
    ? 'no Content-Range header; for another origin the server must list it in Access-Control-Expose-Headers'
    : `Content-Range: ${header}`;
}

function parseUrl(url: string | URL): URL {
  try {
    return new URL(url);
  } catch {
    throw new ArgumentError('ERR_ARGUMENT', 'url', 'an absolute URL', JSON.stringify(url));
  }
}

function isHeaders(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.prototype.toString.call(value) === '[object Object]' &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}
