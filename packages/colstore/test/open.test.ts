// Opening: from everything that holds bytes, what it costs, who owns the source, and the options.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CountingSource, loadGoldenTables } from '@colkit/testkit';
import { MemorySource } from '@colkit/io';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ColStore,
  backendInfo,
  info,
  infoSync,
  maxWorkers,
  open,
  openSync,
  schema,
  schemaSync,
  setDefaultBackend,
  setDefaultMadvise,
  setMaxWorkers,
  writeSync,
} from '../src/index.ts';
import { concat, errorOf } from './support/files.ts';

const goldenPath = (path: string): string => new URL(`./golden/${path}.cstore`, import.meta.url).pathname;
const bytesAt = (path: string): Uint8Array => new Uint8Array(readFileSync(goldenPath(path)));
const TINY = 'colstore-0.1.0/tiny';
const X = Int32Array.of(1, 2, 3);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-open-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('sources', () => {
  it('path, file URL, bytes, ArrayBuffer, Blob, a source', async () => {
    const bytes = bytesAt(TINY);
    for (const source of [
      goldenPath(TINY),
      pathToFileURL(goldenPath(TINY)),
      pathToFileURL(goldenPath(TINY)).href,
      bytes,
      bytes.buffer as ArrayBuffer,
      new Blob([bytes]),
      new MemorySource(bytes),
    ]) {
      const store = await open(source);
      expect(store).toBeInstanceOf(ColStore);
      expect(await store.column('x').toArray()).toEqual(X);
      expect((await info(source)).rowCount).toBe(3);
      store.close();
      if (source instanceof Blob || source instanceof MemorySource) continue;
      expect(openSync(source).column('x').toArraySync()).toEqual(X);
      expect(schemaSync(source)).toEqual([
        { name: 'x', dtype: 'int32', nullable: false },
        { name: 'b', dtype: 'bool', nullable: false },
      ]);
    }
    expect((await open(goldenPath(TINY))).path).toBe(goldenPath(TINY));
  });

  it('a URL, by ranges; its Sync twin is refused', async () => {
    const file = bytesAt('colstore-0.5.1/three_records');
    const server = createServer((request, response) => {
      const match = /bytes=(\d*)-(\d*)/.exec(request.headers.range ?? '');
      const start = match?.[1] === '' ? Math.max(0, file.length - Number(match[2])) : Number(match?.[1] ?? 0);
      const end =
        match?.[1] === '' || match?.[2] === '' || match === null
          ? file.length
          : Math.min(file.length, Number(match[2]) + 1);
      response.writeHead(match === null ? 200 : 206, {
        'content-length': end - start,
        'content-range': `bytes ${String(start)}-${String(end - 1)}/${String(file.length)}`,
        etag: '"one"',
        'accept-ranges': 'bytes',
      });
      response.end(file.subarray(start, end));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/three.cstore`;
    const store = await open(url);
    const local = openSync(file);
    expect(await store.take([8, 0, -3]).toColumns()).toEqual(local.take([8, 0, -3]).toColumnsSync());
    expect(errorOf(() => store.take([1]).toColumnsSync())).toMatchObject({
      name: 'UnsupportedError',
      code: 'ERR_FEATURE',
    });
    expect(errorOf(() => openSync(url))).toMatchObject({ name: 'UnsupportedError', code: 'ERR_FEATURE' });
    store.close();
    server.close();
  });

  it('nothing else', async () => {
    for (const source of [null, undefined, 7, {}, '', new Uint16Array(3)] as unknown as string[])
      await expect(open(source)).rejects.toMatchObject({
        name: expect.stringMatching(/ArgumentError|IoError/) as string,
      });
    await expect(open(join(folder, 'none.cstore'))).rejects.toMatchObject({ name: 'IoError', code: 'ERR_NOT_FOUND' });
    expect(errorOf(() => openSync(new Blob([bytesAt(TINY)])))).toMatchObject({
      name: 'UnsupportedError',
      code: 'ERR_FEATURE',
    });
  });
});

describe('what it costs', () => {
  const counted = (bytes: Uint8Array): CountingSource => new CountingSource(new MemorySource(bytes));
  const asSource = (source: CountingSource): MemorySource => source as unknown as MemorySource;

  it('a flat file: one read of at most 16 KiB, whatever its size', () => {
    const path = join(folder, 'large.cstore');
    writeSync(path, { x: new Float64Array(100_000), y: new Int32Array(100_000) });
    const source = counted(new Uint8Array(readFileSync(path)));
    const store = openSync(asSource(source));
    expect(source.reads).toEqual([{ kind: 'read', byteOffset: 0, byteLength: 16_384 }]);
    source.reset();
    store.column('y').slice(500, 510).toArraySync();
    expect(source.bytesRead).toBeLessThanOrEqual(4096);
    expect(source.reads.every(({ byteOffset }) => byteOffset > 800_000)).toBe(true);
  });

  it('statistics are read by info(), not by opening', async () => {
    const bytes = bytesAt('colstore-0.5.1/statistics');
    const source = counted(concat(bytes));
    const store = await open(asSource(source));
    const opened = source.reads.length;
    expect((await store.info()).statistics?.get('a')?.[0]).toEqual({ min: -42, max: 49 });
    expect(store.infoSync().statistics?.get('s')).toEqual([null, null, null, null]);
    expect(source.reads.length).toBe(opened + 2);
    expect(openSync(goldenPath('colstore-0.5.1/three_records')).infoSync().statistics).toBeNull();
  });
});

describe('who owns the source', () => {
  it('closing the table closes it; info and schema leave it open', async () => {
    const source = new MemorySource(bytesAt(TINY));
    await info(source);
    await schema(source);
    infoSync(source);
    schemaSync(source);
    expect(source.closed).toBe(false);
    const store = openSync(source);
    store.slice(0, 1).close();
    expect(source.closed).toBe(true);
    expect(store.closed).toBe(true);
    await expect(store.info()).rejects.toMatchObject({ name: 'ClosedError' });
  });

  it('a failed open leaves it to the caller', async () => {
    const source = new MemorySource(bytesAt(TINY).slice(0, 100));
    await expect(open(source)).rejects.toMatchObject({ name: 'CorruptFileError' });
    expect(errorOf(() => openSync(source))).toMatchObject({ name: 'CorruptFileError' });
    expect(source.closed).toBe(false);
  });

  it('is disposed of like any resource', async () => {
    const store = await open(goldenPath(TINY));
    store[Symbol.dispose]();
    expect(store.closed).toBe(true);
    const other = await open(goldenPath(TINY));
    await other[Symbol.asyncDispose]();
    expect(other.closed).toBe(true);
  });
});

describe('options', () => {
  it('are checked', async () => {
    for (const options of [
      { maxWorkers: 0 },
      { maxWorkers: 1.5 },
      { verify: 'full' },
      { io: 'magic' },
      { madvise: 'often' },
      { backend: 'cpp' },
    ] as object[]) {
      await expect(open(goldenPath(TINY), options)).rejects.toMatchObject({ name: 'ArgumentError' });
      expect(errorOf(() => openSync(goldenPath(TINY), options))).toMatchObject({ name: 'ArgumentError' });
    }
  });

  it.each(['auto', 'normal', 'sequential', 'random', 'willneed'] as const)('madvise %s changes no value', (madvise) => {
    expect(openSync(goldenPath(TINY), { madvise }).column('x').toArraySync()).toEqual(X);
  });

  it('backend js, one worker and positional reads give the same values', () => {
    const path = goldenPath('colstore-0.5.1/uniform_records');
    const expected = openSync(path).toColumnsSync();
    for (const options of [
      { backend: 'js' },
      { maxWorkers: 1 },
      { io: 'pread' },
      { backend: 'auto', io: 'auto', madvise: 'random', maxWorkers: 4 },
    ] as const)
      expect(openSync(path, options).toColumnsSync()).toEqual(expected);
  });

  it.runIf(process.env['COLKIT_BACKEND'] === 'js')(
    'the native backend and mapping are refused where they are not to be had',
    () => {
      expect(errorOf(() => openSync(goldenPath(TINY), { io: 'mmap' }))).toMatchObject({
        name: 'IoError',
        code: 'ERR_NATIVE_UNAVAILABLE',
      });
    },
  );

  it('verify demands what readers may ignore', async () => {
    for (const table of loadGoldenTables(new URL('./golden/colstore-0.5.1/', import.meta.url), '.cstore')) {
      if (table.name === 'orphan_tail')
        await expect(open(table.path, { verify: true })).rejects.toMatchObject({ code: 'ERR_UNCOMMITTED_TAIL' });
      else expect(openSync(table.path, { verify: true }).rowCount).toBe(table.rowCount);
    }
    const bytes = bytesAt('colstore-0.5.1/tiny');
    bytes[0x160 + 12] = 2;
    expect(openSync(bytes).column('b').toArraySync()).toEqual(Uint8Array.of(2, 0, 1));
    expect(errorOf(() => openSync(bytes, { verify: true }))).toMatchObject({
      name: 'CorruptFileError',
      column: 'b',
      byteOffset: 0x16c,
    });
  });

  it('a signal stops the opening', async () => {
    await expect(open(goldenPath(TINY), { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
  });

  it('the settings of the process', () => {
    const before = maxWorkers();
    setMaxWorkers(2);
    expect(maxWorkers()).toBe(2);
    setMaxWorkers(before);
    expect(errorOf(() => setMaxWorkers(0))).toMatchObject({ name: 'ArgumentError' });
    setDefaultMadvise('random');
    setDefaultMadvise('auto');
    const chosen = backendInfo().backend;
    setDefaultBackend('js');
    expect(backendInfo().backend).toBe('js');
    expect(openSync(goldenPath(TINY)).column('x').toArraySync()).toEqual(X);
    setDefaultBackend(chosen);
    expect(backendInfo().backend).toBe(chosen);
  });
});

describe('use', () => {
  it('many reads at once, of different columns and rows', async () => {
    const path = join(folder, 'many.cstore');
    const rows = 5000;
    writeSync(path, {
      a: Int32Array.from({ length: rows }, (_, row) => row),
      b: Float64Array.from({ length: rows }, (_, row) => row / 2),
      c: BigInt64Array.from({ length: rows }, (_, row) => BigInt(row)),
    });
    const store = await open(path);
    const names = ['a', 'b', 'c'] as const;
    await Promise.all(
      Array.from({ length: 60 }, async (_, task) => {
        const name = names[task % 3]!;
        const picked = Array.from({ length: 50 }, (__, index) => (index * 97 + task * 31) % rows);
        const values = await (task % 2 === 0
          ? store.get(picked, name).toArray()
          : store
              .select(name, names[(task + 1) % 3]!)
              .take(picked)
              .column(name)
              .toArray());
        expect(Array.from(values as ArrayLike<number | bigint>, Number)).toEqual(
          picked.map((row) => (name === 'b' ? row / 2 : row)),
        );
      }),
    );
    store.close();
  });

  it('arrays of the caller must fit, and are untouched where an index is wrong', () => {
    const store = openSync(goldenPath('colstore-0.1.0/mixed_1000'));
    const qty = store.column('qty');
    const out = new Int32Array(3).fill(77);
    for (const wrong of [new Float32Array(3), new Int32Array(4), new Uint8Array(12)])
      expect(errorOf(() => qty.take([1, 2, 3]).toArraySync({ out: wrong }))).toMatchObject({
        name: 'ArgumentError',
        code: 'ERR_OUT_BUFFER',
      });
    expect(errorOf(() => qty.take([1, 2, 1000]).toArraySync({ out }))).toMatchObject({
      name: 'OutOfRangeError',
      position: 2,
    });
    expect(out).toEqual(Int32Array.of(77, 77, 77));
    qty.take([1, 2, 3]).toArraySync({ out });
    expect(out).toEqual(qty.slice(1, 4).toArraySync());
  });

  it('a file that was cut off under an open table is an error, not a crash', async () => {
    const path = join(folder, 'cut.cstore');
    for (const io of ['auto', 'pread'] as const) {
      writeSync(path, { x: new Float64Array(100_000) }, { overwrite: true });
      const store = openSync(path, { io });
      store.column('x').atSync(5);
      truncateSync(path, 4096);
      expect(errorOf(() => store.column('x').toArraySync())).toMatchObject({
        name: 'IoError',
        code: 'ERR_FILE_CHANGED',
      });
      await expect(store.column('x').take([99_999]).toArray()).rejects.toMatchObject({
        name: 'IoError',
        code: 'ERR_FILE_CHANGED',
      });
      store.close();
    }
  });

  it('a file that was replaced is still read as it was opened', () => {
    const path = join(folder, 'replaced.cstore');
    writeSync(path, { x: Int32Array.of(1, 2, 3) });
    const store = openSync(path);
    writeSync(path, { x: Int32Array.of(9) }, { overwrite: true });
    expect(store.column('x').toArraySync()).toEqual(X);
    expect(openSync(path).column('x').toArraySync()).toEqual(Int32Array.of(9));
  });

  it('foreign files of other formats', () => {
    const path = join(folder, 'text.txt');
    writeFileSync(path, 'hello');
    expect(errorOf(() => openSync(path))).toMatchObject({ name: 'CorruptFileError', code: 'ERR_MAGIC', path });
  });
});
