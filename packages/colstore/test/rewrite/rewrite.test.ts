// compact, upgrade, concat: the same rows in another file, byte for byte what Python's colstore 0.5.1 makes of them;
// in place or elsewhere, under the lock of the source, and nothing left where it fails.
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onFiles } from '@colkit/io/durable';
import { WatchedFiles, failing } from '@colkit/testkit/watched-files';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  compact,
  compactSync,
  concat,
  concatSync,
  create,
  info,
  infoSync,
  openSync,
  update,
  upgrade,
  upgradeSync,
  writeSync,
} from '../../src/index.ts';

const golden = (name: string): string => fileURLToPath(new URL(`../golden/${name}.cstore`, import.meta.url));
const bytesOf = (path: string): string => readFileSync(path).toString('hex');
const root = mkdtempSync(join(tmpdir(), 'colstore-rewrite-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = '';
let path = '';
let out = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'test-'));
  path = join(folder, 'data.cstore');
  out = join(folder, 'out.cstore');
});
const columnsOf = (file: string): unknown => {
  using ds = openSync(file);
  return ds.toColumnsSync();
};

describe('compact', () => {
  it('in place and elsewhere, in both forms: the bytes of Python', async () => {
    const expected = bytesOf(golden('streams/compacted'));
    copyFileSync(golden('streams/updated-stats-stats'), path);
    chmodSync(path, 0o600);
    const before = bytesOf(path);
    expect(await compact(path, { out })).toMatchObject({ path: out, recordCount: 1, needsCompaction: false });
    expect([bytesOf(out), bytesOf(path)]).toEqual([expected, before]);
    compactSync(path, { out, overwrite: true });
    expect(bytesOf(out)).toBe(expected);
    const progress: number[] = [];
    await compact(path, { out: path, onProgress: ({ writtenBytes }) => progress.push(writtenBytes) });
    expect([bytesOf(path), statSync(path).mode & 0o777]).toEqual([expected, 0o600]);
    expect(progress.at(-1)).toBe(expected.length / 2);
    expect(readdirSync(folder).sort()).toEqual(['data.cstore', 'out.cstore']);
  });

  it('leaves one record, and flat files, as they are; copies lack what a dead writer left', async () => {
    copyFileSync(golden('streams/compacted'), path);
    const inode = statSync(path).ino;
    await compact(path);
    expect(statSync(path).ino).toBe(inode);
    await compact(path, { out });
    expect(bytesOf(out)).toBe(bytesOf(path));
    writeSync(path, { x: [1, 2] }, { overwrite: true });
    compactSync(path);
    compactSync(path, { out, overwrite: true });
    expect(bytesOf(out)).toBe(bytesOf(path));
  });

  it('keeps the layout of older releases', async () => {
    copyFileSync(golden('colstore-0.2.0/three_records'), path);
    const before = columnsOf(path);
    expect(await compact(path)).toMatchObject({ wire: 'records-32', recordCount: 1 });
    expect(columnsOf(path)).toEqual(before);
  });

  it('drops records without rows, and makes one of none', async () => {
    await using writer = await create(path);
    for (let record = 0; record < 3; record += 1) await writer.write({ x: new Int8Array(0) });
    await writer.close();
    expect(await compact(path)).toMatchObject({ rowCount: 0, recordCount: 1 });
  });

  it('is kept out by a writer, and keeps writers out', async () => {
    copyFileSync(golden('streams/stream-plain'), path);
    const writer = await update(path);
    await expect(compact(path)).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    await expect(compact(path, { out })).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    await writer.close();
    let seen: unknown = null;
    const onProgress = (): void => {
      try {
        writeSync(path, { x: [1] }, { overwrite: true });
      } catch (error) {
        seen = error;
      }
    };
    await compact(path, { onProgress });
    expect(seen).toMatchObject({ code: 'ERR_LOCKED' });
    expect(readdirSync(folder)).toEqual(['data.cstore']);
  });

  it.each(['write', 'sync', 'rename', 'create'] as const)(
    'a failing %s leaves the source, and nothing else',
    async (kind) => {
      copyFileSync(golden('streams/stream-plain'), path);
      const before = bytesOf(path);
      const files = (): WatchedFiles => {
        const hook = failing(kind, 'EIO');
        return new WatchedFiles((operation, when) => {
          const isOfLock = 'path' in operation && operation.path.includes('lock');
          if (!isOfLock && !(operation.kind === 'write' && operation.bytes[0] === 0x7b)) hook(operation, when);
        });
      };
      expect(() => compactSync(path, onFiles(files(), {}))).toThrow('EIO');
      await expect(compact(path, onFiles(files(), {}))).rejects.toMatchObject({ code: 'ERR_WRITE' });
      expect([bytesOf(path), readdirSync(folder)]).toEqual([before, ['data.cstore']]);
    },
  );

  it('an abort, and what onProgress throws, leave the source, and nothing else', async () => {
    copyFileSync(golden('streams/stream-plain'), path);
    const before = bytesOf(path);
    const onProgress = (): never => {
      throw new Error('enough');
    };
    await expect(compact(path, { onProgress })).rejects.toThrow('enough');
    await expect(compact(path, { out, onProgress })).rejects.toThrow('enough');
    await expect(compact(path, { signal: AbortSignal.abort() })).rejects.toThrow('abort');
    expect([bytesOf(path), readdirSync(folder)]).toEqual([before, ['data.cstore']]);
  });
});

describe('upgrade', () => {
  it.each([
    ['described/tiny', 'flat-unchecked'],
    ['colstore-0.1.0/all_types', 'flat'],
    ['colstore-0.2.0/three_records', 'records-32'],
    ['colstore-0.5.1/all_types', 'records-64'],
    ['streams/stream-stats', 'records-64'],
  ])('%s (%s) to either layout', async (name, wire) => {
    expect(infoSync(golden(name)).wire).toBe(wire);
    const before = columnsOf(golden(name));
    for (const layout of ['records', 'flat'] as const) {
      copyFileSync(golden(name), path);
      const told = layout === 'flat' ? upgradeSync(path, { layout }) : await upgrade(path);
      expect(told.wire).toBe(layout === 'flat' ? 'flat' : 'records-64');
      expect(columnsOf(path)).toEqual(before);
      const inode = statSync(path).ino;
      await upgrade(path, { layout });
      expect(statSync(path).ino).toBe(inode);
      await upgrade(path, { layout, out, overwrite: true });
      expect(bytesOf(out)).toBe(bytesOf(path));
    }
  });

  it('what update refuses grows then', async () => {
    copyFileSync(golden('colstore-0.2.0/three_records'), path);
    await expect(update(path)).rejects.toMatchObject({ code: 'ERR_FEATURE' });
    await upgrade(path, { layout: 'records' });
    const rows = infoSync(path).rowCount;
    using source = openSync(golden('colstore-0.2.0/three_records'));
    await using writer = await update(path);
    await writer.write(source);
    await writer.close();
    expect((await info(path)).rowCount).toBe(2 * rows);
  });
});

describe('concat', () => {
  const sources = ['streams/stream-plain', 'streams/updated-plain-stats'].map(golden);

  it('gives the bytes of Python, in both forms', async () => {
    const expected = bytesOf(golden('streams/concatenated'));
    expect(await concat(sources, { out })).toMatchObject({ recordCount: 1, wire: 'records-64' });
    expect(bytesOf(out)).toBe(expected);
    concatSync(sources, { out, overwrite: true, onProgress: () => undefined });
    expect(bytesOf(out)).toBe(expected);
    await expect(concat(sources, { out })).rejects.toMatchObject({ code: 'ERR_EXISTS' });
  });

  it('columns may come in another order, flat files and empty ones among records', async () => {
    const files = ['a', 'b', 'c'].map((name) => join(folder, name));
    const [a = '', b = '', c = ''] = files;
    writeSync(a, { x: Int8Array.of(1, 2), y: [0.5, 1] });
    writeSync(b, { y: [7], x: Int8Array.of(3) }, { layout: 'records' });
    writeSync(c, { x: new Int8Array(0), y: new Float64Array(0) });
    await concat([c, a, c, b, a], { out, layout: 'flat' });
    expect(columnsOf(out)).toEqual(
      Object.assign(Object.create(null) as object, {
        x: Int8Array.of(1, 2, 3, 1, 2),
        y: Float64Array.of(0.5, 1, 7, 0.5, 1),
      }),
    );
    expect(infoSync(out).layout).toBe('flat');
  });

  it('takes folders and patterns, in natural order', async () => {
    for (const number of [1, 2, 10])
      writeSync(join(folder, `run_${String(number)}.cstore`), { x: Int8Array.of(number) });
    writeSync(path, { x: Int8Array.of(0) });
    const rows = Object.assign(Object.create(null) as object, { x: Int8Array.of(1, 2, 10, 0) });
    await concat([join(folder, 'run_*.cstore'), path], { out: join(root, 'all.cstore') });
    expect(columnsOf(join(root, 'all.cstore'))).toEqual(rows);
    rmSync(path);
    concatSync([folder], { out: join(root, 'all.cstore'), overwrite: true });
    expect(infoSync(join(root, 'all.cstore')).rowCount).toBe(3);
    const [first = ''] = readdirSync(folder).sort();
    await expect(concat([folder], { out: join(folder, first), overwrite: true })).rejects.toMatchObject({
      code: 'ERR_ARGUMENT',
    });
    await expect(concat([join(folder, 'no_*.cstore')], { out })).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
    await expect(concat([mkdtempSync(join(root, 'empty-'))], { out })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  });

  it('refuses other columns, naming file and column, no sources, and itself as the target', async () => {
    writeSync(path, { x: Int8Array.of(1) });
    const other = join(folder, 'other.cstore');
    for (const columns of [{ x: [1] }, { z: Int8Array.of(1) }, { x: Int8Array.of(1), z: [1] }]) {
      writeSync(other, columns, { overwrite: true });
      await expect(concat([path, other], { out })).rejects.toMatchObject({
        code: 'ERR_SCHEMA',
        message: expect.stringContaining('other.cstore: column') as string,
      });
    }
    await expect(concat([], { out })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    await expect(concat([path], { out: path, overwrite: true })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    expect(() => concatSync([path], {} as never)).toThrow('out');
    expect(readdirSync(folder).sort()).toEqual(['data.cstore', 'other.cstore']);
  });
});
