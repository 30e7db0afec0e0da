// write and writeSync: every kind of input and every type, through the atomic file, read back by the package's own
// parts.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tableOf, typed } from '@colkit/table';
import { beforeEach, describe, expect, it } from 'vitest';
import { write, writeSync } from '../../src/index.ts';
import type { RowGroupReport, WriteInput, WriteOptions, WriteProgress } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';
import { readTable } from '../support/table.ts';

const newFolder = newFolders('write');
let folder: string;
let path: string;
beforeEach(() => {
  ({ folder, path } = newFolder());
});

const read = () => readTable(new Uint8Array(readFileSync(path)));
const values = (): Record<string, (string | null)[]> =>
  Object.fromEntries(read().columns.map((column) => [column.name, column.values]));
const types = (): Record<string, string> =>
  Object.fromEntries(read().columns.map(({ name, type, nullable }) => [name, nullable ? `${type}?` : type]));

describe.each(['async', 'sync'] as const)('%s', (form) => {
  const save = async (data: WriteInput, options: WriteOptions = {}) =>
    form === 'async' ? write(path, data, options) : writeSync(path, data, options);

  it('writes columns of every kind', async () => {
    await save({
      flag: [true, false, true],
      i8: Int8Array.of(-1, 0, 1),
      u16: Uint16Array.of(1, 2, 65535),
      i64: [1n, -2n, 3n],
      u64: BigUint64Array.of(0n, 1n, 2n ** 64n - 1n),
      f64: [0.1, null, Number.NaN],
      f32: Float32Array.of(1.5, -0, 2),
      f16: typed('float16', [0.5, 2, -1]),
      at: [new Date(0), new Date(1), null],
      seconds: typed('datetime64[s]', [1n, 2n, 3n]),
      day: typed('datetime64[D]', [0n, 19000n, -1n]),
      text: ['żółw', '', null],
      fixed: typed('S4', ['ab', 'abcd', '']),
      bytes: [Uint8Array.of(1, 255), Uint8Array.of(), null],
    });
    expect(types()).toEqual({
      flag: 'bool',
      i8: 'int8',
      u16: 'uint16',
      i64: 'int64',
      u64: 'uint64',
      f64: 'float64?',
      f32: 'float32',
      f16: 'float32',
      at: 'datetime?',
      seconds: 'datetime',
      day: 'date',
      text: 'string?',
      fixed: 'string',
      bytes: 'binary?',
    });
    expect(values()).toMatchObject({
      flag: ['1', '0', '1'],
      i8: ['255', '0', '1'],
      u16: ['1', '2', '65535'],
      i64: ['1', String(2n ** 64n - 2n), '3'],
      u64: ['0', '1', String(2n ** 64n - 1n)],
      at: ['0', '1000', null],
      seconds: ['1000000', '2000000', '3000000'],
      day: ['0', '19000', String(2n ** 64n - 1n)],
      text: ['żółw', '', null],
      fixed: ['ab', 'abcd', ''],
      bytes: ['01ff', '', null],
      f16: [0.5, 2, -1].map((value) => String(new Uint32Array(Float32Array.of(value).buffer)[0])),
    });
    expect(values()['f64']![1]).toBeNull();
  });

  it('writes rows, a lazy table, pairs with names that look like numbers', async () => {
    await save([
      { a: 1, b: 'x' },
      { a: 2, b: 'y' },
    ]);
    expect(types()).toEqual({ a: 'float64', b: 'string' });
    await save(
      [
        ['10', Int32Array.of(1, 2)],
        ['9', Int32Array.of(3, 4)],
      ] as const,
      { overwrite: true },
    );
    expect(read().columns.map(({ name }) => name)).toEqual(['10', '9']);
  });

  it('cuts row groups and pages, and tells of each', async () => {
    const groups: RowGroupReport[] = [];
    const progress: WriteProgress[] = [];
    const rows = 2500;
    const report = await save(
      {
        n: Int32Array.from({ length: rows }, (_, i) => (i * i) % 977),
        t: Array.from({ length: rows }, (_, i) => (i % 7 === 0 ? null : `t${i % 5}`)),
      },
      {
        rowGroupSize: 1000,
        pageRows: 256,
        onRowGroup: (group) => groups.push(group),
        onProgress: (state) => progress.push(state),
      },
    );
    const { footer, columns } = read();
    expect(footer.rowGroups.map(({ rowCount, pageRows }) => [rowCount, pageRows])).toEqual([
      [1000, 256],
      [1000, 256],
      [500, 256],
    ]);
    expect(columns[0]!.values).toEqual(Array.from({ length: rows }, (_, i) => String((i * i) % 977)));
    expect(columns[1]!.values).toEqual(Array.from({ length: rows }, (_, i) => (i % 7 === 0 ? null : `t${i % 5}`)));
    expect(report).toMatchObject({ rowCount: rows, rowGroupCount: 3, byteLength: readFileSync(path).length });
    expect(progress.map(({ writtenRows, totalRows }) => [writtenRows, totalRows])).toEqual([
      [1000, rows],
      [2000, rows],
      [2500, rows],
    ]);
    expect(groups.map(({ rowGroup, rowCount }) => [rowGroup, rowCount])).toEqual([
      [0, 1000],
      [1, 1000],
      [2, 500],
    ]);
    const [page] = groups[0]!.chunks[0]!.pages;
    expect(page!.candidates.length).toBeGreaterThan(1);
    expect(page!.candidates.map(({ bytes }) => bytes)).toEqual(
      page!.candidates.map(({ bytes }) => bytes).sort((a, b) => a - b),
    );
    const sum = report.columns.reduce((total, { byteLength }) => total + byteLength, 0);
    expect(sum).toBe(groups.reduce((total, { byteLength }) => total + byteLength, 0));
  });

  it('writes an empty table', async () => {
    expect(await save({ n: Int32Array.of(), t: typed('string', []) })).toMatchObject({ rowCount: 0, rowGroupCount: 0 });
    expect(types()).toEqual({ n: 'int32', t: 'string' });
  });

  it('keeps metadata', async () => {
    await save({ n: Int8Array.of(1) }, { metadata: { source: 'test', __proto__: 'x' } as never });
    expect(read().footer.schema.metadata.get('source')).toBe('test');
  });

  it('refuses an existing path, and leaves nothing after a failure', async () => {
    writeFileSync(path, 'old');
    await expect((async () => save({ n: Int8Array.of(1) }))()).rejects.toMatchObject({ code: 'ERR_EXISTS' });
    await expect(
      (async () =>
        save(
          { n: Int32Array.from({ length: 3000 }, (_, i) => i) },
          {
            overwrite: true,
            rowGroupSize: 1000,
            onProgress: ({ writtenRows }) => {
              if (writtenRows === 2000) throw new Error('enough');
            },
          },
        ))(),
    ).rejects.toThrow('enough');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['data.cna']);
  });

  it.each([
    ['a timedelta', { n: typed('timedelta64[s]', [1n]) }, {}, 'ERR_DTYPE'],
    ['float128', { n: typed('float128', new Uint8Array(16)) }, {}, 'ERR_DTYPE'],
    ['half a microsecond', { n: typed('datetime64[ns]', [1500n]) }, {}, 'ERR_VALUE'],
    ['a time beyond microseconds', { n: typed('datetime64[s]', [2n ** 62n]) }, {}, 'ERR_VALUE'],
    ['columns of different lengths', { a: Int8Array.of(1), b: Int8Array.of(1, 2) }, {}, 'ERR_SCHEMA'],
    ['an empty name', { '': Int8Array.of(1) }, {}, 'ERR_SCHEMA'],
    ['a lone surrogate', { t: ['\ud800'] }, {}, 'ERR_VALUE'],
    ['an unknown mode', { n: Int8Array.of(1) }, { mode: 'slow' }, 'ERR_ARGUMENT'],
    ['a row group of no rows', { n: Int8Array.of(1) }, { rowGroupSize: 0 }, 'ERR_ARGUMENT'],
    ['pages of 7 rows', { n: Int8Array.of(1) }, { pageRows: 7 }, 'ERR_ARGUMENT'],
    ['an encoding of no column', { n: Int8Array.of(1) }, { encodings: { m: 'RLE' } }, 'ERR_UNKNOWN_COLUMN'],
    ['an unknown encoding', { n: Int8Array.of(1) }, { encodings: { n: 'ZIP' } }, 'ERR_ARGUMENT'],
    ['CODES asked for', { n: Int8Array.of(1) }, { encodings: { n: 'CODES' } }, 'ERR_ARGUMENT'],
    [
      'an encoding that does not apply',
      { n: Int32Array.of(1, 5, 9, 100) },
      { encodings: { n: 'AFFINE' } },
      'ERR_VALUE',
    ],
    ['metadata that is no text', { n: Int8Array.of(1) }, { metadata: { a: 1 } }, 'ERR_ARGUMENT'],
    ['a mode that is no text', { n: Int8Array.of(1) }, { mode: 5n }, 'ERR_ARGUMENT'],
    ['joint dictionaries by number', { n: Int8Array.of(1) }, { joint: 1n }, 'ERR_ARGUMENT'],
    ['no encodings', { n: Int8Array.of(1) }, { encodings: null }, 'ERR_ARGUMENT'],
    ['an encoding by number', { n: Int8Array.of(1) }, { encodings: { n: 1n } }, 'ERR_ARGUMENT'],
    ['no schema', { n: Int8Array.of(1) }, { schema: null }, 'ERR_ARGUMENT'],
  ] as [string, WriteInput, WriteOptions, string][])('refuses %s', async (_, data, options, code) => {
    await expect((async () => save(data, options))()).rejects.toMatchObject({ code });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('stores nanoseconds that are whole microseconds, and NaT', async () => {
    await save({ n: typed('datetime64[ns]', [1000n, -(2n ** 63n)]) });
    expect(values()).toEqual({ n: ['1', String(2n ** 63n)] });
  });

  it('writes every encoding that is asked for', async () => {
    const n = Int32Array.from({ length: 600 }, (_, i) => (i >> 3) * 5 + (i % 2));
    for (const encoding of ['PLAIN', 'DELTA', 'DICTIONARY', 'RLE', 'BITPACK', 'PATCHED', 'ENTROPY'] as const) {
      const values = encoding === 'PATCHED' ? n.map((value, i) => (i % 100 === 5 ? value + 1_000_000 : value)) : n;
      const report = await save({ n: values }, { overwrite: true, encodings: new Map([['n', encoding]]) });
      expect([...report.columns[0]!.encodings.keys()].join()).toMatch(new RegExp(`^${encoding}`));
      expect(read().columns[0]!.values).toEqual(Array.from(values, String));
    }
  });

  it('stops when it is told to', async () => {
    await expect(
      (async () => save({ n: Int8Array.of(1) }, { signal: AbortSignal.abort(new Error('stop')) }))(),
    ).rejects.toThrow('stop');
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('a lazy table is read a row group at a time', async () => {
  const reads: [number, number][] = [];
  const field = { name: 'n', dtype: 'int32', nullable: false } as const;
  const source = {
    name: 'lazy',
    rowCount: 1000,
    fields: [field],
    closed: false,
    read: (request: Parameters<Parameters<typeof tableOf>[0]['read']>[0]) => ({
      run: () => Promise.resolve(source.numbers(request)),
      runSync: () => source.numbers(request),
    }),
    numbers({ rows, outputs }: Parameters<Parameters<typeof tableOf>[0]['read']>[0]) {
      if (rows.kind !== 'range') throw new Error('ranges only');
      reads.push([rows.start, rows.count]);
      const { bytes } = outputs[0]!;
      new Int32Array(bytes.buffer, bytes.byteOffset, rows.count).set(
        Int32Array.from({ length: rows.count }, (_, i) => rows.start + i),
      );
      return [{ kind: 'fixed', rowCount: rows.count, bytes, validity: null }] as const;
    },
    viewColumn: () => {
      throw new Error('no view');
    },
    close: () => undefined,
  };
  await write(path, tableOf(source).slice(100), { rowGroupSize: 400 });
  expect(reads).toEqual([
    [100, 400],
    [500, 400],
    [900, 100],
  ]);
  expect(values()['n']!.at(-1)).toBe('999');
});
