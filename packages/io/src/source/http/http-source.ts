// An object behind a URL, read by HTTP range requests. Opening is one request for the last bytes, which tells the size
// and brings most footers; no HEAD, which signed URLs refuse, but where a server hides what it says from a page of
// another origin. Every answer is checked: status 206, the range that was asked for, the size and the version that were
// there at opening.
import { ArgumentError, ClosedError, IoError } from '../../errors/errors.ts';
import { describeValue } from '../../errors/describe-value.ts';
import { checkOptions, pickOptions } from '../../options/index.ts';
import { HTTP_OPTIONS, RETRY_OPTIONS } from './http-options.ts';
import type { HttpSourceOptions } from './http-options.ts';
import { openObject } from './http-opening.ts';
import type { Opened } from './http-opening.ts';
import { checkPartial, describeRange, rangeError } from './http-request.ts';
import type { Asked, Remote } from './http-request.ts';
import { request } from './http-retry.ts';
import { within } from './http-waits.ts';
import { contentRangeOf, readBody, sameVersion, strongTag, validatorsOf } from './http-response.ts';
import type { Validators } from './http-response.ts';
import { REMOTE_GAP_BYTES, REMOTE_READS } from '../read-costs.ts';
import { ReadQueue } from '../read-queue.ts';
import type { RandomAccessSource, Reopening } from '../source.ts';
import { checkRead, noSyncForm, notMapped } from '../source-checks.ts';
import { visibleUrl } from '../paths/visible-url.ts';

const RETRY = { attempts: 4, baseMs: 200, maxMs: 30_000 };
const NO_RETRY = { ...RETRY, attempts: 1 };
const TIMEOUT_MS = 60_000;
const FUNCTIONS = ['fetch', 'sign', 'renew'] as const;
const DOWNLOAD_LIMIT = 64 * 1024 * 1024;

export class HttpSource implements RandomAccessSource {
  readonly isSync = false;
  readonly canView = false;
  readonly concurrency = REMOTE_READS;
  readonly gapBytes = REMOTE_GAP_BYTES;
  readonly coalesces = true;
  /** The URL without user, password, query and fragment. */
  readonly path: string;
  readonly byteLength: number;
  /** The server's ETag, else the time of the last change. */
  readonly version: string | null;
  readonly #remote: Remote;
  readonly #options: HttpSourceOptions;
  /** Whether the server ignored ranges, so that all bytes were loaded at opening. */
  readonly isWhole: boolean;
  readonly #validators: Validators;
  readonly #tellsRanges: boolean;
  /** The last bytes, kept since opening. */
  readonly #tail: Uint8Array;
  readonly #closing = new AbortController();
  readonly #queue = new ReadQueue(this, (byteOffset, out, signal) => this.#request(byteOffset, out, signal));

  private constructor(remote: Remote, opened: Opened, options: HttpSourceOptions) {
    this.#remote = remote;
    this.#options = options;
    this.path = remote.path;
    this.byteLength = opened.byteLength;
    this.#validators = opened.validators;
    this.version = opened.validators.etag ?? opened.validators.lastModified;
    this.isWhole = opened.isWhole;
    this.#tellsRanges = opened.tellsRanges;
    this.#tail = opened.tail;
  }

  /**
   * One request, or two where the server does not know suffix ranges, or three where it hides Content-Range from a page
   * of another origin: a HEAD tells the size. All bytes at once where it knows no ranges.
   * @throws IoError ERR_NOT_FOUND; ERR_REMOTE_RANGE where the object of such a server is larger than `downloadLimit`,
   * or nothing tells the size; ERR_READ.
   */
  static async open(url: string | URL, options: HttpSourceOptions = {}): Promise<HttpSource> {
    checkOptions('HttpSource.open', HTTP_OPTIONS, options);
    const { headers = {}, retry = {}, timeoutMs = TIMEOUT_MS, downloadLimit = DOWNLOAD_LIMIT, signal } = options;
    const parsed = parseUrl(url);
    const remote: Remote = {
      url: parsed,
      path: visibleUrl(parsed),
      fetch: options.fetch ?? fetch,
      headers,
      sign: options.sign,
      renew: options.renew,
      renewal: null,
      retry: retry === false ? NO_RETRY : { ...RETRY, ...pickOptions(RETRY_OPTIONS, retry) },
      timeoutMs,
      totalTimeoutMs: options.totalTimeoutMs ?? null,
      downloadLimit,
    };
    const opened = await within(remote.totalTimeoutMs, remote.path, signal === undefined ? [] : [signal], (signals) =>
      openObject(remote, signals),
    );
    return new HttpSource(remote, opened, options);
  }

  get closed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Whether reads from there on take no request. */
  holds(byteOffset: number): boolean {
    return byteOffset >= this.byteLength - this.#tail.byteLength;
  }

  /**
   * No request where the bytes are among the last 64 KiB; else one, with other reads that are asked for in the same
   * turn of the event loop and lie less than `gapBytes` away.
   * @throws IoError ERR_FILE_CHANGED, ERR_REMOTE_RANGE, ERR_READ; ClosedError; the signal's reason.
   */
  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    checkRead(this, 'read', byteOffset, out.byteLength);
    signal?.throwIfAborted();
    const tailStart = this.byteLength - this.#tail.byteLength;
    if (out.byteLength === 0 || this.holds(byteOffset)) {
      out.set(this.#tail.subarray(byteOffset - tailStart, byteOffset - tailStart + out.byteLength));
      return;
    }
    await this.#queue.read(byteOffset, out, signal);
  }

  async #request(byteOffset: number, out: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    const given = signal === undefined ? [this.#closing.signal] : [this.#closing.signal, signal];
    const { path, totalTimeoutMs } = this.#remote;
    await within(totalTimeoutMs, path, given, (signals) => this.#fetch(byteOffset, out, signals));
  }

  /** What came before a try failed is kept where the server cannot take another version for the one that is meant. */
  async #fetch(byteOffset: number, out: Uint8Array, signals: readonly AbortSignal[]): Promise<void> {
    const end = byteOffset + out.byteLength;
    const tag = strongTag(this.#validators);
    let from = byteOffset;
    const asked = (): Asked => ({
      headers: { ...this.#condition(), range: `bytes=${String(from)}-${String(end - 1)}` },
    });
    await request(this.#remote, asked, signals, async (response, progress) => {
      this.#check(response, from, end);
      const start = from;
      const isPinned = tag !== null && validatorsOf(response).etag === tag;
      await readBody(response, out.subarray(start - byteOffset), this.path, (done) => {
        progress();
        if (isPinned) from = start + done;
      });
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

  /** The URL and what else is plain data of the options; null where there are functions, which cannot be sent. */
  reopen(): Reopening | null {
    // Loaded once is enough.
    if (this.isWhole) return { what: this.#tail, options: {} };
    if (this.whyNotReopened !== null) return null;
    return { what: this.#remote.url.href, options: { ...pickOptions(HTTP_OPTIONS, this.#options), signal: undefined } };
  }

  /** Null where `reopen()` tells how. */
  get whyNotReopened(): string | null {
    const functions = FUNCTIONS.filter((name) => this.#options[name] !== undefined);
    if (this.isWhole || functions.length === 0) return null;
    return `opened with { ${functions.join(', ')} }, and functions stay in their thread`;
  }

  /** Idempotent; requests that are under way fail with ClosedError. */
  close(): void {
    const closed = new ClosedError('read', this.path);
    this.#closing.abort(closed);
    this.#queue.close(closed);
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
      // An answer that something is wrong has a version of its own, or none.
      (response.ok && !sameVersion(this.#validators, validatorsOf(response)));
    const resized = content?.total != null && content.total !== this.byteLength;
    if (changed || resized)
      throw new IoError('ERR_FILE_CHANGED', 'read', this.path, 'the object is not the one that was opened');
    checkPartial(response, this.path);
    // What the server hides is not there to check: the body has as many bytes as were asked for.
    if (!this.#tellsRanges && content === null) return;
    if (content?.range?.start !== start || content.range.end !== end) {
      throw rangeError(
        this.path,
        `bytes ${String(start)}-${String(end - 1)} were asked for, the answer is ${describeRange(response)}`,
      );
    }
  }
}

function parseUrl(url: string | URL): URL {
  try {
    return new URL(url);
  } catch {
    throw new ArgumentError('ERR_ARGUMENT', 'url', 'an absolute URL', describeValue(visibleUrl(url)));
  }
}
