// The cache of remote sources: what is read again is not asked for again, in memory and in files; what is in files is
// believed only where it is what was written, and never of another version.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectServer } from '../../../testkit/src/object-server.ts';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSource } from '../../src/index.ts';
import type { CacheOptions, RandomAccessSource } from '../../src/index.ts';
import { identityOf, isStrong } from '../../src/source/cache/identity.ts';

const root = mkdtempSync(join(tmpdir(), 'colkit-cache-'));
const server = await objectServer();
const BLOCK = 128 * 1024;
const SIZE = 10 * BLOCK + 1000;
const made = (seed: number): Uint8Array => Uint8Array.from({ length: SIZE }, (_, i) => (i * seed + (i >> 8)) & 255);
const texts = new Map([7, 11].map((seed) => [seed, made(seed)]));
const contents = (seed: number): Uint8Array => texts.get(seed)!;
const opened: RandomAccessSource[] = [];
let folder = '';
let folders = 0;

beforeEach(() => {
  folder = join(root, String((folders += 1)));
  server.objects.set('a', contents(7).slice());
  server.fault = () => false;
});
afterEach(() => {
  for (const source of opened.splice(0)) source.close();
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

async function cached(cache: CacheOptions, query = ''): Promise<RandomAccessSource> {
  const source = await openSource(server.url('a') + query, { cache, retry: false });
  opened.push(source);
  server.ranges.length = 0;
  return source;
}

/** Checks what it reads. */
async function readAt(source: RandomAccessSource, byteOffset: number, byteLength: number, seed = 7): Promise<void> {
  const out = new Uint8Array(byteLength);
  await source.read(byteOffset, out);
  expect(Buffer.compare(out, contents(seed).subarray(byteOffset, byteOffset + byteLength))).toBe(0);
}

const blockFiles = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));

test.each([{}, { folder: 'yes' }])('what was read is not asked for again: %j', async (given) => {
  const source = await cached(given.folder === undefined ? {} : { folder });
  const reads = [
    [5, 10],
    [BLOCK - 3, 7],
    [3 * BLOCK, 2 * BLOCK],
    [6 * BLOCK + 17, 3 * BLOCK],
    [SIZE - 100, 100],
    [SIZE, 0],
    [0, 0],
  ] as const;
  await Promise.all(reads.map(([at, length]) => readAt(source, at, length)));
  // What lies in one piece is one request.
  expect(server.ranges.length).toBeGreaterThan(0);
  expect(server.ranges.length).toBeLessThanOrEqual(4);
  server.ranges.length = 0;
  for (const [at, length] of reads) await readAt(source, at, length);
  expect(server.ranges).toEqual([]);
  // Another source of the same object in this thread has it, too.
  const other = await cached(given.folder === undefined ? {} : { folder });
  await readAt(other, 5, 10);
  expect(server.ranges).toEqual([]);
});

test('memory is bounded: what was used longest ago goes', async () => {
  const source = await cached({ bytes: 2 * BLOCK });
  for (const block of [0, 1, 0, 2, 0]) await readAt(source, block * BLOCK, 10);
  expect(server.ranges.length).toBe(3);
  await readAt(source, BLOCK, 10);
  expect(server.ranges.length).toBe(4);
  // More than there is room for is read all the same.
  await readAt(source, 0, 9 * BLOCK);
  const none = await cached({ bytes: 0 });
  for (let k = 0; k < 2; k += 1) await readAt(none, 0, 10);
  expect(server.ranges.length).toBe(2);
});

test('a folder outlives the source; another URL of the same object finds it, by no secret', async () => {
  const first = await cached({ folder }, '?X-Amz-Signature=very-secret-one&part=1');
  await readAt(first, 100, 3 * BLOCK);
  first.close();
  expect(statSync(folder).mode & 0o077).toBe(0);
  const second = await cached({ folder }, '?X-Amz-Signature=very-secret-two&part=1');
  await readAt(second, 100, 3 * BLOCK);
  expect(server.ranges).toEqual([]);
  second.close();
  const third = await cached({ folder }, '?part=2');
  await readAt(third, 100, 10);
  expect(server.ranges.length).toBe(1);
  for (const path of blockFiles()) {
    expect(path).not.toContain('secret');
    expect(readFileSync(path, 'latin1')).not.toContain('secret');
  }
});

test('another version has other blocks; a source of the old one is told so, or reads the old one', async () => {
  const old = await cached({ folder });
  await readAt(old, 0, 10);
  server.objects.set('a', contents(11));
  const now = await cached({ folder });
  await readAt(now, 0, 10, 11);
  await readAt(old, 0, 10);
  await expect(readAt(old, 5 * BLOCK, 10)).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
});

test.each<[string, (path: string) => void]>([
  ['one bit is another', (path) => flip(path, 52 + 7)],
  ['its header', (path) => flip(path, 41)],
  ['it is cut', (path) => writeFileSync(path, readFileSync(path).subarray(0, 600))],
  ['it is empty', (path) => writeFileSync(path, '')],
  ['it is of another block', (path) => writeFileSync(path, readFileSync(blockFiles().find((each) => each !== path)!))],
])('a file in which %s is not believed, and replaced', async (_, damage) => {
  const first = await cached({ folder });
  await readAt(first, 0, 2 * BLOCK);
  first.close();
  const [path] = blockFiles() as [string];
  damage(path);
  const second = await cached({ folder });
  await readAt(second, 0, 2 * BLOCK);
  expect(server.ranges.length).toBe(1);
  second.close();
  const third = await cached({ folder });
  await readAt(third, 0, 2 * BLOCK);
  expect(server.ranges).toEqual([]);
});

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

test('a folder is bounded: files that were read longest ago go, and what dead writers left; others stay', async () => {
  const source = await cached({ folder, folderBytes: 4 * (BLOCK + 52) });
  mkdirSync(join(folder, 'ab'), { recursive: true });
  const mine = join(folder, 'ab', 'mine.txt');
  const left = join(folder, 'ab', `${'a'.repeat(32)}-0.block.${crypto.randomUUID()}.tmp`);
  for (const path of [mine, left]) {
    writeFileSync(path, 'x');
    utimesSync(path, 1, 1);
  }
  for (let block = 0; block < 9; block += 1) await readAt(source, block * BLOCK, 10);
  const files = blockFiles();
  expect(files).toContain(mine);
  expect(files).not.toContain(left);
  const blocks = files.filter((path) => path.endsWith('.block'));
  expect(blocks.length).toBeGreaterThanOrEqual(2);
  expect(blocks.length).toBeLessThanOrEqual(4);
  expect(blocks.some((path) => path.endsWith('-8.block'))).toBe(true);
});

test('a folder that takes no files is told once, and everything is read', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  mkdirSync(folder);
  const path = join(folder, 'file');
  writeFileSync(path, '');
  // Opened again and again, as by a service, and with several blocks on their way at once.
  for (let opening = 0; opening < 2; opening += 1) {
    const source = await cached({ folder: path, bytes: 0 });
    await Promise.all([0, 1, 2].map((block) => readAt(source, 2 * block * BLOCK, 10)));
    await readAt(source, 7 * BLOCK, 10);
    source.close();
  }
  expect(warned).toHaveBeenCalledTimes(1);
  expect(warned.mock.calls[0]?.[1]).toMatchObject({ code: 'COLKIT_CACHE' });
  warned.mockRestore();
});

test('of a server that tells no strong version nothing is kept in files, or for other sources', async () => {
  server.fault = (request, response) => {
    const [, start = '', end = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const from = start === '' ? SIZE - Number(end) : Number(start);
    const to = start === '' ? SIZE - 1 : Number(end);
    const range = `bytes ${String(from)}-${String(to)}/${String(SIZE)}`;
    response.writeHead(206, { 'content-range': range }).end(contents(7).subarray(from, to + 1));
    return true;
  };
  for (let k = 0; k < 2; k += 1) {
    const source = await cached({ folder });
    for (let again = 0; again < 2; again += 1) await readAt(source, 0, 10);
    expect(server.ranges.length).toBe(1);
  }
  expect(() => readdirSync(folder)).toThrow(/ENOENT/);
});

test('a read that is given up does not stop others of its block', async () => {
  const source = await cached({});
  const giving = new AbortController();
  const memory = new Uint8Array(10);
  const given = source.read(0, memory, giving.signal);
  const kept = readAt(source, 20, 10);
  giving.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  await kept;
  // Who gives up has the memory back.
  expect(memory).toEqual(new Uint8Array(10));
  expect(server.ranges.length).toBe(1);
});

test('it is a source as others: what it can, its handle, closing, options', async () => {
  const source = await cached({ folder, bytes: BLOCK });
  expect(source).toMatchObject({ isSync: false, canView: false, coalesces: true, byteLength: SIZE, closed: false });
  const reopening = source.reopen()!;
  expect(reopening).toMatchObject({ options: { cache: { folder, bytes: BLOCK } } });
  await readAt(source, 0, 10);
  const again = await openSource(structuredClone(reopening));
  server.ranges.length = 0;
  await readAt(again, 0, 10);
  expect(server.ranges).toEqual([]);
  again.close();
  expect(() => source.readSync(0, new Uint8Array(1))).toThrow(
    expect.objectContaining({ code: 'ERR_FEATURE' }) as Error,
  );
  expect(() => source.view(0, 1)).toThrow(expect.objectContaining({ code: 'ERR_NOT_MAPPED' }) as Error);
  await expect(source.read(SIZE, new Uint8Array(1))).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  source.close();
  source.close();
  await expect(source.read(0, new Uint8Array(1))).rejects.toMatchObject({ name: 'ClosedError' });
  await expect(openSource(server.url('a'), { cache: { size: 3 } as never })).rejects.toThrow(
    /unknown option "cache\.size"/,
  );
  await expect(openSource(server.url('a'), { cache: { bytes: -1 } })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
});

test('what tells an object from others', () => {
  const of = (url: string): string | null => identityOf(new URL(url), '"1"', 5);
  const plain = of('https://h/a?versionId=3');
  for (const signed of ['X-Amz-Date=1', 'Signature=b', 'sig=c&se=d&sv=e', 'Expires=3', 'token=x'])
    expect(of(`https://u:p@h/a?${signed}&versionId=3#f`)).toBe(plain);
  for (const other of [
    'https://h/b?versionId=3',
    'https://h/a?versionId=4',
    'http://h/a?versionId=3',
    'https://h/a?src=3',
  ])
    expect(of(other)).not.toBe(plain);
  expect(identityOf(new URL('https://h/a'), '"2"', 5)).not.toBe(identityOf(new URL('https://h/a'), '"1"', 5));
  expect(identityOf(new URL('https://h/a'), null, 5)).toBeNull();
  expect(['"1"', 'W/"1"', 'Mon, 01 Jan 2024 00:00:00 GMT', null].map(isStrong)).toEqual([true, false, false, false]);
});
