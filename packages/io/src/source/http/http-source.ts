// An object behind a URL, read by HTTP range requests. Opening is one request for the last bytes, which tells the size
// and brings most footers; no HEAD, which signed URLs refuse, but where a server hides what it says from a page of
// another origin. Every answer is checked: status 206, the range that was asked for, the size and the version that were
// there at opening.
import { ArgumentError, ClosedError, IoError } from '../../errors/errors.ts';
import { checkOptions } from '../../options/index.ts';
import { HTTP_OPTIONS } from './http-options.ts';
import type { HttpSourceOptions } from './http-options.ts';
import { openObject } from './http-opening.ts';
import type { Opened } from './http-opening.ts';
import { checkPartial, describeRange, rangeError, request } from './http-request.ts';
import type { Remote } from './http-request.ts';
import { contentRangeOf, readBody, sameVersion, strongTag, validatorsOf } from './http-response.ts';
import type { Validators } from './http-response.ts';
import { REMOTE_GAP_BYTES, REMOTE_READS } from '../read-costs.ts';
import type { RandomAccessSource, Reopening } from '../source.ts';
import { checkRead, noSyncForm, notMapped } from '../source-checks.ts';

const TIMEOUT_MS = 60_000;
const DOWNLOAD_LIMIT = 64 * 1024 * 1024;

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
  /** Whether the server ignored ranges, so that all bytes were loaded at opening. */
  readonly isWhole: boolean;
  readonly #validators: Validators;
  readonly #tellsRanges: boolean;
  /** The last bytes, kept since opening. */
  readonly #tail: Uint8Array;
  readonly #closing = new AbortController();

  private constructor(remote: Remote, opened: Opened) {
    this.#remote = remote;
    this.path = remote.url.href;
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
    const { headers = {}, timeoutMs = TIMEOUT_MS, downloadLimit = DOWNLOAD_LIMIT } = options;
    const remote: Remote = {
      url: parseUrl(url),
      fetch: options.fetch ?? fetch,
      ownFetch: options.fetch !== undefined,
      headers,
      timeoutMs,
      downloadLimit,
    };
    const source = new HttpSource(
      remote,
      await openObject(remote, options.signal === undefined ? [] : [options.signal]),
    );
    return source;
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
    await request(this.#remote, { headers: { ...this.#condition(), range } }, signals, async (response, progress) => {
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
    // Loaded once is enough.
    if (this.isWhole) return { what: this.#tail, options: {} };
    if (this.#remote.ownFetch) return null;
    const { headers, timeoutMs, downloadLimit } = this.#remote;
    return { what: this.path, options: { headers, timeoutMs, downloadLimit } };
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
    throw new ArgumentError('ERR_ARGUMENT', 'url', 'an absolute URL', JSON.stringify(url));
  }
}
