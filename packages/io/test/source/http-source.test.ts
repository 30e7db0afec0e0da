// An object behind a local HTTP server: how many requests, and what becomes of every fault that servers have.
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { HttpSource, createGatherer, openSource } from '@colkit/io';
import { contentRangeOf } from '../../src/source/http/http-response.ts';
import { patternBytes, sameBytes } from '../support/folder.ts';
import { rangeServer } from '../support/range-server.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const BYTES = patternBytes(1_000_000);
const server = await rangeServer(BYTES);

beforeEach(() => server.reset());

async function readOf(source: HttpSource, start: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
  const out = new Uint8Array(length);
  await source.read(start, out, signal);
  return out;
}

/** A 206 answer with whatever headers and body. */
function partial(
  response: ServerResponse,
  contentRange: string | null,
  body: Uint8Array,
  headers: Record<string, string> = {},
): true {
  response
    .writeHead(206, { etag: '"v1"', ...(contentRange === null ? {} : { 'content-range': contentRange }), ...headers })
    .end(body);
  return true;
}

describe('opening', () => {
  test('is one request for the last bytes, which are kept', async () => {
    const source = await HttpSource.open(server.url);
    expect([source.isSync, source.path, source.byteLength, source.closed]).toEqual([
      false,
      server.url,
      BYTES.byteLength,
      false,
    ]);
    expect(sameBytes(await readOf(source, 999_000, 1000), BYTES.subarray(999_000))).toBe(true);
    expect((await readOf(source, 5, 0)).byteLength).toBe(0);
    expect(server.ranges).toEqual(['bytes=-65536']);
    expect(sameBytes(await readOf(source, 10, 20), BYTES.subarray(10, 30))).toBe(true);
    expect(server.ranges).toEqual(['bytes=-65536', 'bytes=10-29']);
  });

  test('of an object smaller than the tail', async () => {
    server.reset({ bytes: BYTES.subarray(0, 100) });
    const source = await HttpSource.open(new URL(server.url));
    expect(sameBytes(await readOf(source, 0, 100), BYTES.subarray(0, 100))).toBe(true);
    expect(server.ranges).toHaveLength(1);
  });

  test.each([[true], [false]])('of an empty object, suffix ranges known: %s', async (suffixes) => {
    server.reset({ bytes: new Uint8Array(0), suffixes });
    const source = await HttpSource.open(server.url);
    expect(source.byteLength).toBe(0);
    await source.read(0, new Uint8Array(0));
  });

  test.each([
    ['ignores suffix ranges', () => server.reset({ suffixes: false })],
    [
      'refuses suffix ranges',
      () =>
        server.reset({
          intercept: ({ headers }, response) =>
            headers.range === 'bytes=-65536' && Boolean(response.writeHead(501).end()),
        }),
    ],
    [
      'takes a suffix for the start',
      () =>
        server.reset({
          intercept: ({ headers }, response) =>
            headers.range === 'bytes=-65536' && partial(response, 'bytes 0-65535/1000000', BYTES.subarray(0, 65_536)),
        }),
    ],
  ])('asks for the first byte where the server %s', async (_, arrange) => {
    arrange();
    const source = await HttpSource.open(server.url);
    expect(source.byteLength).toBe(BYTES.byteLength);
    expect(server.ranges).toEqual(['bytes=-65536', 'bytes=0-0']);
    expect(sameBytes(await readOf(source, 999_990, 10), BYTES.subarray(999_990))).toBe(true);
  });

  test.each<[string, Parameters<typeof server.reset>[0], object]>([
    [
      'does not tell the size',
      { intercept: (_, response) => partial(response, 'bytes 0-0/*', BYTES.subarray(0, 1)) },
      { code: 'ERR_REMOTE_RANGE' },
    ],
    [
      'says nonsense',
      { intercept: (_, response) => partial(response, 'bytes 5-2/9', BYTES.subarray(0, 1)) },
      { code: 'ERR_REMOTE_RANGE' },
    ],
    [
      'compresses',
      {
        intercept: (_, response) =>
          partial(response, 'bytes 934464-999999/1000000', BYTES.subarray(0, 65_536), { 'content-encoding': 'br' }),
      },
      { code: 'ERR_REMOTE_RANGE' },
    ],
    [
      'has no such object',
      { intercept: (_, response) => Boolean(response.writeHead(404).end()) },
      { code: 'ERR_NOT_FOUND' },
    ],
    [
      'refuses',
      { intercept: (_, response) => Boolean(response.writeHead(403).end('no')) },
      { code: 'ERR_READ', message: expect.stringContaining('403') as unknown },
    ],
    ['hangs up', { intercept: (_, response) => Boolean(response.destroy()) }, { code: 'ERR_READ' }],
  ])('fails where the server %s', async (_, change, expected) => {
    server.reset(change);
    expect(await rejectedBy(HttpSource.open(server.url, { retry: false }))).toMatchObject({
      name: 'IoError',
      path: server.url,
      ...expected,
    });
  });

  test('fails where nobody listens, and at what is no URL', async () => {
    expect(await rejectedBy(HttpSource.open('http://127.0.0.1:9/', { retry: false }))).toMatchObject({
      name: 'IoError',
      code: 'ERR_READ',
    });
    expect(await rejectedBy(HttpSource.open('not a URL'))).toMatchObject({ name: 'ArgumentError', argument: 'url' });
  });

  test('through openSource, with an abort', async () => {
    expect((await openSource(server.url)).isSync).toBe(false);
    expect((await openSource(new URL(server.url))).byteLength).toBe(BYTES.byteLength);
    const reason = new Error('enough');
    expect(await rejectedBy(openSource(server.url, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });
});

describe('a read', () => {
  test('sends the options with every request, and demands the version that was opened', async () => {
    const seen: (string | string[] | undefined)[][] = [];
    server.reset({
      intercept: ({ headers }) => {
        seen.push([headers['x-key'], headers['if-match'], headers['accept-encoding']]);
        return false;
      },
    });
    const source = await HttpSource.open(server.url, { headers: { 'x-key': 'k' } });
    await readOf(source, 0, 1);
    expect(seen).toEqual([
      ['k', undefined, 'identity'],
      ['k', '"v1"', 'identity'],
    ]);
  });

  test.each<[string, Parameters<typeof server.reset>[0], Parameters<typeof server.reset>[0]]>([
    ['its strong ETag', {}, { etag: '"v2"' }],
    ['its weak ETag', { etag: 'W/"1"' }, { etag: 'W/"2"' }],
    [
      'the time of its change',
      { etag: null, lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' },
      { etag: null, lastModified: 'Tue, 02 Jan 2024 00:00:00 GMT' },
    ],
    [
      'the time of its change, and has no ETag any more',
      { etag: 'W/"1"', lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' },
      { etag: null, lastModified: 'Tue, 02 Jan 2024 00:00:00 GMT' },
    ],
    ['its size', { etag: null }, { etag: null, bytes: BYTES.subarray(1) }],
    ['so that it has no ETag any more', { etag: 'W/"1"' }, { etag: null }],
    [
      'so that it has no time of its change any more',
      { etag: null, lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' },
      { etag: null, lastModified: null },
    ],
    [
      'its ETag, where the server ignores If-Match',
      {},
      { intercept: (_, response) => partial(response, 'bytes 0-9/1000000', BYTES.subarray(0, 10), { etag: '"v2"' }) },
    ],
  ])('of an object that changed %s is ERR_FILE_CHANGED', async (_, first, second) => {
    server.reset(first);
    const source = await HttpSource.open(server.url);
    expect(sameBytes(await readOf(source, 0, 10), BYTES.subarray(0, 10))).toBe(true);
    server.reset({ ...first, ...second });
    expect(await rejectedBy(readOf(source, 0, 10))).toMatchObject({ name: 'IoError', code: 'ERR_FILE_CHANGED' });
  });

  test('of an object that is gone is ERR_FILE_CHANGED', async () => {
    const source = await HttpSource.open(server.url);
    server.reset({ intercept: (_, response) => Boolean(response.writeHead(404).end()) });
    expect(await rejectedBy(readOf(source, 0, 10))).toMatchObject({ code: 'ERR_FILE_CHANGED' });
  });

  const TEN = 'bytes 0-9/1000000';
  test.each<[string, Parameters<typeof server.reset>[0], string]>([
    [
      'the whole object',
      { intercept: (_, response) => Boolean(response.writeHead(200, { etag: '"v1"' }).end(BYTES)) },
      'ERR_REMOTE_RANGE',
    ],
    [
      'another range',
      { intercept: (_, response) => partial(response, 'bytes 1-10/1000000', BYTES.subarray(0, 10)) },
      'ERR_REMOTE_RANGE',
    ],
    [
      'a shorter range',
      { intercept: (_, response) => partial(response, 'bytes 0-8/1000000', BYTES.subarray(0, 9)) },
      'ERR_REMOTE_RANGE',
    ],
    [
      'no Content-Range',
      { intercept: (_, response) => partial(response, null, BYTES.subarray(0, 10)) },
      'ERR_REMOTE_RANGE',
    ],
    [
      'too many bytes',
      { intercept: (_, response) => partial(response, TEN, BYTES.subarray(0, 11)) },
      'ERR_REMOTE_RANGE',
    ],
    ['too few bytes', { intercept: (_, response) => partial(response, TEN, BYTES.subarray(0, 9)) }, 'ERR_READ'],
    ['an error', { intercept: (_, response) => Boolean(response.writeHead(500).end()) }, 'ERR_READ'],
    [
      'an error that has a version of its own',
      { intercept: (_, response) => Boolean(response.writeHead(403, { etag: '"page"' }).end('no')) },
      'ERR_READ',
    ],
    [
      'half of it',
      {
        intercept: (_, response) => {
          response.writeHead(206, { etag: '"v1"', 'content-range': TEN, 'content-length': 10 }).write('half!');
          setTimeout(() => response.destroy(), 20);
          return true;
        },
      },
      'ERR_READ',
    ],
  ])('that is answered with %s fails', async (_, change, code) => {
    const source = await HttpSource.open(server.url, { retry: false });
    server.reset(change);
    expect(await rejectedBy(readOf(source, 0, 10))).toMatchObject({ name: 'IoError', code });
  });

  test('of a server that falls silent ends', async () => {
    const source = await HttpSource.open(server.url, { timeoutMs: 300, retry: false });
    server.reset({ intercept: () => true });
    expect(await rejectedBy(readOf(source, 0, 10))).toMatchObject({
      name: 'IoError',
      code: 'ERR_READ',
      message: expect.stringContaining('300 ms') as unknown,
    });
  });

  test('ends with an abort or a close', async () => {
    const source = await HttpSource.open(server.url);
    const controller = new AbortController();
    const reason = new Error('enough');
    let asked = 0;
    const bothAsked = new Promise<void>((resolve) => {
      server.reset({
        intercept: () => {
          if (++asked === 2) resolve();
          return true;
        },
      });
    });
    const aborted = rejectedBy(readOf(source, 0, 10, controller.signal));
    const closed = rejectedBy(readOf(source, 0, 10));
    await bothAsked;
    controller.abort(reason);
    expect(await aborted).toBe(reason);
    source.close();
    source.close();
    expect(await closed).toMatchObject({ name: 'ClosedError', code: 'ERR_CLOSED' });
    expect(await rejectedBy(readOf(source, 0, 10))).toMatchObject({ name: 'ClosedError' });
  });

  test('outside of the object, synchronous, or without a copy is refused', async () => {
    const source = await HttpSource.open(server.url);
    expect(await rejectedBy(readOf(source, 999_999, 2))).toMatchObject({ name: 'ArgumentError' });
    expect(thrownBy(() => source.readSync())).toMatchObject({ name: 'UnsupportedError', code: 'ERR_FEATURE' });
    expect(thrownBy(() => source.view(0, 1))).toMatchObject({ name: 'CannotViewError', code: 'ERR_NOT_MAPPED' });
  });
});

test('a gather asks for few ranges, several at a time', async () => {
  const source = await HttpSource.open(server.url);
  const gatherer = createGatherer(source, {
    rowStarts: Float64Array.of(0, 125_000),
    itemBytes: Int32Array.of(8),
    bases: Float64Array.of(0),
  });
  const bytes = new Uint8Array(8 * 4);
  await gatherer.gather({
    columns: Int32Array.of(0),
    rows: { kind: 'indices', indices: Int32Array.of(60_000, 3, 60_100, 0) },
    outputs: [{ bytes, byteOffset: 0, byteStride: 8 }],
  });
  expect(server.ranges.slice(1).sort()).toEqual(['bytes=0-31', 'bytes=480000-480807']);
  expect([...bytes.subarray(0, 8)]).toEqual([...BYTES.subarray(480_000, 480_008)]);
  expect(
    thrownBy(() =>
      gatherer.gatherSync({
        columns: Int32Array.of(0),
        rows: { kind: 'range', start: 0, step: 1, count: 1 },
        outputs: [{ bytes, byteOffset: 0, byteStride: 8 }],
      }),
    ),
  ).toMatchObject({ name: 'UnsupportedError' });
});

test.each([
  ['bytes 0-9/100', { range: { start: 0, end: 10 }, total: 100 }],
  ['BYTES 5-5/*', { range: { start: 5, end: 6 }, total: null }],
  ['bytes */7', { range: null, total: 7 }],
  ['bytes 9-5/100', null],
  ['bytes 0-100/100', null],
  ['bytes 0-9', null],
  ['items 0-9/100', null],
  ['bytes 0-9/99999999999999999999', null],
  ['', null],
])('the header %j is read', (header, expected) => {
  expect(contentRangeOf(new Response(null, { headers: { 'content-range': header } }))).toEqual(expected);
});
