// What a Parquet file must not change: the sign of zero, and NaT, which is null there. From tables and from items.
import { readFileSync } from 'node:fs';
import { typed, writeSync as writeColstore } from 'colstore';
import { writeSync as writeColumna } from 'columna';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { createSync, typed as typedKey } from 'syrah';
import { beforeEach, expect, test } from 'vitest';
import { toParquet } from '../../src/convert.ts';
import { temporaryFolder } from '../support/folder.ts';
import { linesOf } from '../support/run.ts';

const { path: at } = temporaryFolder();
const NAT = -(2n ** 63n);
let made = 0;
let to = '';
beforeEach(() => {
  to = at(`${String((made += 1))}.parquet`);
});

function fileOf(path: string): ArrayBuffer {
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
const rowsOf = (path: string) => parquetReadObjects({ file: fileOf(path), compressors });
const repetitions = (path: string) =>
  parquetMetadata(fileOf(path))
    .schema.slice(1)
    .map(({ name, repetition_type: repetition }) => `${name} ${String(repetition)}`);

test.each([
  ['0 first', [0, -0]],
  ['-0 first', [-0, 0]],
])('signs of zero stay, %s: few values, many rows', async (_, pair) => {
  const values = Array.from({ length: 4000 }, (_each, row) => (row % 3 === 0 ? 1.5 : (pair[row % 2] as number)));
  const nullable = values.map((value, row) => (row % 7 === 0 ? null : value));
  writeColumna(
    at('zeros.cna'),
    { d: Float64Array.from(values), f: Float32Array.from(values), n: nullable },
    {
      overwrite: true,
    },
  );
  await toParquet(at('zeros.cna'), to);
  const rows = await rowsOf(to);
  expect(rows.map(({ d }) => d as number)).toEqual(values);
  expect(rows.map(({ f }) => f as number)).toEqual(values);
  expect(rows.map(({ n }) => n as number | null)).toEqual(nullable);
  expect((await linesOf('convert', to, at('back.cna'), '-f')).code).toBe(0);
  expect(await linesOf('diff', at('zeros.cna'), at('back.cna'))).toMatchObject({ code: 0 });
});

test('without -0 there is a dictionary as before', async () => {
  const values = Float64Array.from({ length: 4000 }, (_, row) => row % 2);
  writeColumna(at('plain.cna'), { d: values }, { overwrite: true });
  await toParquet(at('plain.cna'), to);
  const [group] = parquetMetadata(fileOf(to)).row_groups;
  expect(group?.columns[0]?.meta_data?.encodings).toContain('RLE_DICTIONARY');
});

test('NaT is null, of moments, durations and dates; a column without one stays required', async () => {
  const times = (dtype: Parameters<typeof typed>[0]) => typed(dtype, [1n, NAT, 3n]);
  writeColstore(at('times.cstore'), {
    s: times('datetime64[s]'),
    us: times('datetime64[us]'),
    ns: times('datetime64[ns]'),
    day: times('datetime64[D]'),
    wait: times('timedelta64[s]'),
    weeks: times('timedelta64[W]'),
    whole: typed('datetime64[us]', [1n, 2n, 3n]),
  });
  expect((await linesOf('convert', at('times.cstore'), to)).code).toBe(0);
  const rows = await rowsOf(to);
  expect(rows[1]).toEqual({
    s: null,
    us: null,
    ns: null,
    day: null,
    wait: null,
    weeks: null,
    whole: new Date(0),
  });
  expect(rows[2]).toMatchObject({ s: new Date(3000), day: new Date(3 * 86_400_000), wait: 3n, weeks: 1_814_400n });
  expect(repetitions(to)).toEqual([
    ...['s', 'us', 'ns', 'day', 'wait', 'weeks'].map((name) => `${name} OPTIONAL`),
    'whole REQUIRED',
  ]);
});

test('NaT beside nulls is null too', async () => {
  writeColumna(at('both.cna'), { t: typed('datetime64[us]', [5n, null, NAT]) });
  await toParquet(at('both.cna'), to);
  expect((await rowsOf(to)).map(({ t }) => t as unknown)).toEqual([new Date(0), null, null]);
});

test('flags and signs of items', async () => {
  const writer = createSync(at('flags.syr'));
  const flags = (...values: boolean[]) => typedKey('bool', values);
  writer.addItemSync({ one: flags(true), many: flags(true, false), zeros: Float64Array.of(-0, 0, -0) });
  writer.addItemSync({ one: flags(false), many: flags(), zeros: Float64Array.of(0) });
  writer.closeSync();
  expect(await linesOf('convert', at('flags.syr'), to)).toMatchObject({ code: 0 });
  expect(await rowsOf(to)).toEqual([
    { one: true, many: [true, false], zeros: [-0, 0, -0] },
    { one: false, many: [], zeros: [0] },
  ]);
});
