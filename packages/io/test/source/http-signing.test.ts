// URLs that are secret, and functions that sign requests and bring new URLs: what is asked, and that nothing tells.
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { HttpSource, openSource, openSourceSync } from '@colkit/io';
import type { HttpRequest, HttpSourceOptions } from '@colkit/io';
import { patternBytes, sameBytes } from '../support/folder.ts';
import { rangeServer } from '../support/range-server.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const BYTES = patternBytes(300_000);
const server = await rangeServer(BYTES);
const SECRET = 'pres1gned/secret';
const query = (name: string): string => `${server.url}?sig=${encodeURIComponent(SECRET)}&name=${name}`;

beforeEach(() => server.reset());

/** Answers only where the query holds one of these names. */
function knowing(...names: readonly string[]): string[] {
  const asked: string[] = [];
  server.reset({
    intercept: ({ url = '' }, response) => {
      const name = new URL(url, server.url).searchParams.get('name') ?? '';
      asked.push(name);
      return !names.includes(name) && Boolean(response.writeHead(403).end());
    },
  });
  return asked;
}

async function readOf(source: HttpSource, start = 0): Promise<boolean> {
  const out = new Uint8Array(1000);
  await source.read(start, out);
  return sameBytes(out, BYTES.subarray(start, start + 1000));
}

describe('sign', () => {
  test('is called for each request, and says what is sent', async () => {
    const seen: HttpRequest[] = [];
    const heard: unknown[] = [];
    server.reset({
      intercept: ({ headers }) => {
        heard.push([headers['x-key'], headers['x-sign'], headers['if-match']]);
        return false;
      },
    });
    const sign = (request: HttpRequest): { url: string; headers: Record<string, string> } => {
      seen.push(request);
      return { url: query('signed'), headers: { 'X-Sign': String(seen.length) } };
    };
    const source = await HttpSource.open(server.url, { headers: { 'x-key': 'k' }, sign });
    expect(await readOf(source)).toBe(true);
    expect(seen.map(({ method, url, headers }) => [method, url, headers['range'], headers['if-match']])).toEqual([
      ['GET', server.url, 'bytes=-65536', undefined],
      ['GET', server.url, 'bytes=0-999', '"v1"'],
    ]);
    expect(heard).toEqual([
      ['k', '1', undefined],
      ['k', '2', '"v1"'],
    ]);
    expect(source.path).toBe(server.url);
  });

  test('may give a Request, or nothing new', async () => {
    const ways: NonNullable<HttpSourceOptions['sign']>[] = [
      ({ url, headers }) => new Request(url, { headers: { ...headers, 'x-sign': 'yes' } }),
      async () => Promise.resolve({}),
    ];
    for (const sign of ways) expect(await readOf(await HttpSource.open(server.url, { sign }))).toBe(true);
  });

  test('that fails ends the read, at once and with its reason', async () => {
    const cause = new Error('no credentials');
    const failing = HttpSource.open(query('a'), { sign: () => Promise.reject(cause) });
    expect(await rejectedBy(failing)).toMatchObject({
      code: 'ERR_READ',
      message: `${server.url}: read: sign: no credentials`,
      cause,
    });
    const hanging = HttpSource.open(query('a'), { sign: () => new Promise(() => undefined), totalTimeoutMs: 50 });
    expect(await rejectedBy(hanging)).toMatchObject({ message: expect.stringContaining('totalTimeoutMs') as unknown });
    expect(server.ranges).toHaveLength(0);
  });
});

describe('renew', () => {
  test('is asked once for all reads that find the URL expired, at opening too', async () => {
    let asked = knowing('b');
    const refused: unknown[] = [];
    const renew = async (what: object): Promise<string> => {
      refused.push(what);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return query('bcdef'[refused.length - 1] ?? '');
    };
    const source = await HttpSource.open(query('a'), { renew });
    expect(asked).toEqual(['a', 'b']);
    asked = knowing('c');
    expect(await Promise.all([0, 80_000, 160_000].map((start) => readOf(source, start)))).toEqual([true, true, true]);
    expect(refused).toEqual([
      { url: query('a'), status: 403 },
      { url: query('b'), status: 403 },
    ]);
    expect(asked.filter((name) => name === 'c')).toHaveLength(3);
  });

  test('brings another version: ERR_FILE_CHANGED', async () => {
    const source = await HttpSource.open(query('a'), { renew: () => query('b') });
    knowing('b');
    server.served.etag = '"v2"';
    expect(await rejectedBy(readOf(source))).toMatchObject({ code: 'ERR_FILE_CHANGED' });
  });

  test.each<[string, HttpSourceOptions['renew'], string]>([
    ['a URL that is refused as well', () => query('c'), 'the server answers 403 Forbidden'],
    ['no URL', () => 'nothing', 'the server answers 403; renew: it gave no URL'],
    ['an error', () => Promise.reject(new Error(`not ${query('a')}`)), 'the server answers 403; renew: not '],
  ])('that gives %s ends the read', async (_, renew, message) => {
    const source = await HttpSource.open(query('a'), renew === undefined ? {} : { renew });
    knowing();
    const failure = await rejectedBy(readOf(source));
    expect(failure).toMatchObject({ code: 'ERR_READ', path: server.url });
    expect((failure as Error).message).toContain(message);
    expect(inspect(failure, { depth: 9 })).not.toMatch(/pres1gned/);
  });
});

test('user and password of a URL are sent as a header, and not told', async () => {
  const url = new URL(query('a'));
  url.username = 'us%r';
  url.password = 'pässw0rd-long';
  const heard: (string | undefined)[] = [];
  server.reset({ intercept: ({ headers }) => heard.push(headers.authorization) < 0 });
  const source = await HttpSource.open(url);
  expect(source.path).toBe(server.url);
  expect(Buffer.from(heard[0]?.split(' ')[1] ?? '', 'base64').toString()).toBe('us%r:pässw0rd-long');
  await HttpSource.open(url, { headers: { Authorization: 'Bearer mine' } });
  expect(heard[1]).toBe('Bearer mine');
});

test('a handle holds what is plain data; with functions there is none, and it says why', async () => {
  const retry = { attempts: 2 };
  const plain = await HttpSource.open(query('a'), {
    headers: { a: 'b' },
    timeoutMs: 5000,
    totalTimeoutMs: 9000,
    retry,
  });
  expect(plain.reopen()).toEqual({
    what: query('a'),
    options: { headers: { a: 'b' }, timeoutMs: 5000, totalTimeoutMs: 9000, retry },
  });
  expect(plain.whyNotReopened).toBeNull();
  const again = await openSource(structuredClone(plain.reopen())!);
  expect([again.path, again.byteLength, again.reopen()]).toEqual([server.url, BYTES.length, plain.reopen()]);
  const bound = await HttpSource.open(query('a'), { sign: () => ({}), renew: () => query('b') });
  expect(bound.reopen()).toBeNull();
  expect(bound.whyNotReopened).toBe('opened with { sign, renew }, and functions stay in their thread');
});

describe('nothing that is told holds the query, the user or the password', () => {
  const SECRETS = /pres1gned|topsecret|alice|X-Amz/i;
  const url = `${server.url.replace('//', '//alice:topsecret@')}?X-Amz-Signature=pres1gned#pres1gned`;

  type Answer = (response: ServerResponse) => unknown;
  const STATUSES = [400, 401, 403, 404, 410, 412, 416, 429, 500, 501, 503];

  test.each<[string, Answer]>([
    ...STATUSES.map((code): [string, Answer] => [
      `status ${String(code)}`,
      (response) => response.writeHead(code).end(),
    ]),
    ['a broken connection', (response) => response.destroy()],
    ['a whole object', (response) => response.writeHead(200, { 'content-length': 9 }).end('123456789')],
    ['nonsense', (response) => response.writeHead(206, { 'content-range': 'bytes 7-3/1' }).end('x')],
    [
      'a redirect to nowhere',
      (response) => response.writeHead(302, { location: `http://127.0.0.1:9/?X-Amz=pres1gned` }).end(),
    ],
    ['a redirect to itself', (response) => response.writeHead(302, { location: `?X-Amz=pres1gned` }).end()],
    ['an impossible redirect', (response) => response.writeHead(302, { location: `ftp://pres1gned/?X-Amz` }).end()],
  ])('%s', async (_, answer) => {
    const options = { retry: { attempts: 2, baseMs: 1 }, downloadLimit: 5 };
    server.reset();
    const source = await HttpSource.open(url, options);
    const intercept = (_request: unknown, response: ServerResponse): true => {
      answer(response);
      return true;
    };
    server.reset({ intercept });
    const opening = await rejectedBy(HttpSource.open(url, options));
    const reading = await rejectedBy(source.read(0, new Uint8Array(10)));
    source.close();
    const closed = await rejectedBy(source.read(0, new Uint8Array(10)));
    for (const failure of [opening, reading, closed]) {
      expect(failure).toBeInstanceOf(Error);
      expect(inspect(failure, { depth: 9, showHidden: true })).not.toMatch(SECRETS);
    }
    expect(inspect(source, { depth: 9 })).not.toMatch(SECRETS);
  });

  test('of what is refused before it is asked', async () => {
    const bad = 'http://alice:topsecret@[::/x?X-Amz-Signature=pres1gned';
    const failures = [
      thrownBy(() => openSourceSync(url)),
      thrownBy(() => openSourceSync(bad)),
      await rejectedBy(openSource(bad)),
      await rejectedBy(HttpSource.open(bad)),
      await rejectedBy(openSource(new URL('ftp://alice:topsecret@host/?X-Amz'))),
    ];
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(Error);
      expect(inspect(failure, { depth: 9, showHidden: true })).not.toMatch(SECRETS);
    }
  });
});
