// Parquet files as pyarrow makes them (golden/make.py): moments far from 1970, types that a .cna file does not have,
// columns that are left out, pages without values.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { isColkitError, openSync, readSync, toISO } from 'columna';
import { fromParquet } from '../../src/convert.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-parquet-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const golden = (name: string): string => fileURLToPath(new URL(`golden/${name}.parquet`, import.meta.url));
let files = 0;
const fresh = (): string => join(folder, `${files++}.cna`);

function cells(path: string): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(readSync(path)).map(([name, values]) => [name, Array.from(values as ArrayLike<unknown>)]),
  );
}

it('INT96 holds moments before 1677 and behind 2262, to the microsecond', async () => {
  const path = fresh();
  const { notes } = await fromParquet(golden('int96'), path);
  const at = cells(path)['at'] as (bigint | null)[];
  expect(at.map((ticks) => (ticks === null ? null : toISO(ticks, 'datetime64[us]')))).toEqual([
    '0001-01-02T03:04:05.000000',
    '1677-01-02T03:04:05.000007',
    null,
    '1969-01-02T03:04:05.999999',
    '2263-01-02T03:04:05.000001',
    '9999-01-02T03:04:05.123456',
  ]);
  expect(notes).toEqual([{ column: 'at', note: expect.stringMatching(/^INT96 became datetime64\[us\]/) as string }]);
});

describe('columns are chosen first', () => {
  const flat = ['utc', 'local', 'time_ms', 'time_us', 'time_ns', 'half', 'fixed', 'none', 'price'];

  it('what is left out is not looked at; the report tells what became of the others', async () => {
    const path = fresh();
    const { notes } = await fromParquet(golden('types'), path, { columns: flat });
    expect(openSync(path).schema.map(({ name, dtype, nullable }) => `${name} ${dtype}${nullable ? '?' : ''}`)).toEqual([
      'utc datetime64[us]?',
      'local datetime64[us]?',
      'time_ms int64?',
      'time_us int64?',
      'time_ns int64?',
      'half float32?',
      'fixed binary?',
      'none int32?',
      'price float64?',
    ]);
    const micros = 1_704_164_645_000_000n;
    expect(cells(path)).toEqual({
      utc: [micros, null],
      local: [micros, null],
      time_ms: [86_399_999_000n, null],
      time_us: [86_399_999_999n, null],
      time_ns: [86_399_999_999n, null],
      half: [-0.5, 65504],
      fixed: [Buffer.from('abc'), null].map((each) => (each === null ? null : Uint8Array.from(each))),
      none: [null, null],
      price: [590.31, null],
    });
    expect(notes.map(({ column, note }) => `${column}: ${note.split(' became')[0] ?? ''}`)).toEqual([
      'utc: TIMESTAMP in UTC',
      'time_ms: TIME',
      'time_us: TIME',
      'time_ns: TIME',
      'half: FLOAT16',
      'fixed: FIXED_LEN_BYTE_ARRAY(3)',
      'none: a column of nulls alone (UNKNOWN)',
      'price: DECIMAL(38, 18)',
    ]);
  });

  it('what is chosen and has no type is refused, naming it, its like, and what can be chosen', async () => {
    const path = fresh();
    await expect(fromParquet(golden('types'), path)).rejects.toMatchObject({
      code: 'ERR_DTYPE',
      message: expect.stringMatching(
        new RegExp(
          String.raw`column "list": a \.cna file has no type for a nested or repeated column \(nor for "struct"\); ` +
            String.raw`\{ nested: 'text' \} keeps lists, structs and maps as text, or ` +
            String.raw`choose other columns with \{ columns \}: utc,local,.*,price$`,
        ),
      ) as string,
    });
    await expect(fromParquet(golden('types'), path, { columns: ['struct'] })).rejects.toThrow(
      /column "struct".*; \{ nested: 'text' \} keeps .*, or choose other columns with \{ columns \}$/,
    );
    await expect(fromParquet(golden('types'), path, { columns: ['lst'] })).rejects.toMatchObject({
      code: 'ERR_UNKNOWN_COLUMN',
    });
    expect(() => openSync(path)).toThrow(/no such file/);
  });

  it('a value that microseconds do not hold is refused with column, row and remedy, where it is chosen', async () => {
    const path = fresh();
    await expect(fromParquet(golden('nanoseconds'), path)).rejects.toThrow(
      'column "ns": expected whole microseconds but found 1500 nanoseconds at row 0 (choose other columns',
    );
    await fromParquet(golden('nanoseconds'), path, { columns: ['n'] });
    expect(cells(path)).toEqual({ n: [7] });
  });
});

it.each(['snappy', 'lz4_raw', 'zstd'])(
  'a data page v2 without a byte of values, "compressed" by %s, is whole',
  async (codec) => {
    const path = fresh();
    await fromParquet(golden(`empty-page-v2-${codec}`), path);
    expect(cells(path)).toEqual({ x: [null] });
  },
);

it('the dictionary of a column of nulls, compressed by LZ4, is whole', async () => {
  const path = fresh();
  await fromParquet(golden('empty-dictionary-lz4'), path);
  expect(cells(path)).toEqual({ x: [null, null] });
});

it('a damaged footer gives a typed error, and leaves no rejection behind that would end the process', async () => {
  const lost: unknown[] = [];
  const onLost = (reason: unknown): number => lost.push(reason);
  process.on('unhandledRejection', onLost);
  try {
    const whole = new Uint8Array(readFileSync(golden('types')));
    const columns = ['utc', 'local', 'time_ms', 'half', 'fixed', 'price'];
    const mutants = [
      [1238, 255],
      [1995, 255],
      [2309, 1],
      ...Array.from({ length: Math.floor((whole.length - 1150) / 5) }, (_, k) => [
        1150 + 5 * k,
        k % 2 === 0 ? 255 : 128,
      ]),
    ] as [number, number][];
    const path = fresh();
    // A footer is read in TypeScript: fewer with the addon.
    const step = process.env['COLKIT_BACKEND'] === 'native' ? 4 : 1;
    for (const [offset, bits] of mutants.filter((_, k) => k < 3 || k % step === 0)) {
      const bytes = whole.slice();
      bytes[offset] = (bytes[offset] as number) ^ bits;
      const error = await fromParquet(bytes, path, { columns, overwrite: true, durability: 'none' }).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error !== null)
        expect(isColkitError(error), `${String(offset)} ^ ${String(bits)}: ${String(error)}`).toBe(true);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  } finally {
    process.off('unhandledRejection', onLost);
  }
  expect(lost).toEqual([]);
});

describe('unsupported is not damaged', () => {
  it('a codec that no peer has is named, with the column and the remedy', async () => {
    const bytes = new Uint8Array(readFileSync(golden('empty-page-v2-snappy')));
    // The codec of the column's metadata, behind path_in_schema: SNAPPY, 1, becomes LZO, 3, as zigzag numbers.
    const offset = Buffer.from(bytes).lastIndexOf(Buffer.from('\x18\x01x\x15', 'latin1')) + 4;
    expect(bytes[offset]).toBe(2);
    bytes[offset] = 6;
    await expect(fromParquet(bytes, fresh())).rejects.toMatchObject({
      name: 'UnsupportedError',
      code: 'ERR_ENCODING',
      feature: 'LZO',
      message: expect.stringMatching(
        /column "x" is compressed with LZO.*write it with ZSTD or SNAPPY, or choose other columns with \{ columns \}/,
      ) as string,
    });
    // As it is told: the same column by pyarrow, with either of them.
    for (const codec of ['zstd', 'snappy']) {
      const path = fresh();
      await fromParquet(golden(`as-told-${codec}`), path);
      expect(cells(path)).toEqual({ x: [0.5, null] });
    }
  });

  it('an encrypted file is, and so is an encrypted column, beside which others are read', async () => {
    await expect(fromParquet(golden('encrypted'), fresh())).rejects.toMatchObject({
      name: 'UnsupportedError',
      code: 'ERR_FEATURE',
      feature: 'Parquet encryption',
      message: expect.stringMatching(
        /the file is encrypted, which is not read; write it without encryption$/,
      ) as string,
    });
    for (const options of [{}, { columns: ['secret', 'n'] }])
      await expect(fromParquet(golden('encrypted-column'), fresh(), options)).rejects.toMatchObject({
        name: 'UnsupportedError',
        code: 'ERR_FEATURE',
        message: expect.stringMatching(
          /column "secret" is encrypted.*choose other columns with \{ columns \}$/,
        ) as string,
      });
    const path = fresh();
    await fromParquet(golden('encrypted-column'), path, { columns: ['n'] });
    expect(cells(path)).toEqual({ n: [1, 2] });
  });

  it('text that is no UTF-8 is damaged: no replacement characters', async () => {
    const { parquetWriteBuffer } = await import('hyparquet-writer');
    const bytes = new Uint8Array(
      parquetWriteBuffer({
        columnData: [{ name: 's', data: ['ok', 'żółć'], type: 'STRING' }],
        codec: 'UNCOMPRESSED',
        statistics: false,
      }),
    );
    const offset = Buffer.from(bytes).indexOf('żółć');
    bytes[offset + 1] = 0x20;
    const path = fresh();
    writeFileSync(path, 'mine');
    await expect(fromParquet(bytes, path, { overwrite: true })).rejects.toMatchObject({
      name: 'CorruptFileError',
      column: 's',
      expected: 'UTF-8',
      message: expect.stringMatching(/row 1/) as string,
    });
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });
});
