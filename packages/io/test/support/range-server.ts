// A local HTTP server of one object, with the faults that real servers have.
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export interface Served {
  bytes: Uint8Array;
  etag: string | null;
  lastModified: string | null;
  /** Looks at a request first; true: it has answered. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  suffixes: boolean;
}

export interface RangeServer {
  readonly url: string;
  readonly served: Served;
  /** The Range header of each request so far. */
  readonly ranges: string[];
  reset(change?: Partial<Served>): void;
}

const PLAIN = { etag: '"v1"', lastModified: null, intercept: () => false, suffixes: true };

export async function rangeServer(bytes: Uint8Array): Promise<RangeServer> {
  const served: Served = { bytes, ...PLAIN };
  const ranges: string[] = [];
  const server: Server = createServer((request, response) => {
    ranges.push(request.headers.range ?? '');
    if (!served.intercept(request, response)) answer(served, request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/object`,
    served,
    ranges,
    reset(change = {}) {
      Object.assign(served, { bytes }, PLAIN, change);
      ranges.length = 0;
    },
  };
}

function answer(served: Served, request: IncomingMessage, response: ServerResponse): void {
  const total = served.bytes.byteLength;
  if (served.etag !== null) response.setHeader('etag', served.etag);
  if (served.lastModified !== null) response.setHeader('last-modified', served.lastModified);
  const wanted = request.headers['if-match'];
  if (wanted !== undefined && wanted !== served.etag) {
    response.writeHead(412).end();
    return;
  }
  const match = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
  if (match === null || (match[1] === '' && !served.suffixes)) {
    response.writeHead(200, { 'content-length': total }).end(served.bytes);
    return;
  }
  const start = match[1] === '' ? Math.max(0, total - Number(match[2])) : Number(match[1]);
  const end = match[1] === '' || match[2] === '' ? total : Math.min(total, Number(match[2]) + 1);
  if (start >= end) {
    response.writeHead(416, { 'content-range': `bytes */${String(total)}` }).end();
    return;
  }
  const body = served.bytes.subarray(start, end);
  response
    .writeHead(206, {
      'content-range': `bytes ${String(start)}-${String(end - 1)}/${String(total)}`,
      'content-length': body.byteLength,
    })
    .end(body);
}
