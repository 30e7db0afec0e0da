// Folders that grow: names and numbers, whole files of whole batches, one writer, and the bytes of Python's appender.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  append,
  appendAll,
  appendAllSync,
  appendSync,
  appender,
  appenderSync,
  col,
  info,
  open,
  openSync,
  typed,
  writeSync,
} from '../../src/index.ts';
import type { AppendInput, AppendOptions, AppenderOptions } from '../../src/index.ts';
import { counters64, recordFile, recordManifest } from '../support/files.ts';

let root = '';
let made = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'colstore-shards-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const newFolder = (): string => join(root, `folder ${String(made++)}`);
const x = (...values: number[]): { x: Int32Array } => ({ x: Int32Array.from(values) });
const names = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();
function xs(folder: string): number[] {
  using table = openSync(folder);
  return Array.from(table.toColumnsSync()['x'] as Int32Array);
}
async function codeOf(of: () => unknown): Promise<unknown> {
  try {
    return await of();
  } catch (error) {
    return (error as { code?: string }).code ?? error;
  }
}
/** The same in both forms, each in a folder of its own. */
async function both(
  check: (append: (folder: string, data: AppendInput, options?: AppendOptions) => Promise<string>) => Promise<void>,
) {
  await check(append);
  await check((...given) => Promise.resolve().then(() => appendSync(...given)));
}

describe('append', () => {
  it('makes the folder, and adds one file at a time', async () => {
    await both(async (add) => {
      const folder = join(newFolder(), 'deeper');
      expect(await add(folder, x(1, 2))).toBe(join(folder, 'shard_00000.cstore'));
      expect(await add(folder, [{ x: 3 }], {})).toBe(join(folder, 'shard_00001.cstore'));
      expect(xs(folder)).toEqual([1, 2, 3]);
      expect(readdirSync(folder).sort()).toEqual(['.colstore.lock', 'shard_00000.cstore', 'shard_00001.cstore']);
    });
  });

  it('several at once: files in their order, all of them or none', async () => {
    const folder = newFolder();
    const one = join(root, `${String(made++)}.cstore`);
    writeSync(one, { x: Int32Array.of(7) }, { layout: 'records' });
    using table = openSync(one);
    const paths = await appendAll(folder, [x(1, 2), one, table.where('x > 100'), [{ x: 8 }], table]);
    expect(paths).toEqual([0, 1, 2, 3, 4].map((number) => join(folder, `shard_0000${String(number)}.cstore`)));
    expect(xs(folder)).toEqual([1, 2, 7, 8, 7]);
    // A file is copied as it is.
    expect(readFileSync(paths[1]!)).toEqual(readFileSync(one));
    expect(appendAllSync(folder, [x(9), one], { statistics: true })).toHaveLength(2);
    expect(appendAllSync(folder, [])).toEqual([]);
    const before = names(folder);
    const refused: readonly [readonly AppendInput[], AppendOptions, string][] = [
      [[x(1), { y: [1] }], {}, 'ERR_SCHEMA'],
      [[x(1), { x: [1.5] }], {}, 'ERR_VALUE'],
      [[x(1), x(2)], { name: 'one.cstore' }, 'ERR_ARGUMENT'],
      [[one, paths[0]!], {}, 'ERR_ARGUMENT'],
      [[one, join(root, 'missing.cstore')], {}, 'ERR_NOT_FOUND'],
      ['one.cstore' as never, {}, 'ERR_ARGUMENT'],
    ];
    for (const [sources, options, code] of refused) {
      expect(await codeOf(() => appendAll(folder, sources, options))).toBe(code);
      expect(await codeOf(() => appendAllSync(folder, sources, options))).toBe(code);
    }
    expect(names(folder)).toEqual(before);
    const fresh = newFolder();
    expect(await codeOf(() => appendAll(fresh, [x(1), { x: ['text'] }]))).toBe('ERR_VALUE');
    expect(names(fresh)).toEqual([]);
  });

  it('numbers go on behind the largest, whatever is missing or foreign', async () => {
    await both(async (add) => {
      const folder = newFolder();
      for (let file = 0; file < 3; file += 1) await add(folder, x(file));
      rmSync(join(folder, 'shard_00001.cstore'));
      writeFileSync(join(folder, 'shard_9.txt'), '');
      writeFileSync(join(folder, 'shard_x7.cstore.partial'), '');
      expect(await add(folder, x(3))).toMatch(/shard_00003\.cstore$/u);
      expect(await add(folder, x(4), { name: 'run-{index}.cstore' })).toMatch(/run-0\.cstore$/u);
      expect(await add(folder, x(5), { name: 'run-{index:02}.cstore' })).toMatch(/run-01\.cstore$/u);
      writeSync(join(folder, 'run-99.cstore'), x(6));
      expect(await add(folder, x(7), { name: 'run-{index:02d}.cstore' })).toMatch(/run-100\.cstore$/u);
      expect(xs(folder)).toEqual([4, 5, 6, 7, 0, 2, 3]);
    });
  });

  it('a name of its own must be free, and a name of the folder', async () => {
    const folder = newFolder();
    expect(await append(folder, x(1), { name: 'one.cstore' })).toBe(join(folder, 'one.cstore'));
    expect(await codeOf(() => append(folder, x(2), { name: 'one.cstore' }))).toBe('ERR_EXISTS');
    for (const name of [
      'a.cna',
      'a',
      'b/a.cstore',
      '../a.cstore',
      '.a.cstore',
      'a{b}.cstore',
      '{index}{index}.cstore',
      '{index:5d}.cstore',
    ])
      expect([name, await codeOf(() => append(folder, x(2), { name }))]).toEqual([name, 'ERR_ARGUMENT']);
    expect(xs(folder)).toEqual([1]);
  });

  it('other columns are refused before anything is written; their order does not matter', async () => {
    const folder = newFolder();
    await append(folder, { x: Int32Array.of(1), s: typed('S3', ['a']) });
    const before = readdirSync(folder);
    for (const other of [
      x(1),
      { x: Float64Array.of(1.5), s: typed('S3', ['a']) },
      { x: Int32Array.of(1), s: typed('S4', ['abcd']) },
    ])
      expect(await codeOf(() => append(folder, other))).toMatch(/ERR_SCHEMA|ERR_VALUE|ERR_DTYPE/u);
    const foreign = join(root, 'foreign.cstore');
    writeSync(foreign, { x: Int32Array.of(1), s: typed('S4', ['a']) });
    expect(await codeOf(() => append(folder, foreign))).toMatch(/ERR_SCHEMA|ERR_VALUE|ERR_DTYPE/u);
    expect(readdirSync(folder)).toEqual(before);
    await append(folder, { s: typed('S3', ['b']), x: Int32Array.of(2) });
    await using table = await open(folder);
    expect(await table.toRows()).toEqual([
      { x: 1, s: 'a' },
      { x: 2, s: 'b' },
    ]);
  });

  it('one file is copied as it is, whatever its records, and whatever is behind them', async () => {
    const manifest = recordManifest([{ name: 'x', descr: '<i4' }]);
    const record = (...values: number[]) => ({
      rows: values.length,
      body: new Uint8Array(Int32Array.from(values).buffer),
    });
    const bytes = recordFile(counters64(2, 3), manifest, [record(1, 2), record(3)]);
    const path = join(root, 'two records.cstore');
    writeFileSync(path, Buffer.concat([bytes, Buffer.from('uncommitted')]));
    const folder = newFolder();
    await append(folder, path);
    appendSync(folder, path);
    await using table = await open(path);
    await append(folder, table);
    for (const name of names(folder)) expect(readFileSync(join(folder, name)).equals(readFileSync(path))).toBe(true);
    expect(xs(folder)).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
    // Of a view, and with statistics, the rows are written.
    await append(folder, table.where(col('x').gt(1)));
    await append(folder, table.slice(1), { statistics: true });
    const { files } = await info(folder);
    expect(files?.map(({ recordCount, rowCount }) => [recordCount, rowCount])).toEqual([
      [2, 3],
      [2, 3],
      [2, 3],
      [1, 2],
      [1, 2],
    ]);
    expect(files?.at(-1)?.statistics?.get('x')).toEqual([{ min: 2, max: 3 }]);
  });

  it('one file of another layout becomes a record, which Python reads', async () => {
    const folder = newFolder();
    const path = join(root, 'flat.cstore');
    writeSync(path, x(1, 2), { layout: 'flat' });
    await append(folder, path);
    appendSync(folder, path);
    expect((await info(folder)).files?.map(({ wire }) => wire)).toEqual(['records-64', 'records-64']);
    expect(xs(folder)).toEqual([1, 2, 1, 2]);
  });

  it('a folder, a pattern or a list becomes one file; the folder itself is refused', async () => {
    const [from, folder] = [newFolder(), newFolder()];
    for (let file = 0; file < 3; file += 1) await append(from, x(file, file));
    await append(folder, from);
    await append(folder, `${from}/*_0000[12].cstore`);
    await using many = await open([join(from, 'shard_00002.cstore'), from]);
    await append(folder, many);
    expect(xs(folder)).toEqual([0, 0, 1, 1, 2, 2, 1, 1, 2, 2, 2, 2, 0, 0, 1, 1, 2, 2]);
    expect((await info(folder)).recordCount).toBe(3);
    const link = join(root, `link ${String(made)}`);
    symlinkSync(folder, link);
    await using own = await open(folder);
    for (const data of [folder, link, join(link, 'shard_00000.cstore'), `${folder}/*`, own, own.head(1)])
      expect(await codeOf(() => append(folder, data))).toBe('ERR_ARGUMENT');
    expect(await codeOf(() => append(link, own))).toBe('ERR_ARGUMENT');
    expect(names(folder)).toHaveLength(3);
  });

  it('a damaged first file, a file in place of the folder, options that are none', async () => {
    const folder = newFolder();
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.cstore'), 'no such file');
    expect(await codeOf(() => append(folder, x(1)))).toMatch(/^ERR_/u);
    rmSync(join(folder, 'a.cstore'));
    expect(await append(folder, x(1))).toMatch(/shard_00000/u);
    const file = join(root, 'a file');
    writeFileSync(file, '');
    expect(await codeOf(() => append(file, x(1)))).toBe('ERR_WRITE');
    expect(() => appenderSync(file)).toThrow('update(path) adds rows');
    expect(await codeOf(() => append(folder, x(1), { names: 'x' } as AppendOptions))).toBe('ERR_ARGUMENT');
    expect(await codeOf(() => append(folder, null as unknown as AppendInput))).toBe('ERR_SCHEMA');
  });
});

describe('appender', () => {
  it.each([
    ['rows', { shardRows: 4 }],
    ['bytes', { shardBytes: 4 * 4 + 3 }],
  ] as const)('rolls at a size in %s, of whole batches', async (_, options) => {
    const folder = newFolder();
    const writer = await appender(folder, options);
    await writer.write(x(1, 2, 3));
    expect([writer.pendingRows, writer.paths]).toEqual([3, []]);
    await writer.write(x(4, 5, 6));
    expect([writer.pendingRows, writer.paths.length]).toEqual([0, 1]);
    writer.writeSync(x(7));
    await writer.close();
    await writer.close();
    expect(writer.closed).toBe(true);
    expect(names(folder)).toEqual(['shard_00000.cstore', 'shard_00001.cstore']);
    expect((await info(folder)).files?.map(({ rowCount, recordCount }) => [rowCount, recordCount])).toEqual([
      [6, 1],
      [1, 1],
    ]);
    expect(xs(folder)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await codeOf(() => writer.write(x(1)))).toBe('ERR_CLOSED');
    expect(await codeOf(() => writer.flush())).toBe('ERR_CLOSED');
  });

  it('without a size: by flush and close; nothing is no file', async () => {
    const folder = newFolder();
    {
      using writer = appenderSync(folder);
      expect(writer.flushSync()).toBeNull();
      writer.writeSync({});
      writer.writeSync(x());
      const values = Int32Array.of(1, 2);
      writer.writeSync({ x: values });
      values.fill(9);
      expect(writer.flushSync()).toBe(join(folder, 'shard_00000.cstore'));
      writer.writeSync(x(3));
      writer.abortSync();
    }
    expect(xs(folder)).toEqual([1, 2]);
    const other = newFolder();
    await using nothing = await appender(other);
    expect(nothing.pendingRows).toBe(0);
    await nothing.close();
    expect(names(other)).toEqual([]);
  });

  it('a name for one file', async () => {
    const folder = newFolder();
    expect(await codeOf(() => appender(folder, { name: 'a.cstore', shardRows: 3 }))).toBe('ERR_ARGUMENT');
    const writer = await appender(folder, { name: 'a.cstore' });
    await writer.write(x(1));
    expect(await writer.flush()).toBe(join(folder, 'a.cstore'));
    await writer.write(x(2));
    expect(await codeOf(() => writer.flush())).toBe('ERR_ARGUMENT');
    expect(await codeOf(() => writer.close())).toBe('ERR_ARGUMENT');
    // The folder is free all the same.
    expect(await append(folder, x(3), { name: 'b.cstore' })).toBe(join(folder, 'b.cstore'));
    expect(xs(folder)).toEqual([1, 3]);
  });

  it('a batch that does not fit leaves the appender as it was', async () => {
    const folder = newFolder();
    await using writer = await appender(folder, { shardRows: 10 });
    await writer.write(x(1));
    for (const bad of [
      { y: Int32Array.of(1) },
      { x: Float64Array.of(1.5) },
      { x: Int32Array.of(1), y: Int32Array.of(1) },
    ])
      expect(await codeOf(() => writer.write(bad))).toMatch(/ERR_SCHEMA|ERR_VALUE/u);
    await writer.write(x(2));
    expect(writer.pendingRows).toBe(2);
    await writer.close();
    expect(xs(folder)).toEqual([1, 2]);
  });

  it('one writer at a time', async () => {
    const folder = newFolder();
    const writer = await appender(folder);
    expect(await codeOf(() => appender(folder))).toBe('ERR_LOCKED');
    expect(await codeOf(() => appendSync(folder, x(1)))).toBe('ERR_LOCKED');
    await writer.write(x(1));
    await writer.close();
    expect(await codeOf(() => append(folder, x(2)))).toBe(join(folder, 'shard_00001.cstore'));
    writeFileSync(join(folder, '.z.cstore'), 'no such file');
    writeFileSync(join(folder, 'a.cstore'), 'no such file');
    // What fails at the start gives the folder back.
    expect(await codeOf(() => appender(folder))).toMatch(/^ERR_/u);
    rmSync(join(folder, 'a.cstore'));
    await (await appender(folder)).close();
    expect(xs(folder)).toEqual([1, 2]);
  });

  it('options that are none', async () => {
    const folder = newFolder();
    for (const options of [{ shardRows: 0 }, { shardBytes: -1 }, { shardrows: 1 }, { statistics: 1 }])
      expect(await codeOf(() => appender(folder, options as unknown as AppenderOptions))).toBe('ERR_ARGUMENT');
  });

  it("writes the bytes of Python's", async () => {
    const golden = new URL('../golden/many/appended/', import.meta.url);
    const folder = newFolder();
    {
      await using writer = await appender(folder, { shardRows: 4, statistics: true });
      for (let start = 0; start < 10; start += 2) {
        const rows = [start, start + 1];
        await writer.write({
          id: BigInt64Array.from(rows, BigInt),
          price: Float32Array.from(rows, (row) => row * 1.5),
          name: typed(
            'S4',
            rows.map((row) => `n${String(row % 3)}`),
          ),
          at: typed('datetime64[s]', rows.map(BigInt)),
        });
      }
    }
    await append(
      folder,
      {
        id: BigInt64Array.of(100n),
        price: Float32Array.of(-0),
        name: typed('S4', ['last']),
        at: typed('datetime64[s]', [-(2n ** 63n)]),
      },
      { name: 'shard_{index:03d}.cstore' },
    );
    const expected = readdirSync(golden).sort();
    expect(readdirSync(folder).sort()).toEqual(expected);
    for (const name of expected)
      expect([name, readFileSync(join(folder, name)).toString('hex')]).toEqual([
        name,
        readFileSync(new URL(name, golden)).toString('hex'),
      ]);
    utimesSync(join(folder, '.colstore.lock'), 1, 1);
  });
});
