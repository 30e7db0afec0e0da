// Streaming writers as users meet them: one record for each write, what is refused, what readers see and when, and what
// stays of writers that were aborted, refused or died.
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  col,
  create,
  createSync,
  info,
  infoSync,
  openSync,
  recreate,
  typed,
  update,
  updateSync,
  writeSync,
} from '../../src/index.ts';
import { onFiles } from '@colkit/io/durable';
import { readAtOnce } from '@colkit/table';
import { WatchedFiles, systemError } from '@colkit/testkit/watched-files';
import type { Chunk } from '@colkit/table';
import type { ColStoreWriter, WriteInput } from '../../src/index.ts';

let folder = mkdtempSync(join(tmpdir(), 'colstore-streams-'));
const root = folder;
afterAll(() => rmSync(root, { recursive: true, force: true }));
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'test-'));
  path = join(folder, 'log.cstore');
});

const rows = (...x: number[]): WriteInput => ({ x: Int32Array.from(x), y: Float64Array.from(x, (value) => value / 2) });
const valuesOf = (file = path): number[] => {
  using ds = openSync(file);
  return [...ds.column('x').toArraySync()] as number[];
};

async function written(...records: WriteInput[]): Promise<void> {
  await using writer = await create(path);
  for (const record of records) await writer.write(record);
}

describe('records', () => {
  it('are one for each write, in order, and rows of none are one too', async () => {
    await written(rows(1, 2), rows(), rows(3));
    expect(valuesOf()).toEqual([1, 2, 3]);
    expect(infoSync(path)).toMatchObject({ recordCount: 3, rowCount: 3, wire: 'records-64', statistics: null });
  });

  it('a write of no column is none, and does not say what the columns are', async () => {
    const writer = await create(path);
    await writer.write({});
    await writer.write(new Map());
    await writer.write([]);
    expect([writer.recordCount, writer.rowCount]).toEqual([0, 0]);
    await writer.write({ other: Int8Array.of(1) });
    await writer.close();
    expect(infoSync(path).columns.map(({ name }) => name)).toEqual(['other']);
  });

  it('come from everything that can be written: pairs, rows, records, tables, views with predicates', async () => {
    await written(rows(1, 2, 3, 4));
    using ds = openSync(path);
    const copy = join(folder, 'copy.cstore');
    const writer = await create(copy);
    await writer.write(ds);
    const writing = [
      writer.write(ds.where(col('x').gt(2))),
      writer.write([{ y: 10, x: 20 }]),
      writer.write(ds.toRecordsSync()),
      writer.write([
        ['y', [1]],
        ['x', [9]],
      ]),
    ];
    await Promise.all(writing);
    expect(await writer.close()).toMatchObject({ recordCount: 5, rowCount: 12 });
    expect(valuesOf(copy)).toEqual([1, 2, 3, 4, 3, 4, 20, 1, 2, 3, 4, 9]);
  });

  it('of any size: beyond what is held at a time, and many small ones', { timeout: 60_000 }, async () => {
    const large = Float64Array.from({ length: 3_000_000 }, (_, row) => row);
    const writer = await create(path, { durability: 'none', statistics: true });
    for (let number = 0; number < 2000; number += 1) await writer.write({ x: Float64Array.of(number) });
    await writer.write({ x: large });
    await writer.write({ x: Float64Array.of(-1) });
    await writer.close();
    using ds = openSync(path);
    const x = ds.column('x').toArraySync();
    expect(x.length).toBe(3_002_001);
    expect([x[1999], x[2000], x[3_001_999], x[3_002_000]]).toEqual([1999, 0, 2_999_999, -1]);
    expect((await ds.info()).statistics?.get('x')?.slice(-2)).toEqual([
      { min: 0, max: 2_999_999 },
      { min: -1, max: -1 },
    ]);
  });
});

describe('refused', () => {
  const REFUSED: readonly (readonly [string, WriteInput, string, RegExp])[] = [
    ['another name', { x: Int32Array.of(1), z: Float64Array.of(1) }, 'ERR_SCHEMA', /column "y"/],
    ['a column less', { x: Int32Array.of(1) }, 'ERR_SCHEMA', /column "y"/],
    ['a column more', { x: Int32Array.of(1), y: [1], z: [1] }, 'ERR_SCHEMA', /column "z"/],
    ['another dtype', { x: Float64Array.of(1.5), y: [1] }, 'ERR_VALUE', /column "x"/],
    ['ragged columns', { x: Int32Array.of(1, 2), y: [1] }, 'ERR_SCHEMA', /2 rows/],
    ['two dimensions', { x: [[1, 2]] as never, y: [1] }, 'ERR_VALUE', /column "x"/],
    ['a null', { x: [null, 1], y: [1, 2] }, 'ERR_VALUE', /null at row 0/],
    ['what is no table', 'x' as never, 'ERR_SCHEMA', /columns/],
  ];

  it.each(REFUSED)('%s: the file stays good', async (_, record, code, message) => {
    for (const begin of [() => create(path), () => update(path)]) {
      const writer = await begin();
      await writer.write(rows(1));
      const before = writer.rowCount;
      await expect(writer.write(record)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message) as string,
      });
      expect(() => writer.writeSync(record)).toThrow(message);
      expect(writer.rowCount).toBe(before);
      await writer.write(rows(2));
      await writer.close();
    }
    expect(valuesOf()).toEqual([1, 2, 1, 2]);
  });

  it('a first record leaves no columns behind', async () => {
    const writer = await create(path);
    await expect(writer.write({ x: ['text'] })).rejects.toMatchObject({ code: 'ERR_DTYPE' });
    await expect(writer.write({ x: [1], y: [1, 2] })).rejects.toMatchObject({ code: 'ERR_SCHEMA' });
    await writer.write({ x: typed('S4', ['text']) });
    await writer.close();
    expect(infoSync(path).columns).toMatchObject([{ name: 'x', dtype: 'S4' }]);
  });

  it('a table that fails half-way leaves nothing of its record', async () => {
    await written(rows(1, 2));
    const writer = await update(path);
    const input = {
      fields: [
        { name: 'x', dtype: 'int32', nullable: false },
        { name: 'y', dtype: 'float64', nullable: false },
      ],
      rowCount: 100_000,
      columns: [
        column('x', 'int32', 4, () => undefined),
        column('y', 'float64', 8, () => {
          throw new Error('the disk of the source');
        }),
      ],
    } as unknown as WriteInput;
    await expect(writer.write(input)).rejects.toThrow('the disk of the source');
    expect(() => writer.writeSync(input)).toThrow('the disk of the source');
    await writer.write(rows(3));
    await writer.close();
    expect(valuesOf()).toEqual([1, 2, 3]);
    expect(infoSync(path).uncommittedBytes).toBe(0);
  });

  function column(name: string, dtype: string, itemBytes: number, look: () => void): unknown {
    const chunkOf = (start: number, end: number): Chunk => {
      look();
      return { kind: 'fixed', rowCount: end - start, bytes: new Uint8Array((end - start) * itemBytes), validity: null };
    };
    return {
      field: { name, dtype, nullable: false },
      info: { kind: dtype === 'int32' ? 'int' : 'float', name: dtype, itemBytes },
      rowCount: 100_000,
      read: (start: number, end: number) => readAtOnce(() => chunkOf(start, end)),
    };
  }
});

describe('files', () => {
  it('a new one is not there before its first checkpoint, and nothing is where nothing was written', async () => {
    const writer = await create(path);
    await writer.write(rows(1));
    expect(existsSync(path)).toBe(false);
    expect(await writer.checkpoint()).toMatchObject({ rowCount: 1, recordCount: 1 });
    expect(valuesOf()).toEqual([1]);
    await writer.write(rows(2));
    expect(valuesOf()).toEqual([1]);
    await writer.close();
    expect(valuesOf()).toEqual([1, 2]);
    rmSync(path);
    const idle = await create(path);
    await idle.write({});
    expect(await idle.checkpoint()).toBeNull();
    expect(await idle.close()).toBeNull();
    createSync(path).closeSync();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('create refuses what is there, update what is not, recreate replaces it at the first checkpoint', async () => {
    await expect(update(path)).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
    expect(() => updateSync(path)).toThrow('no such file');
    await written(rows(1));
    await expect(create(path)).rejects.toMatchObject({ code: 'ERR_EXISTS' });
    const writer = await recreate(path);
    await writer.write({ z: ['no', 'text'].map((text) => text.length) });
    expect(valuesOf()).toEqual([1]);
    await writer.close();
    expect(infoSync(path).columns).toMatchObject([{ name: 'z' }]);
    await (await recreate(path)).close();
    expect(infoSync(path).rowCount).toBe(2);
    expect(readdirSync(folder)).toEqual(['log.cstore']);
  });

  it('an update that writes nothing changes nothing, but what a dead writer left', async () => {
    await using writer = await create(path, { statistics: true });
    await writer.write(rows(1, 2));
    await writer.close();
    const bytes = readFileSync(path);
    await (await update(path)).close();
    await (await update(path, { statistics: false })).close();
    expect(readFileSync(path).equals(bytes)).toBe(true);
    const plain = join(folder, 'plain.cstore');
    copyFileSync(path, plain);
    appendFileSync(plain, Buffer.alloc(256, 7));
    expect((await info(plain)).uncommittedBytes).toBeGreaterThan(256);
    const next = await update(plain);
    expect(infoSync(plain).uncommittedBytes).toBe(0);
    await next.write(rows(3));
    await next.close();
    expect(valuesOf(plain)).toEqual([1, 2, 3]);
  });

  it('abort goes back to the last checkpoint, its footer too', async () => {
    await (await create(path)).abort();
    const first = await create(path, { statistics: true });
    await first.write(rows(1));
    await first.abort();
    expect(readdirSync(folder)).toEqual([]);
    const second = createSync(path, { statistics: true });
    second.writeSync(rows(1));
    second.checkpointSync();
    const bytes = readFileSync(path);
    second.writeSync(rows(...Array.from({ length: 100_000 }, (_, row) => row)));
    second.abortSync();
    expect(readFileSync(path).equals(bytes)).toBe(true);
    const third = await update(path);
    await third.write(rows(...Array.from({ length: 100_000 }, (_, row) => row)));
    await third.abort();
    await expect(third.write(rows(1))).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readdirSync(folder)).toEqual(['log.cstore']);
  });

  it('records of the length of the footer before them are kept', async () => {
    const writer = await create(path, { statistics: true });
    await writer.write({ x: Int8Array.of(0) });
    const { byteLength } = (await writer.checkpoint())!;
    const footerBytes = byteLength - (infoSync(path).dataOffset + 40);
    for (let number = 1; number < 4; number += 1)
      await writer.write({ x: new Int8Array(Math.max(1, footerBytes - 32)).fill(number) });
    await writer.close();
    expect(valuesOf().filter((value) => value === 1).length).toBe(Math.max(1, footerBytes - 32));
    expect(infoSync(path).recordCount).toBe(4);
  });

  it('flat files do not grow, and the error says what to do', async () => {
    writeSync(path, { x: [1] });
    await expect(update(path)).rejects.toMatchObject({
      code: 'ERR_FEATURE',
      message: expect.stringMatching(/flat/) as string,
    });
    expect(readdirSync(folder)).toEqual(['log.cstore']);
  });
});

describe('calls', () => {
  it('take effect in their order without being awaited, and close can be called again', async () => {
    const writer = await create(path);
    const calls = [writer.write(rows(1)), writer.write(rows(2)), writer.checkpoint(), writer.write(rows(3))];
    expect(() => writer.writeSync(rows(9))).toThrow('no unfinished call');
    const last = writer.close();
    await expect(writer.write(rows(4))).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    await Promise.all([...calls, last, writer.close()]);
    expect([writer.closed, valuesOf()]).toEqual([true, [1, 2, 3]]);
    expect(await writer.close()).toMatchObject({ rowCount: 3 });
  });

  it('what was written before an exception is committed by "using"', async () => {
    const failing = async (): Promise<void> => {
      await using writer = await create(path);
      await writer.write(rows(1));
      throw new Error('elsewhere');
    };
    await expect(failing()).rejects.toThrow('elsewhere');
    const failingSync = (): void => {
      using writer = updateSync(path);
      writer.writeSync(rows(2));
      throw new Error('elsewhere');
    };
    expect(failingSync).toThrow('elsewhere');
    expect(valuesOf()).toEqual([1, 2]);
  });

  it('a second writer is told at once, through links too, and the first one goes on', async () => {
    await written(rows(1));
    const first: ColStoreWriter = await update(path);
    for (const second of [() => update(path), () => recreate(path)])
      await expect(second()).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    expect(() => writeSync(path, { x: [1] }, { overwrite: true })).toThrow('is writing it');
    await first.write(rows(2));
    await first.close();
    await (await update(path)).close();
    expect(valuesOf()).toEqual([1, 2]);
  });

  it('a full disk is told of the file as it is called by then', async () => {
    let isFull = false;
    const disk = new WatchedFiles(({ kind }, when) => {
      if (isFull && when === 'before' && kind === 'write') throw systemError('ENOSPC', kind);
    });
    const writer = await create(path, onFiles(disk, {}));
    await writer.write(rows(1));
    await writer.checkpoint();
    isFull = true;
    const failure = writer.write(rows(2)).then(() => writer.checkpoint());
    await expect(failure).rejects.toMatchObject({ code: 'ERR_WRITE', path });
    await writer.abort();
    expect(valuesOf()).toEqual([1]);
  });
});
