// Arrow into a .cstore file: times of every unit that both have, durations, halves; null of a time is NaT there, and
// what a .cstore file gives to Arrow comes back as it was.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  Decimal,
  Dictionary,
  Duration,
  DurationMicrosecond,
  Float16,
  Int32,
  TimeNanosecond,
  TimeUnit,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Table as ArrowTable,
  Utf8,
  makeData,
  makeVector,
  tableToIPC,
  vectorFromArray,
} from 'apache-arrow';
import type { DataType, Vector } from 'apache-arrow';
import { openSync, typed, writeSync } from 'colstore';
import { openSync as openColumna } from 'columna';
import { expect, test } from 'vitest';
import { openTable, writeTable } from '../../src/convert.ts';
import { temporaryFolder } from '../support/folder.ts';
import { linesOf } from '../support/run.ts';

const { path: at } = temporaryFolder();
const NAT = -(2n ** 63n);

function ticks(type: DataType, values: readonly bigint[], valid = 0xff) {
  const data = BigInt64Array.from(values);
  const nullBitmap = Uint8Array.of(valid);
  return makeVector(makeData({ type: type as Duration, data, nullBitmap, length: values.length, nullCount: -1 }));
}

test('times of all units, durations and halves, with nulls', async () => {
  const table = new ArrowTable({
    wait: ticks(new Duration(TimeUnit.SECOND), [1n, -7n, 9n], 0b101),
    micros: ticks(new DurationMicrosecond(), [1n, 2n, 3n]),
    s: ticks(new TimestampSecond(), [1n, 2n, 3n], 0b011),
    ms: ticks(new TimestampMillisecond(), [1n, 2n, 3n]),
    ns: ticks(new TimestampNanosecond(), [1n, 2n ** 60n + 1n, 3n]),
    h: vectorFromArray([0.5, 1, -2], new Float16()),
    n: vectorFromArray([1, 2, 3], new Int32()),
    t: vectorFromArray(['a', 'bb', ''], new Utf8()),
  });
  writeFileSync(at('a.arrow'), tableToIPC(table, 'file'));
  const { code, notes } = await linesOf('convert', at('a.arrow'), at('a.cstore'));
  expect([code, notes]).toEqual([
    0,
    ['column "t": text became S2', 'column "wait": nulls became NaT', 'column "s": nulls became NaT'],
  ]);
  using made = openSync(at('a.cstore'));
  expect(made.schema.map(({ name, dtype }) => `${name} ${dtype}`)).toEqual([
    'wait timedelta64[s]',
    'micros timedelta64[us]',
    's datetime64[s]',
    'ms datetime64[ms]',
    'ns datetime64[ns]',
    'h float16',
    'n int32',
    't S2',
  ]);
  expect(made.toRowsSync()).toEqual([
    { wait: 1n, micros: 1n, s: 1n, ms: 1n, ns: 1n, h: 0.5, n: 1, t: 'a' },
    { wait: NAT, micros: 2n, s: 2n, ms: 2n, ns: 2n ** 60n + 1n, h: 1, n: 2, t: 'bb' },
    { wait: 9n, micros: 3n, s: NAT, ms: 3n, ns: 3n, h: -2, n: 3, t: '' },
  ]);
  // A .cna file has no durations, and says so.
  expect(await linesOf('convert', at('a.arrow'), at('a.cna'))).toMatchObject({
    code: 1,
    notes: [expect.stringMatching(/the \.cna format has no type for timedelta64\[s\]/)],
  });
});

test('a .cstore file through Arrow, by convert and by append', async () => {
  writeSync(
    at('b.cstore'),
    {
      wait: typed('timedelta64[ms]', [1n, NAT]),
      s: typed('datetime64[s]', [NAT, 5n]),
      ns: typed('datetime64[ns]', [1n, NAT]),
      day: typed('datetime64[D]', [NAT, 2n]),
      h: typed('float16', [0.5, -0]),
    },
    { layout: 'records' },
  );
  expect((await linesOf('convert', at('b.cstore'), at('b.arrow'))).code).toBe(0);
  expect((await linesOf('convert', at('b.arrow'), at('c.cstore'))).code).toBe(0);
  expect(await linesOf('diff', at('b.cstore'), at('c.cstore'))).toMatchObject({ code: 0 });
  expect((await linesOf('append', at('b.cstore'), at('b.arrow'))).code).toBe(0);
  using grown = openSync(at('b.cstore'));
  const rows = grown.toRowsSync();
  expect(rows.slice(2)).toEqual(rows.slice(0, 2));
  // By way of Parquet, where NaT is null too.
  expect((await linesOf('convert', at('c.cstore'), at('c.parquet'), '--columns', 's,day')).code).toBe(0);
  expect((await linesOf('convert', at('c.parquet'), at('d.cstore'), '--dtype', 's=datetime64[s]')).code).toBe(0);
  expect((await linesOf('diff', at('c.cstore'), at('d.cstore'), '--columns', 's,day')).code).toBe(0);
});

test('writeTable does the same with times that are null', async () => {
  writeFileSync(at('t.csv'), 'day,n\n2024-01-01,1\n,2\n');
  expect((await linesOf('convert', at('t.csv'), at('t.cna'))).code).toBe(0);
  const table = openColumna(at('t.cna'));
  expect(await writeTable(table, 'cstore', at('t.cstore'))).toMatchObject({
    rowCount: 2,
    notes: [{ column: 'day', note: 'nulls became NaT' }],
  });
  using made = openSync(at('t.cstore'));
  expect(made.toRowsSync()).toEqual([
    { day: 19_723n, n: 1n },
    { day: NAT, n: 2n },
  ]);
});

test('zones of moments are told; columns are named between commas, or one with a comma', async () => {
  const zoned = new TimestampMillisecond('Europe/Paris');
  const table = new ArrowTable({
    'at, there': ticks(zoned, [1n, 2n]),
    local: ticks(new TimestampMillisecond(), [3n, 4n]),
    n: vectorFromArray([5, 6], new Int32()),
  });
  writeFileSync(at('zoned.arrow'), tableToIPC(table, 'file'));
  const told =
    'column "at, there": moments of Europe/Paris became datetime64: the same moments, in UTC, without a time zone';
  for (const end of ['cna', 'cstore'])
    expect(await linesOf('convert', at('zoned.arrow'), at(`zoned.${end}`))).toMatchObject({ code: 0, notes: [told] });
  for (const [name, notes] of [
    ['local', 0],
    ['at, there', 1],
  ] as const) {
    const opened = await openTable(at('zoned.arrow'), { columns: [name] });
    expect(opened.notes).toHaveLength(notes);
    opened.close();
  }
  expect((await linesOf('convert', at('zoned.cna'), at('zoned.parquet'))).code).toBe(0);
  for (const from of ['zoned.arrow', 'zoned.parquet'])
    for (const [columns, names] of [
      ['at, there', ['at, there']],
      ['n, local', ['n', 'local']],
    ] as const) {
      expect(await linesOf('convert', at(from), at('some.cna'), '--overwrite', '--columns', columns)).toMatchObject({
        code: 0,
      });
      expect(openColumna(at('some.cna')).columnNames).toEqual(names);
    }
});

test('decimals become the nearest float64 and times of a day microseconds, and are told', async () => {
  const golden = fileURLToPath(new URL('./golden/decimals-and-times.arrow', import.meta.url));
  const notes = [
    'column "price": DECIMAL(16, 2) became float64: of each value the nearest',
    'column "large": DECIMAL(38, 0) became float64: of each value the nearest',
    'column "wide": DECIMAL(60, 2) became float64: of each value the nearest',
    ...['s', 'ms', 'us', 'ns'].map((unit) => `column "${unit}": TIME became int64: microseconds since midnight`),
  ];
  expect(await linesOf('convert', golden, at('plain.cna'))).toMatchObject({ code: 0, notes });
  using made = openColumna(at('plain.cna'));
  expect(made.schema.map(({ dtype }) => dtype)).toEqual([
    'float64',
    'float64',
    'float64',
    'int64',
    'int64',
    'int64',
    'int64',
  ]);
  expect(made.toRowsSync()).toEqual([
    { price: 1.1, large: 1e38, wide: 1.5, s: 1_000_000n, ms: 1000n, us: 1n, ns: 1n },
    { price: null, large: -1, wide: -2.25, s: null, ms: null, us: null, ns: null },
    {
      price: -12_345_678_901_234.56,
      large: null,
      wide: null,
      s: 86_399_000_000n,
      ms: 86_399_999_000n,
      us: 86_399_999_999n,
      ns: 86_399_999_999n,
    },
  ]);
});

test('dictionaries of decimals, times, durations and moments are as these are without', async () => {
  const price = new Decimal(2, 10, 128);
  const of: readonly (readonly [string, Vector])[] = [
    ['price', makeVector(makeData({ type: price, data: Uint32Array.of(125, 0, 0, 0, 5, 0, 0, 0) }))],
    ['time', ticks(new TimeNanosecond(), [5000n, 7000n])],
    ['at', ticks(new TimestampMillisecond('Europe/Paris'), [1n, 2n])],
  ];
  const wait = ['wait', ticks(new Duration(TimeUnit.SECOND), [3n, 4n])] as const;
  const coded = (columns: readonly (readonly [string, Vector])[]): ArrowTable =>
    new ArrowTable(
      Object.fromEntries(
        columns.map(([name, dictionary]) => {
          const type = new Dictionary(dictionary.type, new Int32());
          const nullBitmap = Uint8Array.of(0b101);
          return [name, makeVector(makeData({ type, data: Int32Array.of(1, 0, 0), dictionary, nullBitmap }))];
        }),
      ),
    );
  writeFileSync(at('coded.arrow'), tableToIPC(coded(of), 'file'));
  expect(await linesOf('convert', at('coded.arrow'), at('coded.cna'))).toMatchObject({
    code: 0,
    notes: [
      'column "price": DECIMAL(10, 2) became float64: of each value the nearest',
      'column "time": TIME became int64: microseconds since midnight',
      'column "at": moments of Europe/Paris became datetime64: the same moments, in UTC, without a time zone',
    ],
  });
  using made = openColumna(at('coded.cna'));
  expect(made.toRowsSync()).toEqual([
    { price: 0.05, time: 7n, at: 2000n },
    { price: null, time: null, at: null },
    { price: 1.25, time: 5n, at: 1000n },
  ]);
  writeFileSync(at('waits.arrow'), tableToIPC(coded([...of.slice(2), wait]), 'file'));
  expect(await linesOf('convert', at('waits.arrow'), at('waits.cstore'))).toMatchObject({ code: 0 });
  using waits = openSync(at('waits.cstore'));
  expect(waits.schema.map(({ dtype }) => dtype)).toEqual(['datetime64[ms]', 'timedelta64[s]']);
  expect(waits.toRowsSync()).toEqual([
    { at: 2n, wait: 4n },
    { at: NAT, wait: NAT },
    { at: 1n, wait: 3n },
  ]);
});

test('nanoseconds of a day that are no whole microseconds are refused, but where the row is null', async () => {
  const column = (nanos: readonly bigint[], valid: number) => ticks(new TimeNanosecond(), nanos, valid);
  const odd = BigInt64Array.of(1000n, 1500n);
  const withoutNulls = makeVector(makeData({ type: new TimeNanosecond(), data: odd }));
  for (const t of [withoutNulls, column([1000n, 1500n], 0b11), column([7n, 1500n], 0b10)]) {
    writeFileSync(at('odd.arrow'), tableToIPC(new ArrowTable({ t }), 'file'));
    const refused = await linesOf('convert', at('odd.arrow'), at('odd.cna'));
    expect(refused.code).toBe(1);
    expect(refused.notes).toEqual([
      'colkit convert: column "t": expected whole microseconds but found 1500 nanoseconds (choose other columns with ' +
        '--columns) (ERR_VALUE)',
    ]);
  }
  writeFileSync(at('null.arrow'), tableToIPC(new ArrowTable({ t: column([1000n, 1500n], 0b01) }), 'file'));
  expect((await linesOf('convert', at('null.arrow'), at('null.cna'))).code).toBe(0);
  using made = openColumna(at('null.cna'));
  expect(made.toRowsSync()).toEqual([{ t: 1n }, { t: null }]);
});
