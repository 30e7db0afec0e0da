// A server of one bucket that is stricter than most, and misbehaves on purpose.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Bucket, failure } from './bucket.ts';
import type { BucketRules, S3Answer, S3Question } from './bucket.ts';
import { signatureError } from './signature.ts';
import type { Keys } from './signature.ts';

/** What goes wrong with a request, or null. */
export type Misbehaviour =
  | null
  /** 503 with this code, before anything is done; `Retry-After` in seconds. */
  | { readonly kind: 'refuse'; readonly status: number; readonly code: string; readonly retryAfter?: number }
  /** The connection breaks before anything is done. */
  | { readonly kind: 'reset' }
  /** It is done, and the answer is lost. */
  | { readonly kind: 'lose' }
  /** It is done, and another answer is sent: an error, or one with other headers. */
  | { readonly kind: 'lie'; readonly answer: S3Answer }
  /** The body ends halfway: the connection breaks, or it is closed in order. */
  | { readonly kind: 'cut'; readonly how: 'reset' | 'short' }
  /** It is answered, and done, when this promise is. */
  | { readonly kind: 'wait'; readonly until: Promise<void> };

export interface S3Server {
  readonly endpoint: string;
  readonly bucketName: string;
  readonly region: string;
  readonly keys: Keys;
  readonly bucket: Bucket;
  /** `PUT key`, `POST key?uploads`, … so far. */
  readonly log: string[];
  /** Asked about every request. */
  misbehave: (question: S3Question) => Misbehaviour;
  /** Of a page of another origin: what it may see. */
  readonly cors: boolean;
  close(): Promise<void>;
}

export interface S3ServerOptions extends Partial<BucketRules> {
  readonly keys?: Keys;
  readonly region?: string;
  readonly cors?: boolean;
  /** Whether unsigned requests may read. */
  readonly isPublic?: boolean;
}

export const S3_KEYS: Keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLE' };
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE',
  'access-control-allow-headers': '*, authorization',
  'access-control-expose-headers': 'ETag, Content-Range, Content-Length, x-amz-meta-colkit-writer',
};

export async function s3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const { keys = S3_KEYS, region = 'us-east-1', cors = false, isPublic = false } = options;
  const bucket = new Bucket({
    pageSize: options.pageSize ?? 1000,
    leastPartBytes: options.leastPartBytes ?? 5 << 20,
    enforcesIfNoneMatch: options.enforcesIfNoneMatch ?? true,
  });
  const log: string[] = [];
  const server = createServer((request, response) => {
    if (cors) for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else void handle(request, response).catch(() => response.destroy());
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of request as AsyncIterable<Uint8Array>) pieces.push(piece);
    const { method = '', headers } = request;
    const url = new URL(`http://${headers.host ?? ''}${request.url ?? ''}`);
    const body = new Uint8Array(Buffer.concat(pieces));
    const [, name, ...rest] = url.pathname.split('/');
    const key = rest.map(decodeURIComponent).join('/');
    const question: S3Question = { method, key, query: url.searchParams, headers, body };
    const shown = [...url.searchParams.keys()].filter((each) => /^(?:uploads|uploadId|partNumber)$/u.test(each));
    log.push(`${method} ${key}${shown.length === 0 ? '' : `?${shown.join('&')}`}`);
    const isOpen = isPublic && (method === 'GET' || method === 'HEAD') && headers.authorization === undefined;
    const wrong = isOpen ? null : signatureError({ method, url, headers, body }, keys, region);
    if (wrong !== null) return reply(response, failure(403, wrong), method);
    if (name !== served.bucketName) return reply(response, failure(404, 'NoSuchBucket'), method);
    const fault = served.misbehave(question);
    if (fault?.kind === 'reset') return void response.destroy();
    if (fault?.kind === 'refuse') {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter));
      return reply(response, failure(fault.status, fault.code), method);
    }
    if (fault?.kind === 'wait') await fault.until;
    const answer = bucket.answer(question);
    if (fault?.kind === 'lose') return void response.destroy();
    if (fault?.kind === 'cut') return cut(response, answer, fault.how);
    reply(response, fault?.kind === 'lie' ? fault.answer : answer, method);
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const served: S3Server = {
    endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    bucketName: 'bucket',
    region,
    keys,
    bucket,
    log,
    misbehave: () => null,
    cors,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
  return served;
}

function reply(response: ServerResponse, { status, headers = {}, body = '' }: S3Answer, method: string): void {
  const length = method === 'HEAD' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...length, ...headers }).end(method === 'HEAD' || status === 204 ? undefined : body);
}

/** Half of a body: with its length, and then a broken connection; or in chunks, as if that were all. */
function cut(response: ServerResponse, { status, headers = {}, body = '' }: S3Answer, how: 'reset' | 'short'): void {
  const bytes = Buffer.from(body as string);
  const half = bytes.subarray(0, bytes.length >> 1);
  if (how === 'short') response.writeHead(status, headers).end(half);
  else
    response
      .writeHead(status, { ...headers, 'content-length': String(bytes.length) })
      .write(half, () => setTimeout(() => response.destroy(), 1));
}

export { failure } from './bucket.ts';
export type { S3Answer, S3Question } from './bucket.ts';
