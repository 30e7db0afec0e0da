// Exchange with other formats: every type, nulls, extremes; to Parquet and back, from files of other writers, to Arrow
// and CSV.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import type { Table as ArrowTable } from 'apache-arrow';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { ByteWriter, parquetWrite, parquetWriteBuffer } from 'hyparquet-writer';
import type { ParquetWriteOptions } from 'hyparquet-writer';
import { afterAll, describe, expect, it } from 'vitest';
import { open as openColstore, typed, write as writeColstore } from 'colstore';
import { isColkitError, openSync, readSync } from 'columna';
import { fromParquet, toCsv, toParquet } from '../../src/convert.ts';
import { orderTable, writeTable } from '../support/table.ts';
import type { TestColumn } from '../support/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-parquet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = (ending: string): string => join(folder, `${files++}.${ending}`);

const bits = Uint8Array.of(0b10111);
const EVERYTHING: readonly TestColumn[] = [
  { name: 'bool', type: 'bool', values: Uint8Array.of(1, 0, 0, 1, 1) },
  { name: 'int8', type: 'int8', values: Int8Array.of(-128, 127, 0, 1, -1) },
  { name: 'int16', type: 'int16', values: Int16Array.of(-32768, 32767, 0, 1, -1) },
  { name: 'int32', type: 'int32', values: Int32Array.of(-(2 ** 31), 2 ** 31 - 1, 0, 1, -1) },
  { name: 'int64', type: 'int64', values: BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n, 0n, 2n ** 53n + 1n, -1n) },
  { name: 'uint8', type: 'uint8', values: Uint8Array.of(255, 0, 1, 2, 3) },
  { name: 'uint16', type: 'uint16', values: Uint16Array.of(65535, 0, 1, 2, 3) },
  { name: 'uint32', type: 'uint32', values: Uint32Array.of(2 ** 32 - 1, 0, 1, 2, 3) },
  { name: 'uint64', type: 'uint64', values: BigUint64Array.of(2n ** 64n - 1n, 0n, 2n ** 63n, 2n, 3n) },
  { name: 'float32', type: 'float32', values: Float32Array.of(0.1, -0, NaN, Infinity, 3.4e38) },
  { name: 'float64', type: 'float64', values: Float64Array.of(0.1, -0, NaN, -Infinity, 5e-324) },
  { name: 'date', type: 'date', values: BigInt64Array.of(0n, -719_162n, 19_000n, 1n, -1n) },
  {
    name: 'datetime',
    type: 'datetime',
    values: BigInt64Array.of(1_704_067_200_000_001n, -1n, 0n, 253_402_300_799_999_999n, -62_135_596_800_000_000n),
  },
  { name: 'string', type: 'string', values: ['', 'żółć', '😀', 'a"b,c\nd', 'null'] },
  {
    name: 'binary',
    type: 'binary',
    values: [Uint8Array.of(), Uint8Array.of(0, 255), Uint8Array.of(0xc3), Uint8Array.of(1), Uint8Array.of(2)],
  },
];
const NULLABLE: readonly TestColumn[] = EVERYTHING.map((column) => ({
  ...column,
  ...(column.type === 'string' || column.type === 'binary'
    ? { values: (column.values as readonly (string | null)[]).map((value, row) => (row === 3 ? null : value)) }
    : { validity: bits }),
}));

/** All columns as plain arrays of values and nulls; null rows' items do not matter. */
function cells(path: string | Uint8Array): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(readSync(path)).map(([name, values]) => [name, Array.from(values as ArrayLike<unknown>)]),
  );
}

async function errorOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: unknown) => (isColkitError(error) ? error.code : String(error)),
  );
}

describe('to Parquet and back', () => {
  it.each([
    ['without nulls', EVERYTHING],
    ['with nulls', NULLABLE],
  ] as const)('keeps every type and value, %s', async (_, columns) => {
    const source = writeTable(columns).bytes;
    const [parquet, back] = [fresh('parquet'), fresh('cna')];
    expect(await toParquet(source, parquet)).toMatchObject({ rowCount: 5 });
    await fromParquet(parquet, back);
    expect(openSync(back).schema).toEqual(openSync(source).schema);
    expect(cells(back)).toEqual(cells(source));
  });

  it('goes through row groups of any size on either side', async () => {
    const source = writeTable(orderTable(5000), { rowGroupRows: 700 }).bytes;
    const [parquet, back] = [fresh('parquet'), fresh('cna')];
    const seen: number[] = [];
    await toParquet(source, parquet, { rowGroupSize: 1300, onProgress: ({ rows }) => seen.push(rows) });
    expect(seen).toEqual([1300, 2600, 3900, 5000]);
    expect((await parquetMetadataAsync(await asyncBufferFromFile(parquet))).row_groups.length).toBe(4);
    const report = await fromParquet(parquet, back, {
      rowGroupSize: 999,
      onProgress: ({ rows, totalRows }) => seen.push(rows, totalRows),
    });
    expect([report.rowCount, report.rowGroupCount]).toEqual([5000, 6]);
    expect(seen.slice(4)).toEqual([1300, 5000, 2600, 5000, 3900, 5000, 5000, 5000]);
    expect(cells(back)).toEqual(cells(source));
  });

  it('takes as long for a row group of many as of few', async () => {
    const cost = async (groups: number): Promise<number> => {
      const data = Int32Array.from({ length: groups }, (_, row) => row);
      const bytes = new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'n', data }], rowGroupSize: 1 }));
      const path = fresh('cna');
      const start = process.cpuUsage();
      expect((await fromParquet(bytes, path)).rowCount).toBe(groups);
      const { user, system } = process.cpuUsage(start);
      expect(cells(path)).toEqual({ n: Array.from(data) });
      return user + system;
    };
    await cost(2000);
    const few = await cost(2000);
    // A look at all of them for each takes eleven times as long as few.
    expect(await cost(16_000)).toBeLessThan(500_000 + 4 * few);
  });

  it('takes columns by name, lazy tables, and bytes', async () => {
    const table = openSync(writeTable(orderTable(1000)).bytes);
    const parquet = fresh('parquet');
    await toParquet(table.where('order_id < 100010').select('note', 'order_id'), parquet);
    expect(table.closed).toBe(false);
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(parquet) });
    expect(rows.map((row) => row['order_id'] as bigint)).toEqual(
      Array.from({ length: 10 }, (_, i) => 100000n + BigInt(i)),
    );
    const back = fresh('cna');
    await fromParquet(new Uint8Array(readFileSync(parquet)), back, { columns: ['order_id'] });
    expect(Object.keys(cells(back))).toEqual(['order_id']);
    expect(await errorOf(fromParquet(parquet, fresh('cna'), { columns: ['nope'] }))).toBe('ERR_UNKNOWN_COLUMN');
  });

  it('has empty tables', async () => {
    const [parquet, back] = [fresh('parquet'), fresh('cna')];
    await toParquet(writeTable([{ name: 'n', type: 'int64', values: new BigInt64Array(0) }]).bytes, parquet);
    expect((await fromParquet(parquet, back)).rowCount).toBe(0);
    expect(openSync(back).schema).toEqual([{ name: 'n', dtype: 'int64', nullable: false }]);
  });
});

describe('files of other writers', () => {
  function parquet(options: Omit<ParquetWriteOptions, 'writer'>): Uint8Array {
    const writer = new ByteWriter();
    void parquetWrite({ ...options, writer });
    return new Uint8Array(writer.getBuffer());
  }

  it('decimals become the nearest float64, times keep their unit, optional columns their nulls', async () => {
    const bytes = parquet({
      schema: [
        { name: 'root', num_children: 4 },
        { name: 'price', type: 'INT64', converted_type: 'DECIMAL', scale: 2, precision: 18 },
        { name: 'day', type: 'INT32', converted_type: 'DATE', repetition_type: 'REQUIRED' },
        { name: 'at', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'OPTIONAL' },
        { name: 'json', type: 'BYTE_ARRAY', converted_type: 'JSON', repetition_type: 'OPTIONAL' },
      ],
      columnData: [
        { name: 'price', data: [1999n, 123456789012345n, -1n] },
        { name: 'day', data: [new Date(0), new Date(86_400_000), new Date(-86_400_000)] },
        { name: 'at', data: [new Date(5), null, new Date(-5)] },
        { name: 'json', data: [{ a: 1 }, null, [2]] },
      ],
    });
    const path = fresh('cna');
    await fromParquet(bytes, path);
    expect(openSync(path).schema.map(({ dtype }) => dtype)).toEqual([
      'float64',
      'datetime64[D]',
      'datetime64[us]',
      'string',
    ]);
    expect(cells(path)).toEqual({
      price: [19.99, 1234567890123.45, -0.01],
      day: [0n, 1n, -1n],
      at: [5000n, null, -5000n],
      json: ['{"a":1}', null, '[2]'],
    });
  });

  it('small files as hyparquet-writer makes them; what is no Parquet is refused', async () => {
    const data = join(dirname(createRequire(import.meta.url).resolve('vega-datasets')), '..', 'data');
    const buffer = parquetWriteBuffer({
      columnData: [
        { name: 'x', data: [1.5, null, 2.5], type: 'DOUBLE' },
        { name: 's', data: ['a', 'b', null], type: 'STRING' },
      ],
    });
    const small = fresh('cna');
    await fromParquet(buffer, small);
    expect(cells(small)).toEqual({ x: [1.5, null, 2.5], s: ['a', 'b', null] });
    const flights = join(data, 'flights-200k.arrow');
    expect(await errorOf(fromParquet(flights, fresh('cna')))).toBe('ERR_METADATA');
  });

  it('refuses what a table does not have, by name, and leaves nothing', async () => {
    const nested = parquet({
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'list', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'INT32', repetition_type: 'OPTIONAL' },
      ],
      columnData: [{ name: 'list', data: [[1, 2], [3]] }],
    });
    const path = fresh('cna');
    const error = await fromParquet(nested, path).then(
      () => null,
      (reason: unknown) => reason as Error,
    );
    expect(error!.message).toMatch(/column "list": a \.cna file has no type for a nested or repeated column/);
    expect(() => openSync(path)).toThrow(/no such file/);
  });

  it('gives typed errors for damaged files', async () => {
    const whole = new Uint8Array(
      parquetWriteBuffer({
        columnData: [{ name: 'x', data: Array.from({ length: 300 }, (_, i) => i), type: 'INT32' }],
      }),
    );
    for (let length = 0; length < whole.length; length += 13)
      expect(
        await errorOf(fromParquet(whole.slice(0, length), join(folder, 'damaged.cna'), { overwrite: true })),
      ).toMatch(/^ERR_/);
  });
});

describe('to CSV', () => {
  it('writes what reads as the same values: quoted where it must be, nulls empty, times ISO', async () => {
    const path = fresh('csv');
    const columns = NULLABLE.filter(({ type }) => type !== 'binary');
    const { rowCount, byteLength } = await toCsv(writeTable(columns).bytes, path);
    const text = readFileSync(path, 'utf8');
    expect([rowCount, byteLength]).toEqual([5, Buffer.byteLength(text)]);
    const lines = text.split('\n');
    expect(lines[0]).toBe(
      'bool,int8,int16,int32,int64,uint8,uint16,uint32,uint64,float32,float64,date,datetime,string',
    );
    expect(lines[1]).toBe(
      'true,-128,-32768,-2147483648,-9223372036854775808,255,65535,4294967295,18446744073709551615,' +
        '0.1,0.1,1970-01-01,2024-01-01T00:00:00.000001,""',
    );
    expect(lines[2]).toBe(
      'false,127,32767,2147483647,9223372036854775807,0,0,0,0,-0,-0,0001-01-01,1969-12-31T23:59:59.999999,żółć',
    );
    expect(lines[4]).toBe(',,,,,,,,,,,,,');
    expect(lines.at(-1)).toBe('');
  });

  it('has another separator, no header, another null', async () => {
    const path = fresh('tsv');
    const bytes = writeTable([
      { name: 'a\tb', type: 'string', values: ['x', null, 'NA', 'tab\there', '"', ' '] },
    ]).bytes;
    await toCsv(bytes, path, { separator: '\t', nullWord: 'NA' });
    expect(readFileSync(path, 'utf8')).toBe('"a\tb"\nx\nNA\n"NA"\n"tab\there"\n""""\n \n');
    const seen: number[] = [];
    await toCsv(bytes, path, {
      header: false,
      nullWord: '-',
      overwrite: true,
      onProgress: (progress) => seen.push(progress.bytes),
    });
    expect(readFileSync(path, 'utf8')).toBe('x\n-\nNA\ntab\there\n""""\n \n');
    expect(seen).toEqual([23]);
  });

  it('refuses bytes, strange separators and existing files', async () => {
    const bytes = writeTable(EVERYTHING).bytes;
    const path = fresh('csv');
    expect(await errorOf(toCsv(bytes, path))).toBe('ERR_DTYPE');
    expect(await errorOf(toCsv(bytes, path, { separator: '"', columns: ['bool'] }))).toBe('ERR_ARGUMENT');
    writeFileSync(path, 'mine');
    expect(await errorOf(toCsv(bytes, path, { columns: ['bool'] }))).toBe('ERR_EXISTS');
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });
});

it('to Arrow: the columns with their types and nulls', async () => {
  const arrow = await openSync(writeTable(NULLABLE).bytes).select('int64', 'string', 'float64').toArrow<ArrowTable>();
  expect(arrow.schema.fields.map(({ name, nullable }) => [name, nullable])).toEqual([
    ['int64', true],
    ['string', true],
    ['float64', true],
  ]);
  expect([...arrow.getChild('string')!] as unknown[]).toEqual(['', 'żółć', '😀', null, 'null']);
  expect(arrow.getChild('int64')!.get(1)).toBe(2n ** 63n - 1n);
});

it('a .cstore file to Parquet: texts of a width, moments of each unit, halves', async () => {
  const ticks = BigInt64Array.of(0n, -1n, 1_704_067_200n);
  const path = fresh('cstore');
  await writeColstore(path, {
    s: typed('S4', ['', 'kg', 'lbs!']),
    u: typed('U3', ['żół', '😀', '']),
    f2: typed('float16', Float32Array.of(0.5, -2, 65504)),
    ...Object.fromEntries(
      ['s', 'ms', 'us', 'ns'].map((unit) => [`in_${unit}`, typed(`datetime64[${unit}]` as 'datetime64[s]', ticks)]),
    ),
  });
  const table = await openColstore(path);
  const parquet = fresh('parquet');
  expect((await toParquet(table as never, parquet)).rowCount).toBe(3);
  const rows: Record<string, unknown>[] = await parquetReadObjects({ file: await asyncBufferFromFile(parquet) });
  expect(rows.map(({ s, u, f2 }) => [s, u, f2])).toEqual([
    ['', 'żół', 0.5],
    ['kg', '😀', -2],
    ['lbs!', '', 65504],
  ]);
  expect(rows.map(({ in_s, in_ms, in_us }) => [in_s, in_ms, in_us])).toEqual(
    [...ticks].map((tick) => [new Date(Number(tick) * 1000), new Date(Number(tick)), new Date(Number(tick) / 1000)]),
  );
  await writeColstore(path, { t: typed('datetime64[s]', BigInt64Array.of(2n ** 62n)) }, { overwrite: true });
  expect(await errorOf(toParquet((await openColstore(path)) as never, fresh('parquet')))).toBe('ERR_VALUE');
});

describe('durations to Parquet', () => {
  const NAT = -(2n ** 63n);

  it('are integers, of which the Arrow schema beside them says what they are', async () => {
    const [path, parquet] = [fresh('cstore'), fresh('parquet')];
    const units = ['s', 'ms', 'us', 'ns', '25ms', 'm', 'h', 'D', 'W'];
    const ticks = BigInt64Array.of(0n, -7n, NAT, 2n ** 40n);
    await writeColstore(path, {
      'żółć "x"': typed('U3', ['a', '', 'ż', 'abc']),
      ...Object.fromEntries(units.map((unit) => [unit, typed(`timedelta64[${unit}]` as 'timedelta64[s]', ticks)])),
      ...Object.fromEntries(
        (['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'float16', 'float32', 'float64'] as const).map(
          (dtype) => [dtype, typed(dtype, [0, 1, 1, 0])],
        ),
      ),
      bool: [true, false, true, false],
      int64: typed('int64', [0n, 1n, 2n, 3n]),
      uint64: typed('uint64', [0n, 1n, 2n, 3n]),
      day: typed('datetime64[D]', [0n, 1n, 2n, 3n]),
      at: typed('datetime64[s]', [0n, 1n, 2n, 3n]),
    });
    await toParquet((await openColstore(path)) as never, parquet);
    const file = await asyncBufferFromFile(parquet);
    const rows: Record<string, unknown>[] = await parquetReadObjects({ file });
    const factors = [1n, 1n, 1n, 1n, 25n, 60n, 3600n, 86_400n, 604_800n];
    for (const [k, unit] of units.entries())
      expect(
        rows.map((row) => row[unit]),
        unit,
      ).toEqual([...ticks].map((tick) => (tick === NAT ? null : tick * (factors[k] as bigint))));
    const { key_value_metadata: metadata } = await parquetMetadataAsync(file);
    expect(metadata?.map(({ key }) => key)).toEqual(['ARROW:schema']);
    const message = Buffer.from(metadata?.[0]?.value ?? '', 'base64');
    const { schema } = tableFromIPC(Buffer.concat([message, Buffer.from('ffffffff00000000', 'hex')]));
    expect(schema.fields.map(({ name, type, nullable }) => `${name}: ${String(type)}${nullable ? '?' : ''}`)).toEqual([
      'żółć "x": Utf8',
      's: Duration<SECOND>?',
      'ms: Duration<MILLISECOND>?',
      'us: Duration<MICROSECOND>?',
      'ns: Duration<NANOSECOND>?',
      '25ms: Duration<MILLISECOND>?',
      ...['m', 'h', 'D', 'W'].map((unit) => `${unit}: Duration<SECOND>?`),
      ...['Int8', 'Uint8', 'Int16', 'Uint16', 'Int32', 'Uint32'].map((type) => `${type.toLowerCase()}: ${type}`),
      'float16: Float32',
      'float32: Float32',
      'float64: Float64',
      'bool: Bool',
      'int64: Int64',
      'uint64: Uint64',
      'day: Date32<DAY>',
      'at: Timestamp<MILLISECOND>',
    ]);
  });

  it('without durations a file says nothing of Arrow', async () => {
    const parquet = fresh('parquet');
    await toParquet(writeTable(EVERYTHING).bytes, parquet);
    const { key_value_metadata: metadata } = await parquetMetadataAsync(await asyncBufferFromFile(parquet));
    expect(metadata).toBeUndefined();
  });

  it.each([
    ['timedelta64[W]', 2n ** 62n, 'ERR_VALUE'],
    ['timedelta64[3s]', 2n ** 62n, 'ERR_VALUE'],
    ['timedelta64[ps]', 1n, 'ERR_DTYPE'],
    ['timedelta64[M]', 1n, 'ERR_DTYPE'],
    ['timedelta64', 1n, 'ERR_DTYPE'],
  ] as const)('%s of %s ticks is refused: %s', async (dtype, tick, code) => {
    const path = fresh('cstore');
    await writeColstore(path, { t: typed(dtype, BigInt64Array.of(tick)) });
    expect(await errorOf(toParquet((await openColstore(path)) as never, fresh('parquet')))).toBe(code);
  });
});
