// writeCsv makes the file that `write` makes of the columns that `readCsv` reads: byte for byte, on this thread or on
// others, in one pass or two, with the addon and without, whatever the columns turn out to be.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { pickOptions, setDefaultBackend } from '@colkit/io';
import { CSV_OPTIONS, openCsv, readCsv } from '@colkit/table/csv';
import type { CsvOptions } from '@colkit/table/csv';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ThreadLanes, csvLanes } from '../../src/write/csv/csv-lanes.ts';
import { EncodingLane } from '../../src/write/csv/encoding-lane.ts';
import type { CsvLanes } from '../../src/write/csv/encoding-lane.ts';
import { importCsv } from '../../src/write/write-csv.ts';
import type { WriteCsvOptions, WriteCsvReport } from '../../src/write/write-csv.ts';
import type { WriteProgress } from '../../src/write/file/new-file.ts';
import { WRITE_OPTIONS, write } from '../../src/write/write.ts';
import type { WriteOptions } from '../../src/write/write.ts';
import { readSync } from '../../src/read/read.ts';
import { backendsToAsk } from '../support/backends.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-csv-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = { url: pathToFileURL(join(folder, 'csv-worker.mjs')) };
beforeAll(async () => {
  await bundleForNode(new URL('../../src/write/csv/csv-worker.ts', import.meta.url), folder);
}, 300_000);

const BACKENDS = backendsToAsk();
afterEach(() => setDefaultBackend('js'));
const path = join(folder, 'table.cna');
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The file by way of whole columns, without the addon. */
async function inColumns(text: string, options: WriteCsvOptions): Promise<Buffer> {
  setDefaultBackend('js');
  const input = await readCsv(bytesOf(text), pickOptions<CsvOptions>(CSV_OPTIONS, options));
  await write(path, input, { ...pickOptions<WriteOptions>(WRITE_OPTIONS, options), overwrite: true });
  return readFileSync(path);
}

type LanesOf = (plan: ConstructorParameters<typeof EncodingLane>[0]) => CsvLanes;

/** The same file, and the same report, by each backend. */
async function inBlocks(
  text: string,
  options: WriteCsvOptions,
  windowBytes: number,
  lanesOf: LanesOf,
): Promise<{ readonly bytes: Buffer; readonly report: WriteCsvReport }> {
  const { bytes, report } = await inBlocksBy('js', text, options, windowBytes, lanesOf);
  for (const backend of BACKENDS.slice(1)) {
    const other = await inBlocksBy(backend, text, options, windowBytes, lanesOf);
    expect(other.bytes.equals(bytes), backend).toBe(true);
    expect(other.report, backend).toEqual(report);
  }
  return { bytes, report };
}

async function inBlocksBy(
  backend: 'js' | 'native',
  text: string,
  options: WriteCsvOptions,
  windowBytes: number,
  lanesOf: LanesOf,
): Promise<{ readonly bytes: Buffer; readonly report: WriteCsvReport }> {
  setDefaultBackend(backend);
  const file = await openCsv(bytesOf(text), pickOptions<CsvOptions>(CSV_OPTIONS, options), windowBytes);
  const report = await importCsv(file, path, { ...options, overwrite: true, durability: 'none' }, lanesOf(file.plan));
  await file.close();
  return { bytes: readFileSync(path), report };
}

const own = (plan: ConstructorParameters<typeof EncodingLane>[0]): CsvLanes => new EncodingLane(plan);
const threads = (plan: ConstructorParameters<typeof EncodingLane>[0]): CsvLanes => new ThreadLanes(script, 2, plan);

const row = (number: number): string =>
  [
    number,
    1000 + number * 3,
    number % 7 === 0 ? '' : (number / 8).toFixed(3),
    ['red', 'green', '', 'a "b"'][number % 4]?.replace(/^(.*"b".*)$/u, '"a ""b"""'),
    `text ${String(number)}\n more`,
    number % 2 === 0,
    `2024-0${String(1 + (number % 9))}-11T0${String(number % 10)}:00:00.5`,
    '2024-02-29',
  ]
    .map((cell) => (String(cell).includes('\n') ? `"${String(cell)}"` : String(cell)))
    .join(',');
const table = (rows: number): string =>
  `id,n,f,color,text,flag,ts,day\n${Array.from({ length: rows }, (_, number) => row(number)).join('\n')}\n`;

describe('the file is the same', () => {
  const text = table(1500);

  it.each<[string, WriteCsvOptions]>([
    ['by default', {}],
    ['in row groups that share blocks', { rowGroupSize: 700 }],
    ['in row groups smaller than blocks', { rowGroupSize: 24 }],
    ['in pages', { pageRows: 64, rowGroupSize: 1024 }],
    ['smallest', { mode: 'smallest' }],
    ['plain', { mode: 'plain' }],
    ['not joint', { joint: false }],
    [
      'with types given',
      {
        types: { id: 'int32', n: 'float32', color: 'U8', ts: 'datetime64[ms]', day: 'datetime64[us]', text: 'string' },
      },
    ],
    ['some columns, in another order', { columns: ['text', 'ts', 'id'], types: { ts: 'datetime64[ms]' } }],
    ['with an encoding forced', { encodings: { id: 'DELTA' } }],
    ['with metadata', { metadata: { of: 'orders' } }],
  ])('%s', async (_, options) => {
    const expected = await inColumns(text, options);
    for (const [memoryBytes, windowBytes] of [
      [0, 1000],
      [3000, 7000],
      [2 ** 28, 1000],
      [2 ** 28, 2 ** 20],
    ] as const)
      expect((await inBlocks(text, { ...options, memoryBytes }, windowBytes, own)).bytes.equals(expected)).toBe(true);
  });

  it.each<[string, WriteCsvOptions]>([
    ['in one pass', {}],
    ['in two passes', { memoryBytes: 0 }],
    ['of some columns', { columns: ['color', 'f', 'day'] }],
    ['in one and a half', { memoryBytes: 3000, types: { ts: 'datetime64[ms]', color: 'U8' } }],
  ])('on threads, %s', async (_, options) => {
    const shared = { ...options, rowGroupSize: 300 };
    expect((await inBlocks(text, shared, 5000, threads)).bytes.equals(await inColumns(text, shared))).toBe(true);
  });

  it.each<[string, typeof own]>([
    ['on this thread', own],
    ['on threads', threads],
  ])(
    'of what people write for given types, and of numbers such as ".5" and "5.", %s; notes count all blocks',
    async (_, lanes) => {
      const said = (number: number): string =>
        [
          `+${String(number)}`,
          `${String(number)}.0`,
          ['yes', 'NO', 't', '0', 'False'][number % 5],
          number % 3 === 0 ? '2024-01-01T02:00:00+02:00' : '2024-01-01 00:00:00 UTC',
          ['.5', '5.', '-.75', '0.25'][number % 4],
          number,
        ].join(',');
      const odd = `i,w,b,t,f,t\n${Array.from({ length: 900 }, (_, number) => said(number)).join('\n')}\n`;
      const options: WriteCsvOptions = {
        types: { i: 'int32', w: 'int64', b: 'bool', t: 'datetime64[us]' },
        rowGroupSize: 250,
      };
      const expected = await inColumns(odd, options);
      const { bytes, report } = await inBlocks(odd, options, 3000, lanes);
      expect(bytes.equals(expected)).toBe(true);
      expect(report.notes).toEqual([
        { column: 't_1', note: 'the header calls it "t", as one before it' },
        { column: 't', note: '300 times with an offset became UTC' },
      ]);
      const columns = readSync(bytes);
      expect([
        columns['i']?.[7],
        columns['w']?.[7],
        Array.from(columns['b'] as ArrayLike<unknown>).slice(0, 5),
        Array.from(columns['f'] as ArrayLike<number>).slice(0, 4),
        new Set(columns['t'] as BigInt64Array),
      ]).toEqual([7, 7n, [1, 0, 1, 0, 0], [0.5, 5, -0.75, 0.25], new Set([1_704_067_200_000_000n])]);
    },
  );

  it('for any columns, also where types become wider, or are not what a sample says', async () => {
    const cells = fc.constantFrom(
      ['1', '22', ''],
      ['1.5', '2'],
      ['', ''],
      ['x', 'y', ''],
      ['true', 'false'],
      ['2024-01-01', '2024-01-02'],
      ['2024-01-01T00:00:00.25', ''],
      ['"q""q"', '"a\nb"', 'é'],
      ['NA', '3'],
      ['9223372036854775807', '-1'],
      ['9007199254740993', '9007199254740991', ''],
      ['9007199254740993', '0.5'],
      ['-9223372036854775808', '9223372036854775807'],
      ['18446744073709551615', '1'],
      ['4294967296', '-2147483649'],
      ['5e-324', '1.7976931348623157e308', '-0'],
    );
    const column = fc
      .array(fc.tuple(cells, fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 3 })
      .map((parts) =>
        parts.flatMap(([values, count]) =>
          Array.from({ length: count }, (_, number) => values[(number * number) % values.length]!),
        ),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(column, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 20, max: 500 }),
        fc.constantFrom(0, 300, 2 ** 28),
        fc.boolean(),
        async (columns, rowGroupSize, windowBytes, memoryBytes, areAll) => {
          const rows = Math.max(...columns.map(({ length }) => length));
          const csv =
            `${columns.map((_, number) => `c${String(number)}`).join(',')}\n` +
            Array.from({ length: rows }, (_, row) => `${columns.map((values) => values[row] ?? '').join(',')}\n`).join(
              '',
            );
          const names = columns.map((_, number) => `c${String(number)}`).reverse();
          const chosen = areAll ? {} : { columns: names.filter((_, number) => number === 0 || number % 2 === 1) };
          const options = { rowGroupSize, memoryBytes, nullWords: ['', 'NA'], ...chosen };
          const expected = await inColumns(csv, options);
          expect((await inBlocks(csv, options, windowBytes, own)).bytes.equals(expected)).toBe(true);
        },
      ),
      { numRuns: 80 },
    );
  });

  it('with texts that are nearly all distinct, and with more of them than a dictionary holds', async () => {
    const lineOf = (_: unknown, number: number) =>
      `${String(number)}x,${String(number >> 1)}y,${String(number % 65_537)}z\n`;
    const texts = `a,b,c\n${Array.from({ length: 140_000 }, lineOf).join('')}`;
    const expected = await inColumns(texts, { mode: 'plain' });
    expect((await inBlocks(texts, { mode: 'plain' }, 2 ** 18, own)).bytes.equals(expected)).toBe(true);
  });

  it('of no rows, and of one', async () => {
    for (const csv of ['a,b\n', 'a,b\n1,x', 'a\n\n'])
      expect((await inBlocks(csv, {}, 2 ** 20, own)).bytes.equals(await inColumns(csv, {}))).toBe(true);
  });
});

describe('an import', () => {
  it('tells rejected rows with their lines, rows as they are written, and encodings, on any threads', async () => {
    const text = table(2000).replaceAll('\n500,', '\nnone,').replace('\n900,', '\n1,2,3\n900,');
    for (const [backend, lanes] of BACKENDS.flatMap((each) => [[each, own] as const, [each, threads] as const])) {
      const progress: WriteProgress[] = [];
      const { report } = await inBlocksBy(
        backend,
        text,
        { onError: 'skip', types: { id: 'int32' }, rowGroupSize: 512, onProgress: (each) => progress.push(each) },
        4000,
        lanes,
      );
      expect(report.rejected).toEqual([
        { line: 2 + 2 * 500, reason: 'expected int32 in column "id" but found "none"' },
        { line: 2 + 2 * 900, reason: 'expected 8 cells but found 3' },
      ]);
      expect(report).toMatchObject({ rowCount: 1999, rowGroupCount: 4, rejectedCount: 2 });
      expect(progress.map(({ writtenRows, totalRows }) => [writtenRows, totalRows])).toEqual([
        [512, 1999],
        [1024, 1999],
        [1536, 1999],
        [1999, 1999],
      ]);
      expect(report.columns.map(({ name }) => name)).toEqual(['id', 'n', 'f', 'color', 'text', 'flag', 'ts', 'day']);
    }
  });

  it('stops at the first row that cannot be taken, at a value that the file cannot hold, and at a signal', async () => {
    const text = `a\n${'2024-01-01T00:00:00\n'.repeat(500)}2024-01-01T00:00:00.000000001\n`;
    for (const [backend, lanes] of BACKENDS.flatMap((each) => [[each, own] as const, [each, threads] as const])) {
      const tried = (csv: string, options: WriteCsvOptions) => inBlocksBy(backend, csv, options, 3000, lanes);
      await expect(tried(table(900).replace('\n700,', '\n1,2\n700,'), {})).rejects.toMatchObject({
        code: 'ERR_VALUE',
        message: expect.stringContaining('line 1402') as string,
      });
      await expect(tried(text.replace('00.000000001', '00'), { encodings: { a: 'BITS' } })).rejects.toMatchObject({
        code: 'ERR_VALUE',
        argument: 'encoding',
      });
      await expect(tried(table(900), { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    }
  });

  it('fails with a thread that ends', async () => {
    const ending = join(folder, 'ending-csv.mjs');
    writeFileSync(
      ending,
      "import { workerData } from 'node:worker_threads'; workerData.port.on('message', () => process.exit(4));",
    );
    await expect(
      inBlocks(table(2000), {}, 1000, (plan) => new ThreadLanes({ url: pathToFileURL(ending) }, 1, plan)),
    ).rejects.toThrow(/exit code 4/);
  });

  it('needs no threads where the file is small, or was not built', async () => {
    const file = await openCsv(bytesOf('a\n1\n'));
    expect(csvLanes(file.plan, 100)).toBeInstanceOf(EncodingLane);
    expect(csvLanes(file.plan, 1e9)).toBeInstanceOf(EncodingLane);
  });
});
