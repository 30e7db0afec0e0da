// A server that fails now and then, for every reason that servers have: reads get the right bytes, or the reason.
import { getEventListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { HttpSource, openSource } from '@colkit/io';
import type { HttpSourceOptions } from '@colkit/io';
import { patternBytes, sameBytes } from '../support/folder.ts';
import { nodeFetch } from '../support/fetch-of-node.ts';
import { rangeServer } from '../support/range-server.ts';
import { rejectedBy } from '../support/thrown.ts';

type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

const BYTES = patternBytes(300_000);
const server = await rangeServer(BYTES);
const QUICK = { baseMs: 1, maxMs: 2000 };

beforeEach(() => server.reset());

const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  (_, response) =>
    Boolean(response.writeHead(code, headers).end('no'));

/** Headers that promise all, and the first `count` bytes; then the connection breaks, or the answer just ends. */
function cut(count: number, how: 'reset' | 'end', etag = '"v1"'): Fault {
  return ({ headers }, response) => {
    const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
    const range = `bytes ${from}-${to}/${String(BYTES.length)}`;
    response.writeHead(206, { etag, 'content-range': range });
    const body = BYTES.subarray(Number(from), Number(from) + count);
    if (how === 'end') response.end(body);
    else response.write(body, () => setTimeout(() => response.destroy(), 5));
    return true;
  };
}

/** The next requests meet these faults, one each; those behind them are answered. */
function faults(...list: readonly Fault[]): void {
  const left = [...list];
  server.reset({ intercept: (request, response) => left.shift()?.(request, response) ?? false });
}

async function readOf(source: HttpSource, start = 1000, length = 50_000, signal?: AbortSignal): Promise<boolean> {
  const out = new Uint8Array(length);
  await source.read(start, out, signal);
  return sameBytes(out, BYTES.subarray(start, start + length));
}

const opened = (options: HttpSourceOptions = {}): Promise<HttpSource> =>
  HttpSource.open(server.url, { retry: QUICK, ...options });

describe.each([
  ['is tried again', undefined],
  ['with bodies that are streams of Node is tried again', nodeFetch],
])('%s', (_, given) => {
  const opened = (options: HttpSourceOptions = {}): Promise<HttpSource> =>
    HttpSource.open(server.url, { retry: QUICK, ...(given === undefined ? {} : { fetch: given }), ...options });

  test.each<[string, readonly Fault[]]>([
    ['408, 425 and 429', [status(408), status(425), status(429)]],
    ['500, 502 and 503', [status(500), status(502), status(503)]],
    ['a connection that breaks at once', [(_, response) => Boolean(response.destroy())]],
    ['a body that breaks', [cut(20_000, 'reset'), cut(20_000, 'reset')]],
    ['a body that ends early', [cut(0, 'end'), cut(49_999, 'end')]],
    ['all of them', [status(504), cut(7, 'end'), cut(30_000, 'reset')]],
  ])('%s', async (_, list) => {
    const source = await opened();
    faults(...list);
    expect(await readOf(source)).toBe(true);
    expect(server.ranges).toHaveLength(list.length + 1);
    faults(...list.slice(0, 1));
    expect((await opened()).byteLength).toBe(BYTES.length);
    expect(server.ranges).toHaveLength(2);
  });

  test('silence, each try of timeoutMs', async () => {
    const source = await opened({ timeoutMs: 150 });
    faults(() => true);
    expect(await readOf(source)).toBe(true);
  });

  test('from where a body of the same version broke, and from its start without a version to demand', async () => {
    const demanded: unknown[] = [];
    const source = await opened();
    faults(cut(20_000, 'reset'));
    const { intercept } = server.served;
    server.served.intercept = (request, response) => {
      demanded.push(request.headers['if-match']);
      return intercept(request, response);
    };
    expect(await readOf(source)).toBe(true);
    expect(server.ranges).toEqual(['bytes=1000-50999', 'bytes=21000-50999']);
    expect(demanded).toEqual(['"v1"', '"v1"']);
    server.reset({ etag: null });
    const loose = await opened();
    faults(cut(20_000, 'reset'));
    server.served.etag = null;
    expect(await readOf(loose)).toBe(true);
    expect(server.ranges).toEqual(['bytes=1000-50999', 'bytes=1000-50999']);
  });

  test('no more than attempts says, and not at all with false', async () => {
    const always: Fault = status(503);
    for (const [retry, requests, text] of [
      [{ attempts: 2, baseMs: 1 }, 2, '503 Service Unavailable (in each of 2 attempts)'],
      [false, 1, 'the server answers 503 Service Unavailable'],
    ] as const) {
      server.reset();
      const source = await opened({ retry });
      server.reset({ intercept: always });
      const message = expect.stringMatching(new RegExp(`${text.replace(/[()]/g, '\\$&')}$`)) as unknown;
      expect(await rejectedBy(readOf(source))).toMatchObject({ name: 'IoError', code: 'ERR_READ', message });
      expect(server.ranges).toHaveLength(requests);
    }
  });

  test.each([400, 401, 403, 405, 416, 501, 505])('not after %i', async (code) => {
    const source = await opened();
    server.reset({ intercept: status(code) });
    expect(await rejectedBy(readOf(source))).toMatchObject({ name: 'IoError' });
    expect(server.ranges).toHaveLength(1);
  });

  test('and never mixes versions: the object that changed between two tries is ERR_FILE_CHANGED', async () => {
    for (const etag of ['"v1"', null]) {
      server.reset({ etag });
      const source = await opened();
      const first = cut(20_000, 'reset', etag ?? undefined);
      faults((request, response) => {
        server.served.etag = '"v2"';
        if (etag === null) server.served.bytes = BYTES.subarray(0, 299_999);
        return first(request, response);
      });
      server.served.etag = etag;
      expect(await rejectedBy(readOf(source))).toMatchObject({ code: 'ERR_FILE_CHANGED' });
    }
  });
});

describe('waits', () => {
  test('as long as Retry-After says, in seconds or as a time of the server', async () => {
    const source = await opened();
    const date = new Date(Date.now() - 3_600_000);
    for (const headers of [
      { 'retry-after': '1' },
      { 'retry-after': new Date(date.getTime() + 1000).toUTCString(), date: date.toUTCString() },
    ]) {
      faults(status(503, headers));
      const start = performance.now();
      expect(await readOf(source)).toBe(true);
      expect(performance.now() - start).toBeGreaterThan(900);
    }
  });

  test('not at all where that is longer than maxMs', async () => {
    const source = await opened();
    faults(status(429, { 'retry-after': '3600' }));
    const message = expect.stringContaining('asks to wait 3600000 ms, longer than retry.maxMs') as unknown;
    expect(await rejectedBy(readOf(source))).toMatchObject({ code: 'ERR_READ', message });
    expect(server.ranges).toHaveLength(1);
  });

  test('longer with each try, at random', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.999);
    try {
      const source = await opened({ retry: { baseMs: 40, attempts: 4, maxMs: 100 } });
      const times: number[] = [];
      server.reset({
        intercept: (request, response) => {
          times.push(performance.now());
          return status(500)(request, response);
        },
      });
      await rejectedBy(readOf(source));
      const waits = times.slice(1).map((time, k) => time - (times[k] ?? 0));
      for (const [k, least] of [39, 79, 99].entries()) expect(waits[k]).toBeGreaterThan(least - 3);
      random.mockReturnValue(0);
      const start = performance.now();
      await rejectedBy(readOf(source));
      expect(performance.now() - start).toBeLessThan(100);
    } finally {
      random.mockRestore();
    }
  });

  test('until the signal aborts, the source is closed, or totalTimeoutMs is over', async () => {
    const later = status(503, { 'retry-after': '2' });
    const [source, timed] = [await opened(), await opened({ totalTimeoutMs: 100 })];
    server.reset({ intercept: later });
    const start = performance.now();
    expect(await rejectedBy(readOf(source, 0, 10, AbortSignal.timeout(50)))).toMatchObject({ name: 'TimeoutError' });
    const message = expect.stringContaining('not done within totalTimeoutMs (100 ms)') as unknown;
    expect(await rejectedBy(readOf(timed))).toMatchObject({ name: 'IoError', code: 'ERR_READ', message });
    expect(await rejectedBy(opened({ totalTimeoutMs: 100 }))).toMatchObject({ code: 'ERR_READ', message });
    const closed = rejectedBy(readOf(source));
    setTimeout(() => source.close(), 50);
    expect(await closed).toMatchObject({ name: 'ClosedError' });
    expect(performance.now() - start).toBeLessThan(1500);
  });
});

test('reads leave nothing at a signal that lives on, and do not warn of many at a time', async () => {
  // What `AbortSignal.any` makes of a signal is kept there by Node.
  const { signal } = new AbortController();
  const kept = (): number => {
    const symbol = Object.getOwnPropertySymbols(signal).find(({ description }) => description === 'kDependantSignals');
    const signals = symbol === undefined ? undefined : (Reflect.get(signal, symbol) as Set<unknown> | undefined);
    return signals?.size ?? 0;
  };
  const warnings: string[] = [];
  const warned = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', warned);
  const sources = await Promise.all(Array.from({ length: 4 }, () => opened({ signal })));
  const reads = sources.flatMap((source) => [0, 1, 2, 3].map((at) => readOf(source, at * 70_000, 10, signal)));
  expect(await Promise.all(reads)).toEqual(new Array(16).fill(true));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', warned);
  expect([kept(), getEventListeners(signal, 'abort'), warnings]).toEqual([0, [], []]);
});

test.each<[HttpSourceOptions, RegExp]>([
  [{ retry: true as never }, /^retry: expected false or an object of options but found true$/],
  [{ retry: { attempts: 0 } }, /^retry\.attempts: expected a count of tries/],
  [{ retry: { attemps: 2 } as never }, /unknown option "retry\.attemps"; did you mean "retry\.attempts"\?/],
  [{ totalTimeoutMs: 0 }, /^totalTimeoutMs: expected a count of milliseconds/],
  [{ totalTimeout: 5 } as never, /did you mean "totalTimeoutMs"\?/],
  [{ renews: 5 } as never, /did you mean "renew"\?/],
])('%j is refused', async (options, message) => {
  expect(await rejectedBy(openSource(server.url, options))).toMatchObject({
    name: 'ArgumentError',
    message: expect.stringMatching(message) as unknown,
  });
});
