// A local HTTP server of objects, that counts what it is asked and misbehaves on purpose.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An object as it is served. */
interface Served {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** Looks at a request first, and at what it is of (null: there is none); true: it has answered. */
export type Fault = (request: IncomingMessage, response: ServerResponse, object: Served | null) => boolean;

export interface ObjectServer {
  /** Where an object of this name is. */
  url(name: string): string;
  /** By name. Replacing one makes another version of it. */
  readonly objects: Map<string, Uint8Array>;
  /** The Range header of each request so far. */
  readonly ranges: string[];
  /** The bytes of all bodies so far. */
  readonly sent: { bytes: number };
  /** Asked about every request. */
  fault: Fault;
  close(): Promise<void>;
}

/**
 * Answers ranges as object stores do, with a strong ETag and If-Match.
 * @param newTag the ETag of an object that was put there.
 */
export async function objectServer(
  newTag: (bytes: Uint8Array) => string = () => `"${String(Math.random())}"`,
): Promise<ObjectServer> {
  const objects = new Map<string, Uint8Array>();
  const tags = new WeakMap<Uint8Array, string>();
  const ranges: string[] = [];
  const sent = { bytes: 0 };
  const tagOf = (bytes: Uint8Array): string => {
    const tag = tags.get(bytes) ?? newTag(bytes);
    tags.set(bytes, tag);
    return tag;
  };
  const server = createServer((request, response) => {
    ranges.push(request.headers.range ?? '');
    const found = objects.get(decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname.slice(1)));
    const object = found === undefined ? null : { bytes: found, etag: tagOf(found) };
    if (served.fault(request, response, object)) return;
    if (object === null) {
      response.writeHead(404).end();
      return;
    }
    const { bytes, etag } = object;
    const wanted = request.headers['if-match'];
    if (wanted !== undefined && wanted !== etag) {
      response.writeHead(412, { etag }).end();
      return;
    }
    const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const start = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first);
    const end = first === '' || last === '' ? bytes.length : Math.min(bytes.length, Number(last) + 1);
    const body = bytes.subarray(start, end);
    sent.bytes += body.length;
    response
      .writeHead(206, {
        etag,
        'content-length': body.length,
        'content-range': `bytes ${String(start)}-${String(end - 1)}/${String(bytes.length)}`,
      })
      .end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const served: ObjectServer = {
    url: (name) => `${origin}/${encodeURIComponent(name)}`,
    objects,
    ranges,
    sent,
    fault: () => false,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
  return served;
}

/** Every `n`th request fails, in turn with 503, a broken body, a short one and a broken connection. */
export function flaky(n: number): Fault {
  let requests = 0;
  let failures = 0;
  return ({ headers }, response, object) => {
    requests += 1;
    if (requests % n !== 0) return false;
    failures += 1;
    if (failures % 4 === 0) response.destroy();
    else if (failures % 4 === 1) response.writeHead(503, { 'retry-after': '0' }).end('busy');
    else {
      // Range and version are told, and one byte of the body comes.
      const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
      if (to === '' || object === null) response.destroy();
      else {
        const { bytes, etag } = object;
        response.writeHead(206, { 'content-range': `bytes ${from}-${to}/*`, etag });
        if (failures % 4 === 2) response.end();
        else {
          const start = Number(from);
          response.write(bytes.subarray(start, start + 1), () => setTimeout(() => response.destroy(), 1));
        }
      }
    }
    return true;
  };
}
