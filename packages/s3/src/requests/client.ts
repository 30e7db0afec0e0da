// Requests to the server of a bucket: signed, sent, tried again where that may mend what went wrong, and their answers
// read. It is told apart whether a request that failed may have been done.
import { AwsV4Signer } from 'aws4fetch';
import { bodyReader, onAbort, pause, retryAfterMs } from '@colkit/io';
import type { RetryOptions } from '@colkit/io';
import { urlOf } from './bucket.ts';
import type { Bucket } from './bucket.ts';
import type { CredentialsKeeper, S3Credentials } from './credentials.ts';
import { failed, reasonOf, secretsOf, withoutSecrets } from './failure.ts';
import type { Purpose } from './failure.ts';
import { within } from './waits.ts';
import { parseXml, textOf } from './xml.ts';
import type { Element } from './xml.ts';

export interface ClientSettings {
  readonly bucket: Bucket;
  readonly credentials: CredentialsKeeper;
  readonly fetch: typeof fetch;
  readonly retry: Required<RetryOptions>;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number | null;
}

export interface Asked extends Purpose {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Null: the bucket. */
  readonly key: string | null;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal | undefined;
  /** Statuses that are answers to the question, besides those of success. */
  readonly answers?: readonly number[];
  /** The outermost element of the answer, which may still be an error where its status is one of success. */
  readonly root?: string;
  /** Tries; by default those of the settings. */
  readonly attempts?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** As `root` of the question; null where none was named, or there is none. */
  readonly root: Element | null;
  /** What the server calls its error; the empty string: none. */
  readonly code: string;
  /** Whether an earlier try may have been done, although its answer did not come. */
  readonly isUncertain: boolean;
}

/** A request that failed, where it may have been done. */
export class UncertainError extends Error {
  readonly error: Error;

  constructor(error: Error) {
    super();
    this.error = error;
  }
}

/** A page of a list, the largest answer, has 1,000 keys of at most 1,024 bytes. */
const MOST_ANSWER_BYTES = 16 << 20;
const NEVER = new Set([501, 505]);
const TRY_LATER = new Set([408, 409, 425, 429]);
/** Errors whose next try may go well, whatever their status. */
const TRANSIENT = new Set([
  'BadDigest',
  'IncompleteBody',
  'InternalError',
  'OperationAborted',
  'ConditionalRequestConflict',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'XAmzContentSHA256Mismatch',
]);
const EXPIRED = new Set(['ExpiredToken', 'ExpiredTokenException', 'InvalidToken', 'TokenRefreshRequired']);

/** One try that another one may mend. */
interface Failed {
  readonly text: string;
  readonly cause?: unknown;
  readonly waitMs: number;
  readonly mayBeDone: boolean;
}

export class Client {
  readonly settings: ClientSettings;
  /** Derived keys of the signer. */
  readonly #cache = new Map<string, ArrayBuffer>();

  constructor(settings: ClientSettings) {
    this.settings = settings;
  }

  /** For messages. */
  nameOf(key: string): string {
    const { name } = this.settings.bucket;
    return `${name}/${key}`;
  }

  /**
   * @throws IoError for other statuses than 2xx and `answers`; UncertainError around it where the request may have been
   * done and changes something; the signal's reason.
   */
  async send(asked: Asked): Promise<Answer> {
    const { signal } = asked;
    const given = signal === undefined ? [] : [signal];
    return within(this.settings.totalTimeoutMs, asked, given, (all) => this.#tries(asked, all));
  }

  /** Headers of a request that carry its signature. */
  async signed(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body = new Uint8Array(0),
  ): Promise<Headers> {
    const credentials = await this.settings.credentials.get();
    if (credentials === null) return new Headers(headers);
    const all = { ...headers, 'x-amz-content-sha256': await sha256Of(body) };
    return (await this.#signer(credentials, { method, url, headers: all }).sign()).headers;
  }

  /** A URL that reads an object, for a time, without credentials. */
  async presigned(key: string, ms: number): Promise<string> {
    const url = urlOf(this.settings.bucket, key);
    const credentials = await this.settings.credentials.get();
    if (credentials === null) return url;
    const asked = `${url}?X-Amz-Expires=${String(Math.max(1, Math.floor(ms / 1000)))}`;
    return (await this.#signer(credentials, { method: 'GET', url: asked, signQuery: true }).sign()).url.href;
  }

  /** The fetch of the settings, whose errors tell nothing that is secret. */
  async fetch(...given: Parameters<typeof fetch>): Promise<Response> {
    const { fetch: send } = this.settings;
    try {
      return await send(...given);
    } catch (error) {
      // A cause would be printed.
      // eslint-disable-next-line preserve-caught-error
      throw new Error(withoutSecrets(reasonOf(error), await this.#secrets()));
    }
  }

  #signer(
    { accessKeyId, secretAccessKey, sessionToken }: S3Credentials,
    request: { method: string; url: string; headers?: Record<string, string>; signQuery?: boolean },
  ): AwsV4Signer {
    const { region } = this.settings.bucket;
    return new AwsV4Signer({
      ...request,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region,
      cache: this.#cache,
    });
  }

  async #tries(asked: Asked, signals: readonly AbortSignal[]): Promise<Answer> {
    const { baseMs, maxMs } = this.settings.retry;
    const attempts = asked.attempts ?? this.settings.retry.attempts;
    let isUncertain = false;
    let mayRefresh = true;
    for (let attempt = 1; ; attempt++) {
      const answer: Answer | Failed = await this.#once(asked, signals, isUncertain).catch((error: unknown) => {
        throw isUncertain && error instanceof Error ? new UncertainError(error) : error;
      });
      if ('status' in answer) {
        const { status, code } = answer;
        const isRefused = status === 401 || status === 403 || EXPIRED.has(code);
        const isAsked = asked.answers?.includes(status) === true;
        if (isRefused && !isAsked && mayRefresh && this.settings.credentials.refused()) {
          mayRefresh = false;
          attempt--;
          continue;
        }
        return this.#checked(asked, answer);
      }
      isUncertain ||= answer.mayBeDone;
      const more =
        attempt === attempts
          ? attempts === 1
            ? ''
            : ` (in each of ${String(attempts)} attempts)`
          : answer.waitMs > maxMs
            ? ` (and asks to wait ${String(answer.waitMs)} ms, longer than retry.maxMs)`
            : null;
      if (more !== null) {
        const error = failed(asked, `${answer.text}${more}`, await this.#secrets(), answer.cause);
        throw isUncertain ? new UncertainError(error) : error;
      }
      await pause(answer.waitMs + Math.random() * Math.min(maxMs, baseMs * 2 ** (attempt - 1)), signals);
    }
  }

  #checked(asked: Asked, answer: Answer): Answer {
    const { status, code, isUncertain } = answer;
    const { region } = this.settings.bucket;
    const isDone = status >= 200 && status < 300 && code === '';
    if (isDone || asked.answers?.includes(status) === true) return answer;
    const error = failed(asked, `the server answers ${`${String(status)} ${code}`.trim()}${hintOf(answer, region)}`);
    throw isUncertain ? new UncertainError(error) : error;
  }

  async #secrets(): Promise<string[]> {
    return secretsOf(await this.settings.credentials.get().catch(() => null));
  }

  async #once(asked: Asked, signals: readonly AbortSignal[], isUncertain: boolean): Promise<Answer | Failed> {
    const { settings } = this;
    const { method, key, query = {}, headers = {}, body } = asked;
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    const url = `${urlOf(settings.bucket, key)}${search === '' ? '' : `?${search}`}`;
    let init: RequestInit & { cache: 'no-store' };
    try {
      const sent = await this.signed(method, url, headers, body);
      init = { method, headers: sent, cache: 'no-store', ...(body === undefined ? {} : { body }) };
    } catch (error) {
      for (const signal of signals) signal.throwIfAborted();
      throw failed(asked, `credentials: ${reasonOf(error)}`, await this.#secrets(), error);
    }
    const silence = new AbortController();
    const stop = onAbort(signals, () => silence.abort());
    const arm = (): ReturnType<typeof setTimeout> => setTimeout(() => silence.abort(), settings.timeoutMs);
    let timer = arm();
    const progress = (): void => {
      clearTimeout(timer);
      timer = arm();
    };
    try {
      // Browsers demand that fetch is called as a function, not as a method.
      const { fetch: send } = settings;
      const response = await send(url, { ...init, signal: silence.signal });
      progress();
      const bytes = await bodyOf(response, progress, method === 'HEAD');
      return answered(asked, response, bytes, isUncertain);
    } catch (error) {
      for (const signal of signals) signal.throwIfAborted();
      const text = silence.signal.aborted ? `no byte for ${String(settings.timeoutMs)} ms` : reasonOf(error);
      return { text, cause: error, waitMs: 0, mayBeDone: changes(method) };
    } finally {
      clearTimeout(timer);
      stop();
    }
  }
}

/** What another try may mend, or the answer. */
function answered(
  asked: Asked,
  response: Response,
  body: Uint8Array<ArrayBuffer>,
  isUncertain: boolean,
): Answer | Failed {
  const { status, headers } = response;
  const isError = status < 200 || status >= 300;
  const root = isError || asked.root !== undefined ? rootOf(body) : null;
  const code = root?.name === 'Error' ? (textOf(root, 'Code') ?? 'Error') : '';
  const isBroken = !isError && asked.root !== undefined && code === '' && root?.name !== asked.root;
  const isLater = TRY_LATER.has(status) || (status >= 500 && !NEVER.has(status)) || TRANSIENT.has(code);
  if (!isLater && !isBroken) return { status, headers, root, code, isUncertain };
  const text = isBroken ? 'the answer of the server is not whole' : `the server answers ${String(status)} ${code}`;
  // A server that is busy may say so of what it has done.
  const mayBeDone = changes(asked.method) && (status >= 500 || status < 300);
  return { text: text.trim(), waitMs: retryAfterMs(response), mayBeDone };
}

/** Whether a second one is not the same as the first. */
function changes(method: Asked['method']): boolean {
  return method === 'PUT' || method === 'POST';
}

/** Null: it is none that can be read. */
function rootOf(body: Uint8Array): Element | null {
  try {
    return body.byteLength === 0
      ? null
      : parseXml(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body));
  } catch {
    return null;
  }
}

/** @param region that was said to be the bucket's. */
function hintOf({ code, headers, root }: Answer, region: string): string {
  const known = headers.get('x-amz-bucket-region') ?? (root === null ? null : textOf(root, 'Region')) ?? region;
  if (known !== region) return `: its region is ${known}`;
  if (code === 'RequestTimeTooSkewed') return ': the clock of this machine is wrong';
  if (code === 'EntityTooLarge' || code === 'EntityTooSmall') return ': see partBytes';
  return '';
}

/** All bytes. @throws Error where they are fewer than were announced, or more than any answer of S3 has. */
async function bodyOf(response: Response, progress: () => void, isHead: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const announced = isHead ? null : response.headers.get('content-length');
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = bodyReader(response);
  for (;;) {
    const value = (await reader?.read())?.value;
    if (value === undefined) break;
    progress();
    pieces.push(value);
    length += value.byteLength;
    if (length <= MOST_ANSWER_BYTES) continue;
    reader?.cancel().catch(() => undefined);
    throw new Error(`the answer has more than ${String(MOST_ANSWER_BYTES)} bytes`);
  }
  if (announced !== null && !response.headers.has('content-encoding') && Number(announced) !== length)
    throw new Error(`the answer ended after ${String(length)} of ${announced} bytes`);
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
