// The two sources of local files, mapped and by position: the same contract, and where they differ.
import { mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { FileSource, MappedSource, openSource, openSourceSync } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { IS_NATIVE } from '../support/backend.ts';
import { patternBytes, sameBytes, testFolder } from '../support/folder.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const folder = testFolder();
const BYTES = patternBytes(300_000);

const KINDS: {
  kind: 'mapped' | 'file';
  open: (path: string) => Promise<RandomAccessSource>;
  openSync: (path: string) => RandomAccessSource;
}[] = [
  { kind: 'file', open: (path) => FileSource.open(path), openSync: (path) => FileSource.openSync(path) },
  ...(IS_NATIVE
    ? [
        {
          kind: 'mapped' as const,
          open: (path: string) => MappedSource.open(path),
          openSync: (path: string) => MappedSource.openSync(path),
        },
      ]
    : []),
];

describe.each(KINDS)('a $kind source', ({ kind, open, openSync }) => {
  test('reads any range, first and again, directly and awaited', async () => {
    const path = folder.file('reads', BYTES);
    for (const source of [openSync(path), await open(path)]) {
      expect([source.path, source.byteLength, source.closed]).toEqual([path, BYTES.byteLength, false]);
      expect([source.isSync, source.canView]).toEqual([true, kind === 'mapped']);
      expect(source.reopen()).toEqual({
        what: path,
        options: kind === 'mapped' ? { io: 'mmap', madvise: 'auto' } : { io: 'pread' },
      });
      // More reads than a mapped source makes before it maps.
      for (let i = 0; i < 30; i++) {
        const [start, length] = [(i * 9973) % 290_000, i % 3 === 0 ? 10_000 : i];
        const out = new Uint8Array(length + 2).fill(7);
        if (i % 2 === 0) source.readSync(start, out.subarray(1, 1 + length));
        else await source.read(start, out.subarray(1, 1 + length));
        expect(sameBytes(out, Uint8Array.of(7, ...BYTES.subarray(start, start + length), 7))).toBe(true);
      }
      source.close();
    }
  });

  test('of 6 MB and of no bytes', async () => {
    const large = patternBytes(6_000_001);
    const source = await open(folder.file('large', large));
    const out = new Uint8Array(large.byteLength);
    for (let i = 0; i < 20; i++) source.readSync(0, out.subarray(0, 1));
    source.readSync(0, out);
    expect(sameBytes(out, large)).toBe(true);
    out.fill(0);
    await source.read(1, out.subarray(1));
    expect(sameBytes(out.subarray(1), large.subarray(1))).toBe(true);
    source.close();
    const empty = openSync(folder.file('empty', new Uint8Array(0)));
    expect([empty.byteLength, empty.mapping?.() ?? null]).toEqual([0, null]);
    for (let i = 0; i < 20; i++) empty.readSync(0, new Uint8Array(0));
    await empty.read(0, new Uint8Array(0));
    expect(thrownBy(() => empty.readSync(0, new Uint8Array(1)))).toMatchObject({ code: 'ERR_ARGUMENT' });
    empty.close();
  });

  test.each([
    [-1, 1],
    [299_999, 2],
    [300_001, 0],
    [0.5, 1],
    [NaN, 0],
    [2 ** 53, 1],
    [Infinity, 0],
  ])('refuses a read at %d of %d bytes', async (byteOffset, byteLength) => {
    const source = openSync(folder.file('refuses', BYTES));
    const expected = { name: 'ArgumentError', code: 'ERR_ARGUMENT', argument: 'byteOffset' };
    expect(thrownBy(() => source.readSync(byteOffset, new Uint8Array(byteLength)))).toMatchObject(expected);
    expect(await rejectedBy(source.read(byteOffset, new Uint8Array(byteLength)))).toMatchObject(expected);
    expect(thrownBy(() => source.view(byteOffset, byteLength))).toMatchObject(expected);
    source.close();
  });

  test('says what cannot be opened', async () => {
    const inFile = join(folder.file('plain', BYTES), 'below');
    for (const path of [join(folder.path, 'missing'), inFile]) {
      expect(thrownBy(() => openSync(path))).toMatchObject({
        name: 'IoError',
        code: 'ERR_NOT_FOUND',
        path,
        operation: 'open',
      });
      expect(await rejectedBy(open(path))).toMatchObject({ name: 'IoError', code: 'ERR_NOT_FOUND' });
    }
    mkdirSync(join(folder.path, 'inner'), { recursive: true });
    expect(thrownBy(() => openSync(join(folder.path, 'inner')))).toMatchObject({
      name: 'IoError',
      code: 'ERR_READ',
      message: expect.stringContaining('folder') as unknown,
    });
    for (const path of ['', 'a\0b', 7 as unknown as string]) {
      expect(thrownBy(() => openSync(path))).toMatchObject({ name: 'ArgumentError', argument: 'path' });
      expect(await rejectedBy(open(path))).toMatchObject({ name: 'ArgumentError', argument: 'path' });
    }
  });

  test.runIf(process.platform !== 'win32')('does not wait for ever at a pipe', async () => {
    const path = join(folder.path, `pipe-${kind}`);
    execFileSync('mkfifo', [path]);
    expect(thrownBy(() => openSync(path))).toMatchObject({
      name: 'IoError',
      code: 'ERR_READ',
      message: expect.stringContaining('regular file') as unknown,
    });
    expect(await rejectedBy(open(path))).toMatchObject({ code: 'ERR_READ' });
  });

  test.each([
    ['before it was read', 0],
    ['after many reads', 30],
  ])('a file that shrank is ERR_FILE_CHANGED: %s', async (_, reads) => {
    const path = folder.file('shrinks', BYTES);
    const source = openSync(path);
    for (let i = 0; i < reads; i++) source.readSync(i, new Uint8Array(8));
    truncateSync(path, 299_999);
    const expected = { name: 'IoError', code: 'ERR_FILE_CHANGED', path };
    const out = new Uint8Array(16).fill(7);
    for (let i = 0; i < 12; i++) expect(thrownBy(() => source.readSync(0, out))).toMatchObject(expected);
    expect(await rejectedBy(source.read(0, out))).toMatchObject(expected);
    expect(out.every((byte) => byte === 7)).toBe(true);
    source.close();
  });

  test('keeps reading the file that was opened when another takes its name', async () => {
    const path = folder.file('replaced', BYTES);
    const source = openSync(path);
    renameSync(folder.file('newer', new Uint8Array(300_000)), path);
    const out = new Uint8Array(100);
    for (let i = 0; i < 20; i++) source.readSync(1000, out);
    expect(sameBytes(out, BYTES.subarray(1000, 1100))).toBe(true);
    await source.read(2000, out);
    expect(sameBytes(out, BYTES.subarray(2000, 2100))).toBe(true);
    source.close();
  });

  test('is closed once; reads under way end normally', async () => {
    const source = await open(folder.file('closes', BYTES));
    const out = new Uint8Array(200_000);
    const running = [source.read(0, out.subarray(0, 100_000)), source.read(100_000, out.subarray(100_000))];
    source.close();
    source.close();
    expect(source.closed).toBe(true);
    await Promise.all(running);
    expect(sameBytes(out, BYTES.subarray(0, 200_000))).toBe(true);
    const closed = { name: 'ClosedError', code: 'ERR_CLOSED' };
    expect(thrownBy(() => source.readSync(0, out))).toMatchObject(closed);
    expect(thrownBy(() => source.view(0, 1))).toMatchObject(closed);
    expect(await rejectedBy(source.read(0, out))).toMatchObject(closed);
  });

  test('stops at an aborted signal', async () => {
    const source = await open(folder.file('aborts', BYTES));
    const reason = new Error('enough');
    expect(await rejectedBy(source.read(0, new Uint8Array(8), AbortSignal.abort(reason)))).toBe(reason);
    const controller = new AbortController();
    const running = rejectedBy(source.read(0, new Uint8Array(200_000), controller.signal));
    controller.abort(reason);
    expect(await running).toBe(reason);
    source.close();
  });
});

describe('openSource', () => {
  const path = folder.file('opened', BYTES);
  symlinkSync(path, join(folder.path, 'link'));

  test.each([
    ['a path', path],
    ['a link', join(folder.path, 'link')],
    ['a file: URL', pathToFileURL(path)],
    ['a file: URL as text', pathToFileURL(path).href],
  ])('opens %s, mapped where the addon is', async (_, what) => {
    for (const source of [openSourceSync(what), await openSource(what)]) {
      const out = new Uint8Array(4);
      source.readSync(4, out);
      expect([source.canView, sameBytes(out, BYTES.subarray(4, 8))]).toEqual([IS_NATIVE, true]);
      source.close();
    }
  });

  test('never maps with pread, and refuses mmap without the addon', async () => {
    const source = openSourceSync(path, { io: 'pread' });
    expect([source instanceof FileSource, source.canView]).toEqual([true, false]);
    expect(thrownBy(() => source.view(0, 8))).toMatchObject({
      name: 'CannotViewError',
      code: 'ERR_NOT_MAPPED',
      message: expect.stringContaining("{ io: 'pread' }") as unknown,
    });
    source.close();
    expect(thrownBy(() => openSourceSync(path, { io: 'mmap', backend: 'js' }))).toMatchObject({
      name: 'IoError',
      code: 'ERR_NATIVE_UNAVAILABLE',
    });
    expect(await rejectedBy(openSource(path, { io: 'mmap', backend: 'js' }))).toMatchObject({
      code: 'ERR_NATIVE_UNAVAILABLE',
    });
  });

  test('takes bytes, Blobs and sources, and nothing else', async () => {
    const memory = openSourceSync(BYTES);
    expect([
      memory.isSync,
      memory.byteLength,
      openSourceSync(memory) === memory,
      (await openSource(memory)) === memory,
    ]).toEqual([true, BYTES.byteLength, true, true]);
    expect((await openSource(new ArrayBuffer(5))).byteLength).toBe(5);
    expect((await openSource(new Blob(['abc']))).isSync).toBe(false);
    for (const what of [null, undefined, 7, {}, [1], new Date()] as unknown as string[]) {
      expect(thrownBy(() => openSourceSync(what))).toMatchObject({ name: 'ArgumentError', argument: 'what' });
      expect(await rejectedBy(openSource(what))).toMatchObject({ name: 'ArgumentError' });
    }
    expect(thrownBy(() => openSourceSync('https://example.invalid/a'))).toMatchObject({
      name: 'UnsupportedError',
      code: 'ERR_FEATURE',
    });
    expect(await rejectedBy(openSource(new URL('ftp://example.invalid/a')))).toMatchObject({ name: 'ArgumentError' });
    expect(await rejectedBy(openSource('http://'))).toMatchObject({ name: 'ArgumentError' });
  });

  test.each([{ io: 'map' }, { madvise: 'fast' }, { backend: 'wasm' }])('refuses the options %o', (options) => {
    expect(thrownBy(() => openSourceSync(path, options as object))).toMatchObject({
      name: 'ArgumentError',
      code: 'ERR_ARGUMENT',
    });
  });
});

describe.runIf(IS_NATIVE)('a mapping', () => {
  test('is made at the first need, not at opening', () => {
    const path = folder.file('lazy', BYTES);
    const source = MappedSource.openSync(path);
    truncateSync(path, 10);
    expect(thrownBy(() => source.mapping())).toMatchObject({ name: 'IoError', code: 'ERR_FILE_CHANGED' });
    writeFileSync(path, BYTES);
    const mapping = source.mapping();
    expect([mapping !== null, source.mapping() === mapping]).toEqual([true, true]);
    source.close();
    expect(thrownBy(() => source.mapping())).toMatchObject({ name: 'ClosedError' });
  });

  test('gives views of any range, aligned at 0, that share memory, though not with reads, and outlive it', () => {
    const path = folder.file('views', BYTES);
    const source = MappedSource.openSync(path);
    const [view, again] = [source.view(4097, 800), source.view(4097, 800)];
    expect([view.byteOffset, view.byteLength, view.buffer.byteLength]).toEqual([0, 800, 800]);
    expect(new Float64Array(view.buffer).length).toBe(100);
    expect(sameBytes(view, BYTES.subarray(4097, 4897))).toBe(true);
    view.fill(0xee);
    const out = new Uint8Array(800);
    source.readSync(4097, out);
    expect(sameBytes(out, BYTES.subarray(4097, 4897))).toBe(true);
    expect(sameBytes(out, again)).toBe(false);
    expect([again.buffer === view.buffer, again[799]]).toEqual([true, 0xee]);
    const other = MappedSource.openSync(path);
    other.readSync(4097, out);
    expect(sameBytes(out, other.view(4097, 800))).toBe(true);
    source.close();
    other.close();
    expect(view.every((byte) => byte === 0xee)).toBe(true);
  });

  test('gives empty views, and refuses those of a file that shrank', () => {
    const path = folder.file('shrinking-views', BYTES);
    const source = MappedSource.openSync(path);
    expect(source.view(300_000, 0).byteLength).toBe(0);
    expect(source.view(0, 10).byteLength).toBe(10);
    truncateSync(path, 5);
    expect(thrownBy(() => source.view(0, 10))).toMatchObject({ name: 'IoError', code: 'ERR_FILE_CHANGED' });
    source.close();
  });

  test.each(['auto', 'normal', 'sequential', 'random', 'willneed'] as const)('takes the advice %s', (madvise) => {
    const large = patternBytes(4_200_000);
    const source = MappedSource.openSync(folder.file('advised', large), { madvise });
    expect(sameBytes(source.view(0, large.byteLength), large)).toBe(true);
    source.close();
  });
});
