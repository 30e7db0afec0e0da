// A thread that serves the files of a folder by ranges, each answer after a delay: an object store nearby, without the
// network's noise.
import { openSync, readFileSync, readSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

/** What the thread is given. */
export interface Served {
  readonly folder: string;
  readonly delayMs: number;
}

const { folder, delayMs } = workerData as Served;
const files = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.syr'))
    .map((name) => [
      `/${name}`,
      { fd: openSync(join(folder, name), 'r'), size: readFileSync(join(folder, name)).length },
    ]),
);
let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  setTimeout(() => {
    const file = files.get(request.url ?? '');
    const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const start = first === '' ? Math.max(0, file.size - Number(last)) : Number(first);
    const end = first === '' || last === '' ? file.size : Math.min(file.size, Number(last) + 1);
    const body = new Uint8Array(end - start);
    readSync(file.fd, body, 0, body.length, start);
    response
      .writeHead(206, {
        etag: `"${String(file.size)}"`,
        'content-length': body.length,
        'content-range': `bytes ${String(start)}-${String(end - 1)}/${String(file.size)}`,
      })
      .end(body);
  }, delayMs);
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
/** Asked for the requests since it was asked last. */
parentPort?.on('message', () => {
  parentPort?.postMessage(requests);
  requests = 0;
});
