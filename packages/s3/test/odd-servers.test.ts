// Servers that are busy, break off, lie and race; credentials that expire; and what errors do not tell.
import { inspect } from 'node:util';
import { isColkitError } from '@colkit/io';
import { failure } from '@colkit/testkit/s3-server';
import { expect, it } from 'vitest';
import { s3Store } from '../src/index.ts';
import { Upload } from '../src/writing/upload.ts';
import { all, bytesOf, storeOf, strictServer } from './support.ts';

const PART = 5 << 20;
const LAST = '<LastModified>2026-11-24T00:00:00Z</LastModified>';
const PUT = { method: 'PUT', query: new URLSearchParams(), headers: {}, body: new Uint8Array(1) } as const;
const isPut = ({ method, query }: { method: string; query: URLSearchParams }): boolean =>
  method === 'PUT' && !query.has('partNumber');

it('tries again where a server is busy, breaks off or sends half a body', async () => {
  const server = await strictServer({ pageSize: 2 });
  const store = storeOf(server, { partBytes: PART });
  const bytes = bytesOf(2 * PART + 9);
  let requests = 0;
  // Of three tries of everything, two fail, each time in another way.
  server.misbehave = () => {
    requests += 1;
    if (requests % 3 === 0) return null;
    const faults = [
      { kind: 'refuse', status: 503, code: 'SlowDown', retryAfter: 0 },
      { kind: 'reset' },
      { kind: 'cut', how: 'reset' },
      { kind: 'refuse', status: 500, code: 'InternalError' },
      { kind: 'cut', how: 'short' },
      { kind: 'refuse', status: 400, code: 'RequestTimeout' },
    ] as const;
    return faults[requests % faults.length]!;
  };
  for (const key of ['1', '2', '3', '4', '5']) expect(await store.putIfAbsent(key, bytes.subarray(0, 9))).toBe(true);
  const sink = await store.create('6');
  await sink.write(bytes);
  await sink.finish();
  expect((await all(store.list(''))).map(({ key }) => key)).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(Buffer.compare(await store.read('6'), bytes)).toBe(0);
  await store.delete('6');
  server.misbehave = () => ({ kind: 'refuse', status: 503, code: 'SlowDown', retryAfter: 60 });
  await expect(store.delete('1')).rejects.toMatchObject({ code: 'ERR_WRITE' });
  await expect(all(store.list(''))).rejects.toThrow('asks to wait 60000 ms, longer than retry.maxMs');
  const once = storeOf(server, { retry: false });
  const before = server.log.length;
  server.misbehave = () => ({ kind: 'refuse', status: 503, code: 'SlowDown' });
  await expect(once.read('1')).rejects.toMatchObject({ code: 'ERR_READ' });
  expect(server.log.length - before).toBe(1);
});

it('knows what it wrote although the answer was lost', async () => {
  const server = await strictServer();
  const store = storeOf(server, { partBytes: PART });
  let left = 1;
  server.misbehave = (question) => (isPut(question) && left-- > 0 ? { kind: 'lose' } : null);
  expect(await store.putIfAbsent('once', Uint8Array.of(1))).toBe(true);
  // The last try, too.
  left = 4;
  server.misbehave = (question) => (isPut(question) && left-- > 0 ? { kind: 'lose' } : null);
  expect(await store.putIfAbsent('last', Uint8Array.of(1))).toBe(true);
  expect(server.log.filter((line) => line === 'PUT last')).toHaveLength(4);
  // Somebody else was faster than the next try.
  left = 1;
  server.misbehave = (question) => (isPut(question) && left-- > 0 ? { kind: 'reset' } : null);
  const late = store.putIfAbsent('raced', Uint8Array.of(1));
  const other = storeOf(server).putIfAbsent('raced', Uint8Array.of(2));
  const both = await Promise.all([late, other]);
  expect(both.filter((isOurs) => isOurs)).toHaveLength(1);
  expect(await store.read('raced')).toEqual(Uint8Array.of(both[0] ? 1 : 2));
  // An object of parts.
  left = 1;
  server.misbehave = ({ method, query }) =>
    method === 'POST' && query.has('uploadId') && left-- > 0 ? { kind: 'lose' } : null;
  const sink = await store.create('parts');
  await sink.write(bytesOf(PART + 1));
  await sink.finish();
  expect(server.bucket.objects.get('parts')!.bytes).toHaveLength(PART + 1);
  // And one that was done, and deleted before the next try: nobody knows.
  left = 1;
  server.misbehave = (question) => {
    if (!isPut(question)) return null;
    if (left-- > 0) return { kind: 'lose' };
    server.bucket.objects.delete('gone');
    return { kind: 'lie', answer: failure(412, 'PreconditionFailed') };
  };
  server.bucket.objects.delete('gone');
  const gone = store.putIfAbsent('gone', Uint8Array.of(1));
  server.misbehave = ((before) => (question) => {
    const fault = before(question);
    if (question.method === 'HEAD') server.bucket.objects.delete('gone');
    return fault;
  })(server.misbehave);
  await expect(gone).rejects.toMatchObject({
    code: 'ERR_WRITE',
    message: expect.stringContaining('not known') as string,
  });
});

it('takes conflicts of writers for what they are', async () => {
  const server = await strictServer();
  const store = storeOf(server, { partBytes: PART });
  let left = 2;
  server.misbehave = ({ method, query }) =>
    (method === 'PUT' || (method === 'POST' && query.has('uploadId'))) && left-- > 0
      ? { kind: 'refuse', status: 409, code: 'ConditionalRequestConflict' }
      : null;
  expect(await store.putIfAbsent('k', Uint8Array.of(1))).toBe(true);
  expect(await store.putIfAbsent('k', Uint8Array.of(1))).toBe(false);
  // A completion whose status is one of success, and whose body tells an error.
  left = 1;
  server.misbehave = ({ method, query }) =>
    method === 'POST' && query.has('uploadId') && left-- > 0
      ? { kind: 'lie', answer: { ...failure(200, 'InternalError'), status: 200 } }
      : null;
  const sink = await store.create('late');
  await sink.write(bytesOf(PART + 1));
  await sink.finish();
  expect(server.bucket.objects.has('late')).toBe(true);
});

it('leaves no parts behind: of failures, of what is given up or forgotten', async () => {
  const server = await strictServer();
  const store = storeOf(server, { partBytes: PART });
  server.misbehave = ({ query }) =>
    query.get('partNumber') === '1' ? { kind: 'lie', answer: { status: 200, headers: { etag: '"wrong"' } } } : null;
  const wrong = await store.create('wrong');
  await wrong.write(bytesOf(2 * PART + 1));
  await expect(wrong.finish()).rejects.toMatchObject({ code: 'ERR_WRITE' });
  server.misbehave = ({ query }) =>
    query.get('partNumber') === '2' ? { kind: 'refuse', status: 403, code: 'AccessDenied' } : null;
  const denied = await store.create('denied');
  await expect(denied.write(bytesOf(9 * PART))).rejects.toThrow('403 AccessDenied');
  server.misbehave = () => null;
  await expect(denied.write(bytesOf(1))).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  const abort = new AbortController();
  const stopped = await store.create('stopped', { signal: abort.signal });
  await stopped.write(bytesOf(3 * PART));
  abort.abort(new Error('enough'));
  await expect(stopped.finish()).rejects.toThrow('enough');
  await stopped.abort();
  expect([server.bucket.uploads.size, server.bucket.objects.size]).toEqual([0, 0]);
});

it('holds a few parts in memory, whatever the size', async () => {
  const server = await strictServer();
  const held: (() => void)[] = [];
  let most = 0;
  server.misbehave = ({ query }) => {
    if (!query.has('partNumber')) return null;
    const until = new Promise<void>((resolve) => held.push(resolve));
    most = Math.max(most, held.length);
    return { kind: 'wait', until };
  };
  const store = storeOf(server, { partBytes: PART, concurrentParts: 2 });
  let isDone = false;
  const writing = (async () => {
    const sink = await store.create('x');
    for (let part = 0; part < 6; part += 1) await sink.write(bytesOf(PART, part + 1));
    await sink.finish();
    isDone = true;
  })();
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(2);
  while (!isDone) {
    held.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await writing;
  expect(most).toBe(2);
  expect(server.bucket.objects.get('x')!.bytes).toHaveLength(6 * PART);
});

it('gives up a server that is silent, a call that lasts too long, and one that is aborted', async () => {
  const server = await strictServer();
  server.misbehave = () => ({ kind: 'wait', until: new Promise(() => undefined) });
  let sent = 0;
  const counted: typeof fetch = (...given) => {
    sent += 1;
    return fetch(...given);
  };
  const silent = storeOf(server, { timeoutMs: 20, retry: { attempts: 2, baseMs: 1 }, fetch: counted });
  await expect(silent.delete('x')).rejects.toThrow('no byte for 20 ms (in each of 2 attempts)');
  await expect(silent.read('x')).rejects.toThrow('no byte for 20 ms');
  expect(sent).toBe(4);
  const long = storeOf(server, { totalTimeoutMs: 30 });
  await expect(all(long.list(''))).rejects.toThrow('not done within totalTimeoutMs (30 ms)');
  await expect(long.putIfAbsent('x', bytesOf(1))).rejects.toMatchObject({ code: 'ERR_WRITE' });
  const signal = AbortSignal.timeout(20);
  const store = storeOf(server);
  for (const call of [
    () => store.read('x', { signal }),
    () => store.open('x', { signal }),
    () => store.create('x', { signal }),
    () => store.putIfAbsent('x', bytesOf(1), { signal }),
    () => store.delete('x', { signal }),
    () => all(store.list('', { signal })),
  ])
    await expect(call()).rejects.toMatchObject({ name: 'TimeoutError' });
});

it.each([
  ['no XML', 'nonsense'],
  ['another answer', '<Other/>'],
  ['half of it', '<ListBucketResult><Contents>'],
  ['no key', '<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>'],
  ['no size', `<ListBucketResult><Contents><Key>p/x</Key>${LAST}<Size>-1</Size></Contents></ListBucketResult>`],
  ['no time', '<ListBucketResult><Contents><Key>p/x</Key><Size>1</Size></Contents></ListBucketResult>'],
  [
    'a key that cannot be decoded',
    `<ListBucketResult><EncodingType>url</EncodingType>` +
      `<Contents><Key>p/%ff</Key>${LAST}<Size>1</Size></Contents></ListBucketResult>`,
  ],
  ['another prefix', `<ListBucketResult><Contents><Key>q/x</Key>${LAST}<Size>1</Size></Contents></ListBucketResult>`],
  ['no end', '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>'],
  [
    'the same page again and again',
    '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>' +
      '</ListBucketResult>',
  ],
])('refuses a list that is wrong: %s', async (_, body) => {
  const server = await strictServer();
  server.misbehave = () => ({ kind: 'lie', answer: { status: 200, body } });
  const store = storeOf(server, { prefix: 'p' });
  await expect(all(store.list(''))).rejects.toMatchObject({ code: 'ERR_READ' });
});

it('takes no answer that does not end', async () => {
  let sent = 0;
  const pull = (body: ReadableStreamDefaultController<Uint8Array>): void => {
    sent += 1;
    body.enqueue(new Uint8Array(1 << 20));
  };
  const endless: typeof fetch = () => Promise.resolve(new Response(new ReadableStream({ pull })));
  const store = storeOf(await strictServer(), { fetch: endless, retry: false });
  await expect(all(store.list(''))).rejects.toThrow('the answer has more than');
  expect(sent).toBeLessThan(20);
});

it('passes over what is no object of a store', async () => {
  const server = await strictServer();
  const store = storeOf(server, { prefix: 'p' });
  for (const key of ['p/a/', 'p/../b', 'p//c', 'p/d']) server.bucket.answer({ ...PUT, key });
  expect((await all(store.list(''))).map(({ key }) => key)).toEqual(['d']);
});

it('sends at most 10,000 parts', async () => {
  const server = await strictServer();
  const bucket = { name: 'n', prefix: '', region: 'r', base: server.endpoint };
  const upload = new Upload({ settings: { bucket }, nameOf: () => 'n/x' } as never, 'x', 1, undefined);
  await expect(upload.send(10_001, bytesOf(1))).rejects.toMatchObject({ code: 'ERR_LIMIT', limit: 10_000 });
  expect(server.log).toEqual([]);
});

it('asks for credentials again where they expire', async () => {
  const server = await strictServer({ keys: { accessKeyId: 'A', secretAccessKey: 'secret-2', sessionToken: 't2' } });
  let asked = 0;
  const credentials = () => {
    asked += 1;
    return { accessKeyId: 'A', secretAccessKey: `secret-${String(asked)}`, sessionToken: `t${String(asked)}` };
  };
  const store = storeOf(server, { credentials });
  expect(await store.putIfAbsent('x', bytesOf(200_000))).toBe(true);
  expect(asked).toBe(2);
  await store.read('x');
  expect(asked).toBe(2);
  // Of a source that is open, too: `renew` of the source asks.
  asked = 0;
  const later = storeOf(server, { credentials });
  const source = await later.open('x');
  await source.read(0, new Uint8Array(10));
  expect(asked).toBe(2);
  const soon = storeOf(server, {
    credentials: () => ({ ...server.keys, expiration: new Date(Date.now() + ((asked += 1) > 1 ? 3_600_000 : 1000)) }),
  });
  asked = 0;
  await soon.read('x');
  await soon.read('x');
  expect(asked).toBe(2);
  const none = storeOf(server, { credentials: () => ({}) as never });
  await expect(none.read('x')).rejects.toThrow('it gave no { accessKeyId, secretAccessKey }');
});

it('tells the region of a bucket that is in another one', async () => {
  const server = await strictServer();
  const store = storeOf(server);
  const error = (code: string, more = ''): string => `<Error><Code>${code}</Code>${more}</Error>`;
  const headers = { 'x-amz-bucket-region': 'eu-west-1' };
  const moved = { status: 301, headers, body: error('PermanentRedirect') };
  server.misbehave = () => ({ kind: 'lie', answer: moved });
  const told = /the server answers 301 PermanentRedirect: its region is eu-west-1$/u;
  await expect(all(store.list(''))).rejects.toThrow(told);
  await expect(store.putIfAbsent('x', bytesOf(1))).rejects.toThrow(told);
  await expect(store.create('x')).rejects.toThrow(/the server answers 301: its region is eu-west-1$/u);
  const body = error('AuthorizationHeaderMalformed', '<Region>ap-south-1</Region>');
  server.misbehave = () => ({ kind: 'lie', answer: { status: 400, body } });
  await expect(all(store.list(''))).rejects.toThrow(/AuthorizationHeaderMalformed: its region is ap-south-1$/u);
  server.misbehave = () => ({ kind: 'lie', answer: { ...moved, headers: { 'x-amz-bucket-region': server.region } } });
  await expect(all(store.list(''))).rejects.toThrow(/301 PermanentRedirect$/u);
});

it('tells nothing that is secret', async () => {
  const server = await strictServer({
    keys: { accessKeyId: 'A', secretAccessKey: 'very/secret', sessionToken: 'token!' },
  });
  await storeOf(server).putIfAbsent('x', bytesOf(9));
  const texts: string[] = [];
  const told = async (call: Promise<unknown>): Promise<void> => {
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isColkitError(error)).toBe(true);
    texts.push(inspect(error, { depth: 9, showHidden: true }), String((error as Error).stack));
  };
  const bad = storeOf(server, { credentials: { ...server.keys, secretAccessKey: 'other/secret' } });
  await told(bad.read('x'));
  await told(bad.putIfAbsent('y', bytesOf(1)));
  await told(all(bad.list('')));
  const talkative = storeOf(server, {
    retry: false,
    fetch: (url, init) => Promise.reject(new Error(`${String(url)} ${inspect(init?.headers)} very/secret token!`)),
  });
  await told(talkative.putIfAbsent('y', bytesOf(1)));
  await told(talkative.delete('y'));
  await told(talkative.read('x'));
  const options = { endpoint: server.endpoint, bucket: 'b' };
  await told((async () => s3Store({ ...options, endpoint: 'http://u:very/secret@h/?token!' }))());
  await told((async () => s3Store({ ...options, credentials: { accessKeyId: 'very/secret' } as never }))());
  const store = storeOf(server);
  const source = await store.open('x');
  texts.push(inspect(store, { depth: 9, showHidden: true }), JSON.stringify(store), store.name, source.path);
  texts.push(inspect(source, { depth: 9 }), JSON.stringify({ path: source.path, version: source.version }));
  for (const text of texts) expect(text).not.toMatch(/very\/secret|other\/secret|token!|Signature=[0-9a-f]/u);
  expect(JSON.stringify(source.reopen())).not.toMatch(/very\/secret/u);
});

it('says why another thread cannot read, and reads public buckets without keys', async () => {
  const server = await strictServer({ isPublic: true });
  await storeOf(server).putIfAbsent('x', bytesOf(10));
  const own = await storeOf(server, { fetch: (...given) => fetch(...given) }).open('x');
  expect([own.reopen(), own.whyNotReopened]).toEqual([null, expect.stringContaining('{ fetch }')]);
  const anyone = s3Store({ endpoint: server.endpoint, bucket: 'bucket' });
  const source = await anyone.open('x');
  expect(source.reopen()).toEqual({ what: `${server.endpoint}/bucket/x`, options: {} });
  await expect(anyone.putIfAbsent('y', bytesOf(1))).rejects.toMatchObject({ code: 'ERR_WRITE' });
});

it('refuses what is no bucket, key or option', async () => {
  const bucket = 'bucket';
  const bad =
    (options: object): (() => unknown) =>
    () =>
      s3Store({ bucket, ...options });
  for (const options of [
    { bucket: '' },
    { bucket: 'a/b' },
    { prefix: '../x' },
    { region: 'a b' },
    { endpoint: 'ftp://x' },
    { endpoint: 'http://x/?y' },
    { partBytes: 1000 },
    { handleMs: 8 * 24 * 3600 * 1000 },
    { regoin: 'x' },
    { credentials: 'x' },
    { retry: { atempts: 1 } },
  ])
    expect(bad(options), JSON.stringify(options)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }) as Error);
  expect(() => s3Store(undefined as never)).toThrow('bucket');
  expect(s3Store({ bucket, region: 'eu-west-1', prefix: 'a/b/' }).name).toBe(
    'https://bucket.s3.eu-west-1.amazonaws.com/a/b',
  );
  expect(s3Store({ bucket: 'a.b' }).name).toBe('https://s3.us-east-1.amazonaws.com/a.b');
  const store = s3Store({ bucket });
  for (const key of ['', '../x', 'a//b', 'a\\b', '\uD800'])
    await expect(store.read(key)).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  await expect(store.read('x', { sgnal: null } as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
});
