// Rows that a web server can send, and dates as JavaScript has them.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { NAT } from '../../src/index.ts';
import { tableFrom } from '../support/tables.ts';

const table = tableFrom({
  wide: ['int64', [2n ** 53n - 1n, 2n ** 53n, -(2n ** 63n)]],
  unsigned: ['uint64', [0n, 2n ** 53n + 1n, 2n ** 64n - 1n]],
  price: ['float64', [1.5, NaN, -Infinity]],
  half: ['float32', [Math.fround(0.1), 2, NaN]],
  us: ['datetime64[us]', [1_700_000_000_123_456n, 0n, NAT]],
  day: ['datetime64[D]', [19_000n, -1n, NAT]],
  hour: ['datetime64[h]', [0n, 5n, -1n]],
  gap: ['timedelta64[s]', [5n, 2n ** 60n, NAT]],
  raw: ['binary', [Uint8Array.of(0, 255, 16), new Uint8Array(0), Uint8Array.of(1)]],
  ok: ['bool', [true, false, true]],
  name: ['string?', ['ü', null, '']],
  at: ['datetime64[ms]?', [0n, null, NAT]],
  ['__proto__']: ['int32', [1, 2, 3]],
});

const EXPECTED = [
  [
    9007199254740991,
    0,
    1.5,
    Math.fround(0.1),
    '2023-11-14T22:13:20.123456Z',
    '2022-01-08',
    '1970-01-01T00:00Z',
    5,
    'AP8Q',
    true,
    'ü',
    '1970-01-01T00:00:00.000Z',
    1,
  ],
  [
    '9007199254740992',
    '9007199254740993',
    'NaN',
    2,
    '1970-01-01T00:00:00.000000Z',
    '1969-12-31',
    '1970-01-01T05:00Z',
    '1152921504606846976',
    '',
    false,
    null,
    null,
    2,
  ],
  [
    '-9223372036854775808',
    '18446744073709551615',
    '-Infinity',
    'NaN',
    'NaT',
    'NaT',
    '1969-12-31T23:00Z',
    'NaT',
    'AQ==',
    true,
    '',
    'NaT',
    3,
  ],
];

describe('{ json: true }', () => {
  it('rows survive JSON as they are', async () => {
    const rows = await table.toRows({ json: true });
    expect(rows.map((row) => Object.values(row))).toEqual(EXPECTED);
    const parsed = JSON.parse(JSON.stringify(rows)) as Record<string, unknown>[];
    expect(parsed.map((row) => Object.entries(row))).toEqual(rows.map((row) => Object.entries(row)));
    expect(table.toRowsSync({ json: true })).toEqual(rows);
    expect(Array.from(table.rowsSync({ json: true }))).toEqual(rows);
    // What else was asked for does not change what JSON can hold.
    expect(table.toRowsSync({ json: true, int64: 'number', dates: 'date' })).toEqual(rows);
  });

  it('batches of columns too', async () => {
    const columns = EXPECTED[0]!.map((_, position) => EXPECTED.map((row) => row[position]));
    for await (const batch of table.batches({ json: true })) expect(Object.values(batch)).toEqual(columns);
    const [first] = table.batchesSync({ json: true, rows: 1 });
    expect(Object.values(first!).map((values) => (values as unknown as unknown[])[0])).toEqual(EXPECTED[0]);
  });

  it('NaN and NaT are null on request; infinities stay what they are', () => {
    const rows = table.select('price', 'us', 'gap', 'half').toRowsSync({ json: true, nan: 'null' });
    expect(rows.map((row) => Object.values(row))).toEqual([
      [1.5, '2023-11-14T22:13:20.123456Z', 5, Math.fround(0.1)],
      [null, '1970-01-01T00:00:00.000000Z', '1152921504606846976', 2],
      ['-Infinity', null, null, null],
    ]);
  });

  it('moments are read by Date as the same moments', () => {
    for (const name of ['us', 'day', 'hour'] as const) {
      const [row] = table.select(name).toRowsSync({ json: true });
      const [date] = table.select(name).toRowsSync({ dates: 'date-lossy' });
      expect(new Date(Object.values(row!)[0] as string)).toEqual(Object.values(date!)[0]);
    }
  });
});

describe('{ dates }', () => {
  const times = tableFrom({
    ms: ['datetime64[ms]', [0n, -1n, NAT]],
    s25: ['datetime64[25s]', [1n, -1n, 0n]],
    year: ['datetime64[Y]', [0n, -1n, 54n]],
    maybe: ['datetime64[us]?', [1_000n, null, -2_000n]],
    fine: ['datetime64[ns]', [1_000_000n, 1_000_001n, -1n]],
    far: ['datetime64[s]', [8_640_000_000_000n, 8_640_000_000_001n, 0n]],
    none: ['datetime64', [0n, 1n, 2n]],
    gap: ['timedelta64[ms]', [1n, 2n, 3n]],
  });

  it('gives Date', async () => {
    const columns = await times.select('ms', 's25', 'year', 'maybe', 'gap').toColumns({ dates: 'date' });
    expect(columns['ms']).toEqual([new Date(0), new Date(-1), new Date(NaN)]);
    expect(columns['s25']).toEqual([new Date(25_000), new Date(-25_000), new Date(0)]);
    expect(columns['year']).toEqual([new Date('1970'), new Date('1969'), new Date('2024')]);
    expect(columns['maybe']).toEqual([new Date(1), null, new Date(-2)]);
    expect(columns['gap']).toEqual(BigInt64Array.of(1n, 2n, 3n));
    expect(await times.column('ms').toArray({ dates: 'date' })).toEqual(columns['ms']);
    expect(times.select('maybe').toColumnsSync({ dates: 'date', nulls: 'bitmap' })['maybe']).toMatchObject({
      values: [new Date(1), new Date(NaN), new Date(-2)],
    });
    expect(times.select('maybe').toColumnsSync({ dates: 'date', nulls: 'nan' })['maybe']).toEqual(columns['maybe']);
    expect(times.select('ms').toRowsSync({ dates: 'date' })[1]).toEqual({ ms: new Date(-1) });
    const [batch] = times.select('ms').batchesSync({ dates: 'date' });
    expect(batch!['ms']).toEqual(columns['ms']);
  });

  it('refuses what a Date does not hold, naming column, row and remedy', () => {
    expect(() => times.select('fine').toColumnsSync({ dates: 'date' })).toThrow(
      /column "fine".*'date-lossy'.*1970-01-01T00:00:00.001000001 at row 1/u,
    );
    expect(times.select('fine').toColumnsSync({ dates: 'date-lossy' })['fine']).toEqual([
      new Date(1),
      new Date(1),
      new Date(-1),
    ]);
    for (const dates of ['date', 'date-lossy'] as const) {
      expect(() => times.select('far').toColumnsSync({ dates })).toThrow(
        expect.objectContaining({ code: 'ERR_VALUE' }),
      );
      expect(() => times.select('none').toColumnsSync({ dates })).toThrow(
        expect.objectContaining({ code: 'ERR_VALUE' }),
      );
    }
    expect(() => times.select('ms').toColumnsSync({ dates: 'date', out: { ms: new BigInt64Array(3) } })).toThrow(
      expect.objectContaining({ code: 'ERR_OUT_BUFFER' }),
    );
    expect(() => times.toColumnsSync({ dates: 'dates' as never })).toThrow(/dates/u);
  });
});

it('rows are ordinary objects to look at, and safe for every name', () => {
  const rows = table.select('ok', '__proto__').toRowsSync();
  expect(inspect(tableFrom({ a: ['int32', [1]], z: ['int32', [2]] }).toRowsSync())).toBe('[ { a: 1, z: 2 } ]');
  expect(Object.getPrototypeOf(rows[0])).toBe(Object.prototype);
  expect(Object.entries(rows[0]!)).toEqual([
    ['ok', true],
    ['__proto__', 1],
  ]);
  expect(JSON.stringify(rows[1])).toBe('{"ok":false,"__proto__":2}');
});
