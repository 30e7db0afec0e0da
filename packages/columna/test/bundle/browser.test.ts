// The build for browsers in a real one: a bundle as esbuild makes it of the published entry point, reading from a
// server, from files of the user and from the origin's private files, in the page and in a worker. Where the machine
// has none this says so.
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEEP_FAULTS, testBrowser } from '@colkit/testkit/browser';
import type { Tab } from '@colkit/testkit/browser';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSync, readSync, scanSync } from '../../src/index.ts';
import { orderTable } from '../support/orders.ts';
import { writeTable } from '../support/table.ts';

const browser = testBrowser('the build for browsers was not run in one');

const WHERE = "amount > 40 and region == 'EMEA'";
const { bytes } = writeTable(orderTable(20_000), { rowGroupRows: 4000, pageRows: 512 });

/**
 * What each program does with what it is given: columns, a scan, statistics, an error. JSON, 64-bit integers as text.
 */
const PROGRAM = `
  import { inspect, open, read, scan } from 'columna';
  const asJson = (value) => JSON.stringify(value, (_, each) =>
    typeof each === 'bigint' ? String(each) : ArrayBuffer.isView(each) ? Array.from(each) : each);
  export async function ask(what) {
    const { order_id, note } = await read(what, { columns: ['order_id', 'note'] });
    const { stats, columns, rowCount } = await scan(what, { where: ${JSON.stringify(WHERE)}, columns: ['amount'] });
    const table = await open(what);
    const grouped = await table.groupBy('region').agg({ orders: 'count', total: { sum: 'amount' } });
    const { rowGroupCount } = await inspect(what);
    const wrong = await read(what, { columns: ['nope'] }).catch((error) => error.code);
    table.close();
    const { orders } = grouped.columns;
    return asJson({ order_id, note, stats, amount: columns.amount, rowCount, rowGroupCount, grouped: orders, wrong });
  }
  globalThis.ask = ask;
  ${KEEP_FAULTS}
`;
const WORKER = `${PROGRAM}
  onmessage = async ({ data }) => {
    const answer = await ask(data).catch((error) => String(error));
    postMessage({ answer, faults: keptFaults });
  };
`;

async function bundled(contents: string): Promise<string> {
  const result = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.text ?? '';
}

describe.skipIf(browser === null)(`in ${browser?.name ?? 'a browser'}`, () => {
  let server: Server;
  let foreign: Server;
  let page: Tab;
  let expected: unknown;
  const requests: string[] = [];

  beforeAll(async () => {
    const [program, worker] = await Promise.all([bundled(PROGRAM), bundled(WORKER)]);
    const pages: Record<string, [type: string, body: string]> = {
      '/': ['text/html', '<!doctype html><link rel="icon" href="data:,"><script src="program.js"></script>'],
      '/program.js': ['text/javascript', program],
      '/worker.js': ['text/javascript', worker],
    };
    server = createServer((request, response) => {
      const known = pages[request.url ?? ''];
      if (known !== undefined) response.writeHead(200, { 'content-type': known[0] }).end(known[1]);
      else sendRange(request.headers.range, response);
      if (request.url === '/orders.cna') requests.push(request.headers.range ?? 'whole');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // Another origin: it lets pages in, and hides Content-Range; /whole.cna knows no ranges.
    foreign = createServer((request, response) => {
      response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', 'range');
      if (request.method === 'OPTIONS') response.writeHead(204).end();
      else if (request.method === 'HEAD') response.writeHead(200, { 'content-length': bytes.length }).end();
      else if (request.url === '/whole.cna') response.writeHead(200).end(bytes);
      else sendRange(request.headers.range, response);
      if (request.method !== 'OPTIONS') requests.push(`${request.method ?? ''} ${request.headers.range ?? 'whole'}`);
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    page = await browser!.open();
    await page.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
    const { order_id, note } = readSync(bytes, { columns: ['order_id', 'note'] });
    const { stats, columns, rowCount } = scanSync(bytes, { where: WHERE, columns: ['amount'] });
    expected = withoutBytes({
      order_id: Array.from(order_id as BigInt64Array, String),
      note,
      stats,
      amount: Array.from(columns['amount'] as Float64Array),
      rowCount,
      rowGroupCount: 5,
      grouped: Array.from(openSync(bytes).groupBy('region').aggSync({ orders: 'count' }).columns.orders),
      wrong: 'ERR_UNKNOWN_COLUMN',
    });
  });
  afterAll(async () => {
    await page.close();
    server.close();
    foreign.close();
  });

  function sendRange(range: string | undefined, response: ServerResponse): void {
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
    const start = first === '' ? bytes.length - Number(last) : Number(first ?? 0);
    const end = Math.min(bytes.length, first === '' || last === '' ? bytes.length : Number(last ?? bytes.length) + 1);
    response
      .writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}`, etag: '"1"' })
      .end(bytes.subarray(start, end));
  }

  /** How many bytes are asked for depends on the source: how far two reads may lie apart and still be one. */
  function withoutBytes(answer: unknown): object {
    const { stats, ...others } = answer as { stats: Record<string, number> };
    return { ...others, stats: { ...stats, bytesRead: undefined } };
  }

  /** Runs `script`, which gives what `ask` is asked about, in the page or in a worker of its own. */
  async function asked(script: string, isWorker: boolean): Promise<unknown> {
    const ask = isWorker
      ? `(what) => new Promise((resolve, reject) => {
           const worker = new Worker('worker.js');
           worker.onmessage = ({ data }) => {
             worker.terminate();
             keptFaults.push(...data.faults);
             resolve(data.answer);
           };
           worker.onerror = (event) => reject(new Error(event.message));
           worker.postMessage(what);
         })`
      : 'ask';
    return JSON.parse((await page.evaluate(`(async () => (${ask})(await (${script})()))()`)) as string);
  }

  const BYTES = "new Uint8Array(await (await fetch('/copy.cna')).arrayBuffer())";
  const PRIVATE = `async () => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle('orders.cna', { create: true });
    const stream = await handle.createWritable();
    await stream.write(${BYTES});
    await stream.close();
    return handle.getFile();
  }`;

  describe.each([
    ['the page', false],
    ['a worker', true],
  ] as const)('%s', (_, isWorker) => {
    it('reads a URL by ranges', async () => {
      requests.length = 0;
      expect(withoutBytes(await asked("() => new URL('/orders.cna', location.href).href", isWorker))).toEqual(expected);
      expect(requests.length).toBeGreaterThan(3);
      expect(requests).not.toContain('whole');
      expect(page.faults).toEqual([]);
    });

    it('reads a URL of another origin that hides Content-Range', async () => {
      requests.length = 0;
      const url = `http://127.0.0.1:${String((foreign.address() as AddressInfo).port)}/orders.cna`;
      expect(withoutBytes(await asked(`() => ${JSON.stringify(url)}`, isWorker))).toEqual(expected);
      expect(requests.filter((request) => request === 'HEAD whole').length).toBeGreaterThan(0);
      expect(requests).not.toContain('GET whole');
      expect(page.faults).toEqual([]);
    });

    it('loads the whole file from a server without ranges, and warns', async () => {
      const url = `http://127.0.0.1:${String((foreign.address() as AddressInfo).port)}/whole.cna`;
      expect(withoutBytes(await asked(`() => ${JSON.stringify(url)}`, isWorker))).toEqual(expected);
      expect(page.faults.splice(0)).toContain(
        `COLKIT_NO_RANGES: ${url}: the server knows no ranges, so that all ${String(bytes.length)} bytes were loaded ` +
          'at opening; { downloadLimit: 0 } refuses that.',
      );
    });

    it.each<readonly [string, string]>([
      ['a File', `async () => new File([${BYTES}], 'orders.cna')`],
      ['a Blob', `async () => new Blob([${BYTES}])`],
      ['bytes', `async () => ${BYTES}`],
      // Written by the test.
      ...(browser?.hasWritableHandles === false ? [] : [["a file of the origin's own (OPFS)", PRIVATE] as const]),
    ])('reads %s', async (_name, script) => {
      expect(withoutBytes(await asked(script, isWorker))).toEqual(expected);
      expect(page.faults).toEqual([]);
    });
  });
});
