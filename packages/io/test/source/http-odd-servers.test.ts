// Servers that know no ranges, and those that hide from pages of another origin what they answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { HttpSource, openSource } from '@colkit/io';
import { patternBytes, sameBytes } from '../support/folder.ts';
import { rangeServer } from '../support/range-server.ts';
import { rejectedBy } from '../support/thrown.ts';

const BYTES = patternBytes(1_000_000);
const server = await rangeServer(BYTES);

beforeEach(() => server.reset());

async function readOf(source: HttpSource, start: number, length: number): Promise<Uint8Array> {
  const out = new Uint8Array(length);
  await source.read(start, out);
  return out;
}

/** What process warnings come while something runs. */
async function warningsOf(run: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const listener = (warning: Error & { code?: string }): void =>
    void texts.push(`${warning.code ?? ''} ${warning.message}`);
  process.on('warning', listener);
  try {
    await run();
    await new Promise((resolve) => setTimeout(resolve, 10));
  } finally {
    process.removeListener('warning', listener);
  }
  return texts;
}

describe('a server that ignores ranges', () => {
  const whole =
    (headers: Record<string, string | number>) =>
    (_: IncomingMessage, response: ServerResponse): boolean =>
      Boolean(response.writeHead(200, { etag: '"v1"', ...headers }).end(server.served.bytes));

  test.each([[{ 'content-length': BYTES.length }], [{}]])(
    'is loaded as a whole, with a warning: %j',
    async (headers) => {
      server.reset({ intercept: whole(headers as Record<string, number>) });
      let source: HttpSource | null = null;
      const warnings = await warningsOf(async () => (source = await HttpSource.open(server.url)));
      expect(warnings).toEqual([
        `COLKIT_NO_RANGES ${server.url}: the server knows no ranges, so that all 1000000 bytes were loaded at opening`,
      ]);
      const opened = source as unknown as HttpSource;
      expect([opened.byteLength, opened.isWhole, opened.version]).toEqual([1_000_000, true, '"v1"']);
      const requests = server.ranges.length;
      expect(sameBytes(await readOf(opened, 0, 1_000_000), BYTES)).toBe(true);
      expect(sameBytes(await readOf(opened, 77, 5), BYTES.subarray(77, 82))).toBe(true);
      expect(server.ranges.length).toBe(requests);
      const again = opened.reopen();
      if (again === null || !('what' in again)) throw new Error('no way to open it again');
      const other = await openSource(again.what, again.options);
      expect([other.path, other.byteLength]).toEqual(['<memory>', 1_000_000]);
      opened.close();
      expect(await rejectedBy(readOf(opened, 0, 1))).toMatchObject({ code: 'ERR_CLOSED' });
    },
  );

  test('one that tells ranges is no whole', async () => {
    const source = await HttpSource.open(server.url);
    expect(source.isWhole).toBe(false);
    expect(source.reopen()).toMatchObject({ what: server.url });
  });

  test.each([
    [{ 'content-length': BYTES.length }, '1000000 bytes'],
    [{}, 'more than 999999 bytes'],
  ])('is refused beyond downloadLimit: %j', async (headers, size) => {
    server.reset({ intercept: whole(headers as Record<string, number>) });
    const open = (): Promise<unknown> => openSource(server.url, { downloadLimit: 999_999 });
    expect(await rejectedBy(open())).toMatchObject({
      code: 'ERR_REMOTE_RANGE',
      message: expect.stringContaining(`${size}, more than the downloadLimit of 999999`) as unknown,
    });
    // What the message names is what helps.
    const warnings = await warningsOf(() => openSource(server.url, { downloadLimit: 1_000_000 }));
    expect(warnings.length).toBe(1);
  });

  test('the limit is checked, and 0 refuses everything but nothing', async () => {
    expect(await rejectedBy(openSource(server.url, { downloadLimit: -1 }))).toMatchObject({
      code: 'ERR_ARGUMENT',
    });
    server.reset({ intercept: whole({ 'content-length': 3 }), bytes: BYTES.subarray(0, 3) });
    expect(await rejectedBy(openSource(server.url, { downloadLimit: 0 }))).toMatchObject({
      code: 'ERR_REMOTE_RANGE',
    });
    server.reset({ intercept: whole({ 'content-length': 0 }), bytes: new Uint8Array(0) });
    expect((await openSource(server.url, { downloadLimit: 0 })).byteLength).toBe(0);
  });
});

describe('a server that hides Content-Range', () => {
  /** As a page of another origin sees it; `headLength`: what a HEAD tells. */
  const hiding =
    (headLength: number | null, headStatus = 200) =>
    ({ method, headers }: IncomingMessage, response: ServerResponse): boolean => {
      const { bytes } = server.served;
      if (method === 'HEAD') {
        response.writeHead(headStatus, headLength === null ? {} : { 'content-length': headLength }).end();
        return true;
      }
      const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
      const start = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first);
      const end = first === '' || last === '' ? bytes.length : Math.min(bytes.length, Number(last) + 1);
      if (start >= end) response.writeHead(416).end();
      else response.writeHead(206).end(bytes.subarray(start, end));
      return true;
    };

  test('the size comes from a HEAD, and is tried', async () => {
    server.reset({ intercept: hiding(BYTES.length) });
    const source = await HttpSource.open(server.url);
    expect(server.ranges).toEqual(['bytes=-65536', '', 'bytes=999999-']);
    expect([source.byteLength, source.isWhole]).toEqual([1_000_000, false]);
    expect(sameBytes(await readOf(source, 123, 456), BYTES.subarray(123, 579))).toBe(true);
    expect(sameBytes(await readOf(source, 990_000, 10_000), BYTES.subarray(990_000))).toBe(true);
    expect(server.ranges.length).toBe(4);
  });

  test('no HEAD for an object smaller than what is asked for at first', async () => {
    server.reset({ intercept: hiding(null), bytes: BYTES.subarray(0, 65_535) });
    const source = await HttpSource.open(server.url);
    expect(server.ranges).toEqual(['bytes=-65536']);
    expect(sameBytes(await readOf(source, 0, 65_535), BYTES.subarray(0, 65_535))).toBe(true);
  });

  test('an object of just as many bytes', async () => {
    server.reset({ intercept: hiding(65_536), bytes: BYTES.subarray(0, 65_536) });
    expect((await HttpSource.open(server.url)).byteLength).toBe(65_536);
  });

  test.each<[string, number | null, number?]>([
    ['does not tell the size', null],
    ['tells one that is too small, such as that of a compressed answer', 900_000],
    ['tells one that is too large', 1_000_001],
    ['refuses a HEAD', BYTES.length, 403],
  ])('is refused where it %s', async (_, headLength, status) => {
    server.reset({ intercept: hiding(headLength, status) });
    expect(await rejectedBy(HttpSource.open(server.url))).toMatchObject({
      code: 'ERR_REMOTE_RANGE',
      message: expect.stringContaining('should list Content-Range in Access-Control-Expose-Headers') as unknown,
    });
  });

  test('a range of another length is refused', async () => {
    server.reset({ intercept: hiding(BYTES.length) });
    const source = await HttpSource.open(server.url);
    server.reset({ intercept: (_, response) => Boolean(response.writeHead(206).end(BYTES.subarray(0, 11))) });
    expect(await rejectedBy(readOf(source, 0, 10))).toMatchObject({ code: 'ERR_REMOTE_RANGE' });
  });
});

test('a server that fails over a suffix range longer than the object is asked in another way', async () => {
  const bytes = patternBytes(5000);
  server.reset({
    bytes,
    intercept: (request: IncomingMessage, response: ServerResponse): boolean => {
      if (request.headers.range?.startsWith('bytes=-') !== true) return false;
      response.writeHead(500).end();
      return true;
    },
  });
  const source = await HttpSource.open(server.url, { retry: { baseMs: 1 } });
  expect(source.byteLength).toBe(5000);
  expect(sameBytes(await readOf(source, 4000, 1000), bytes.subarray(4000))).toBe(true);
  expect(server.ranges.slice(0, 2)).toEqual(['bytes=-65536', 'bytes=0-0']);
  source.close();
});
