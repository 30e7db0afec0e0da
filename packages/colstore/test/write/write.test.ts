// Writing: every kind of input, what is refused before the first byte, and that a write which fails leaves the old file
// and nothing beside it.
import { mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tableFromArrays } from 'apache-arrow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ColStore,
  Table,
  backendInfo,
  infoSync,
  open,
  openSync,
  toISO,
  typed,
  write,
  writeSync,
} from '../../src/index.ts';
import { writtenChunk } from '@colkit/table';
import type { ArrowTableLike, Chunk, ReadRequest, TableSource } from '@colkit/table';
import type { TableInput, TypedValues, WriteOptions } from '../../src/index.ts';
import { errorOf } from '../support/files.ts';
import { rejection } from './rejection.ts';

let folder = '';

let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-write-'));
  path = join(folder, 'data.cstore');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const plain = (columns: object): object => Object.assign(Object.create(null) as object, columns);

describe('input', () => {
  it('takes columns, records, rows, Arrow tables and lazy tables', async () => {
    const columns = { price: Float32Array.of(1.5, 2.5), qty: Int32Array.of(3, 4) };
    await write(path, columns);
    const whole = readFileSync(path);
    const store = openSync(path);
    const inputs: TableInput[] = [
      store,
      store.toRecordsSync(),
      new Map(Object.entries(columns)),
      Object.entries(columns),
      tableFromArrays(columns),
      store.take([1, 0]).take([1, 0]),
    ];
    for (const input of inputs) {
      await write(path, input, { overwrite: true });
      expect(readFileSync(path).equals(whole)).toBe(true);
      writeSync(path, input, { overwrite: true });
      expect(readFileSync(path).equals(whole)).toBe(true);
    }
    await write(path, store.toRowsSync(), { overwrite: true, schema: { price: 'float32', qty: 'int32' } });
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  it('writes every dtype that values can say', () => {
    writeSync(path, {
      flag: [true, false],
      date: typed('datetime64[ms]', [new Date(1500), 'NaT']),
      big: [1n, -(2n ** 63n)],
      real: [0.5, -0],
      half: typed('float16', [1.5, 65504]),
      text: typed('U4', ['é😀', '']),
      bytes: typed('S3', ['abc', 'ÿ']),
      day: typed('datetime64[D]', ['2024-02-29', 'NaT']),
      wait: typed('timedelta64[25s]', [4n, -1n]),
      raw: typed('S2', Uint8Array.of(97, 0, 98, 99)),
    });
    const store = openSync(path);
    expect(store.infoSync().columns.map(({ descr }) => descr)).toEqual([
      '|b1',
      '<M8[ms]',
      '<i8',
      '<f8',
      '<f2',
      '<U4',
      '|S3',
      '<M8[D]',
      '<m8[25s]',
      '|S2',
    ]);
    expect(store.toColumnsSync()).toMatchObject({
      flag: Uint8Array.of(1, 0),
      date: BigInt64Array.of(1500n, -(2n ** 63n)),
      big: BigInt64Array.of(1n, -(2n ** 63n)),
      real: Float64Array.of(0.5, -0),
      text: ['é😀', ''],
      bytes: ['abc', 'ÿ'],
      day: BigInt64Array.of(19782n, -(2n ** 63n)),
      wait: BigInt64Array.of(4n, -1n),
      raw: ['a', 'bc'],
    });
    expect(Array.from(store.toColumnsSync()['half'] as Float32Array)).toEqual([1.5, 65504]);
    expect(toISO(store.column('day').atSync(0) as bigint, 'datetime64[D]')).toBe('2024-02-29');
  });

  it('keeps the order of names such as "10" where the input does', () => {
    writeSync(path, [
      ['b', Int8Array.of(1)],
      ['10', Int8Array.of(2)],
      ['2', Int8Array.of(3)],
    ]);
    expect(openSync(path).columnNames).toEqual(['b', '10', '2']);
  });

  it('zero rows', async () => {
    for (const layout of ['flat', 'records'] as const) {
      const result = await write(path, { x: new Float64Array(0), s: typed('S3', []) }, { layout, overwrite: true });
      expect(result).toMatchObject({ rowCount: 0, recordCount: 1 });
      expect(openSync(path).toColumnsSync()).toEqual(plain({ x: new Float64Array(0), s: [] }));
    }
  });

  it('a file URL', async () => {
    await write(pathToFileURL(path), { x: Int8Array.of(7) });
    expect((await open(pathToFileURL(path))).toColumnsSync()).toEqual(plain({ x: Int8Array.of(7) }));
  });
});

describe('the factories write and open', () => {
  const columns = { x: Int32Array.of(5, 6) };

  it('asynchronously and synchronously', async () => {
    await write(join(folder, 'source.cstore'), columns);
    const source = openSync(join(folder, 'source.cstore'));
    const arrow = tableFromArrays(columns) as unknown as ArrowTableLike;
    const made: readonly ColStore[] = [
      await ColStore.fromColumns(columns, path, { overwrite: true }),
      await ColStore.fromRecords(source.toRecordsSync(), path, { overwrite: true }),
      await ColStore.fromRows([{ x: 5 }, { x: 6 }], path, { overwrite: true, schema: { x: 'int32' } }),
      await ColStore.fromArrow(arrow, path, { overwrite: true }),
      ColStore.fromColumnsSync(columns, path, { overwrite: true, layout: 'records' }),
      ColStore.fromRecordsSync(source.toRecordsSync(), path, { overwrite: true }),
      ColStore.fromRowsSync([{ x: 5 }, { x: 6 }], path, { overwrite: true, schema: { x: 'int32' } }),
      ColStore.fromArrowSync(arrow, path, { overwrite: true }),
    ];
    for (const store of made) {
      expect(store).toBeInstanceOf(ColStore);
      expect(store.path).toBe(path);
      expect(store.column('x').toArraySync()).toEqual(Int32Array.of(5, 6));
      store.close();
    }
    expect(made[4]!.closed).toBe(true);
  });

  it('pass the options of opening on', async () => {
    const store = await ColStore.fromColumns(columns, path, {
      io: 'pread',
      maxWorkers: 1,
      backend: 'js',
      verify: true,
    });
    expect(errorOf(() => store.viewColumns())).toMatchObject({ code: 'ERR_NOT_MAPPED' });
  });
});

describe('progress, cancellation, pieces', () => {
  const data = { x: Float64Array.from({ length: 1000 }, Math.sqrt), k: new Int16Array(1000) };

  it('tells how far it is', async () => {
    for (const run of [
      async (options: WriteOptions) => write(path, data, options),
      async (options: WriteOptions) => Promise.resolve(writeSync(path, data, options)),
    ]) {
      const seen: number[] = [];
      const result = await run({
        batchRows: 300,
        overwrite: true,
        layout: 'records',
        onProgress: ({ writtenBytes, totalBytes }) => {
          expect(totalBytes).toBe(320 + 32 + 10_000);
          seen.push(writtenBytes);
        },
      });
      expect(seen).toEqual([352, 2752, 5152, 7552, 8352, 8952, 9552, 10_152, 10_352]);
      expect(result.byteLength).toBe(seen.at(-1));
    }
  });

  it('by itself in pieces that end at multiples of 8 MiB in the file, to an item', async () => {
    const run = async (name: string, values: Float64Array | TypedValues): Promise<number[]> => {
      const seen: number[] = [];
      await write(
        join(folder, name),
        { values },
        {
          onProgress: ({ writtenBytes }) => {
            seen.push(writtenBytes);
          },
        },
      );
      return seen;
    };
    const numbers = await run('numbers.cstore', new Float64Array(3_000_000));
    expect(numbers).toEqual([numbers[0], 2 ** 23, 2 ** 24, numbers[0]! + 24_000_000]);
    const texts = await run(
      'texts.cstore',
      typed(
        'S1000003',
        Array.from({ length: 18 }, () => 'x'),
      ),
    );
    expect(texts).toEqual([0, 9, 17, 18].map((rows) => texts[0]! + rows * 1_000_003));
  });

  it('what onProgress throws stops it', async () => {
    await write(path, { old: Int8Array.of(1) });
    const before = readFileSync(path);
    const onProgress = (): void => {
      throw new RangeError('enough');
    };
    expect(await rejection(write(path, data, { overwrite: true, onProgress }))).toMatchObject({ message: 'enough' });
    expect(errorOf(() => writeSync(path, data, { overwrite: true, onProgress }))).toMatchObject({ message: 'enough' });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(['data.cstore']);
  });

  it('a signal stops it with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    const onProgress = ({ writtenBytes }: { writtenBytes: number }): void => {
      if (writtenBytes > 3000) controller.abort(reason);
    };
    expect(await rejection(write(path, data, { batchRows: 100, signal: controller.signal, onProgress }))).toBe(reason);
    expect(await rejection(write(path, data, { signal: controller.signal }))).toBe(reason);
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** A table source that counts and may fail: 100 rows of two columns. */
function sourceThat(read: (request: ReadRequest) => void): TableSource {
  const run = (request: ReadRequest): readonly Chunk[] => {
    read(request);
    const rowCount = request.rows.kind === 'range' ? request.rows.count : 0;
    return request.outputs.map((output) => writtenChunk(output!, rowCount, null));
  };
  return {
    name: 'made up',
    rowCount: 100_000,
    closed: false,
    fields: [
      { name: 'a', dtype: 'float64', nullable: false },
      { name: 'b', dtype: 'int32', nullable: false },
    ],
    read: (request) => ({ run: async () => Promise.resolve(run(request)), runSync: () => run(request) }),
    viewColumn: () => {
      throw new Error('not asked for');
    },
    close: () => undefined,
  };
}

describe('lazy tables', () => {
  it('are read column after column, in bounded pieces', async () => {
    let most = 0;
    const order: number[] = [];
    const source = sourceThat(({ columns, outputs }) => {
      expect(columns).toHaveLength(1);
      most = Math.max(most, outputs[0]?.bytes.byteLength ?? 0);
      if (order.at(-1) !== columns[0]) order.push(columns[0]!);
    });
    await write(path, new Table(source), { batchRows: 1000 });
    expect(order).toEqual([0, 1]);
    expect(most).toBe(8000);
    expect(infoSync(path).rowCount).toBe(100_000);
  });

  it('indices of a view are checked before anything is written', async () => {
    writeFileSync(path, 'old');
    const table = new Table(
      sourceThat(() => {
        throw new Error('read');
      }),
    );
    expect(await rejection(write(path, table.take([1, 2, 100_000]), { overwrite: true }))).toMatchObject({
      name: 'OutOfRangeError',
      index: 100_000,
      position: 2,
    });
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it('a source that fails half way leaves the old file', async () => {
    writeFileSync(path, 'old');
    let reads = 0;
    const table = new Table(
      sourceThat(() => {
        if ((reads += 1) > 150) throw new Error('the disk is gone');
      }),
    );
    expect(await rejection(write(path, table, { overwrite: true, batchRows: 1000 }))).toMatchObject({
      message: 'the disk is gone',
    });
    expect(errorOf(() => writeSync(path, table, { overwrite: true, batchRows: 1000 }))).toMatchObject({
      message: 'the disk is gone',
    });
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['data.cstore']);
  });

  it('a file that shrinks while it is exported is an error, and the old file stays', () => {
    const from = join(folder, 'from.cstore');
    writeSync(from, { x: new Float64Array(50_000), y: new Float64Array(50_000) });
    writeFileSync(path, 'old');
    const store = openSync(from);
    expect(
      errorOf(() =>
        writeSync(path, store, {
          overwrite: true,
          batchRows: 1000,
          onProgress: ({ writtenBytes }) => {
            if (writtenBytes > 400_000) truncateSync(from, 1000);
          },
        }),
      ),
    ).toMatchObject({ name: 'IoError', code: 'ERR_FILE_CHANGED' });
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(['data.cstore', 'from.cstore']);
  });

  it('a file can be replaced by a part of itself', async () => {
    await write(path, { x: Int32Array.from({ length: 1000 }, (_, row) => row) });
    const store = await open(path);
    await write(path, store.slice(10, 13), { overwrite: true });
    expect(store.column('x').atSync(999)).toBe(999);
    expect((await open(path)).column('x').toArraySync()).toEqual(Int32Array.of(10, 11, 12));
  });
});

it('runs on the backend that this project is for', () =>
  expect(backendInfo().backend).toBe(process.env['COLKIT_BACKEND']));
