import { isColkitError } from '@colkit/io';
import type { DType } from '@colkit/io';
import { bytesOfHex } from '@colkit/testkit';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { NAT, fromDate, fromISO, toDate, toISO } from '../../src/index.ts';
import { civilOfDays, daysOfCivil } from '../../src/values/calendar.ts';

interface Golden {
  readonly columns: readonly {
    readonly name: string;
    readonly dtype: string;
    readonly bytes: string;
    readonly values: readonly string[];
  }[];
}
const golden = JSON.parse(readFileSync(new URL('../golden/all_types.json', import.meta.url), 'utf8')) as Golden;

function codeOf(run: () => unknown): string {
  try {
    return `value ${String(run())}`;
  } catch (error) {
    return isColkitError(error) ? error.code : String(error);
  }
}

describe('numpy texts', () => {
  for (const column of golden.columns.filter(({ dtype }) => dtype.startsWith('<M8'))) {
    const dtype = `datetime64${column.dtype.slice(3)}` as 'datetime64[ns]';
    test(`the golden column ${column.name} (${dtype}), both ways`, () => {
      const ticks = [...new BigInt64Array(bytesOfHex(column.bytes).buffer)];
      expect(ticks.map((tick) => toISO(tick, dtype))).toEqual(column.values);
      expect(column.values.map((text) => fromISO(text, dtype))).toEqual(ticks);
    });
  }

  // What numpy prints for these ticks.
  test.each([
    [0n, 'datetime64[Y]', '1970'],
    [-1n, 'datetime64[Y]', '1969'],
    [8029n, 'datetime64[Y]', '9999'],
    [-1970n, 'datetime64[Y]', '0000'],
    [0n, 'datetime64[M]', '1970-01'],
    [-1n, 'datetime64[M]', '1969-12'],
    [649n, 'datetime64[M]', '2024-02'],
    [5n, 'datetime64[3M]', '1971-04'],
    [1n, 'datetime64[W]', '1970-01-08'],
    [-1n, 'datetime64[W]', '1969-12-25'],
    [19782n, 'datetime64[D]', '2024-02-29'],
    [-719528n, 'datetime64[D]', '0000-01-01'],
    [-1n, 'datetime64[h]', '1969-12-31T23'],
    [61n, 'datetime64[m]', '1970-01-01T01:01'],
    [-1n, 'datetime64[s]', '1969-12-31T23:59:59'],
    [3n, 'datetime64[25s]', '1970-01-01T00:01:15'],
    [-1n, 'datetime64[ms]', '1969-12-31T23:59:59.999'],
    [-1n, 'datetime64[us]', '1969-12-31T23:59:59.999999'],
    [1n, 'datetime64[ns]', '1970-01-01T00:00:00.000000001'],
    [1n, 'datetime64[ps]', '1970-01-01T00:00:00.000000000001'],
    [1001n, 'datetime64[fs]', '1970-01-01T00:00:00.000000000001001'],
    [-1n, 'datetime64[as]', '1969-12-31T23:59:59.999999999999999999'],
    [2n ** 63n - 1n, 'datetime64[ns]', '2262-04-11T23:47:16.854775807'],
    [-(2n ** 63n) + 1n, 'datetime64[ns]', '1677-09-21T00:12:43.145224193'],
  ] as const)('%s ticks of %s are %s', (ticks, dtype, text) => {
    expect(toISO(ticks, dtype)).toBe(text);
    expect(fromISO(text, dtype)).toBe(ticks);
  });

  // What ISO 8601 asks for, and Date writes; numpy writes fewer digits, which are read too.
  test.each([
    [8030n, 'datetime64[Y]', '+010000', '10000'],
    [-1971n, 'datetime64[Y]', '-000001', '-001'],
    [-1971n * 12n, 'datetime64[M]', '-000001-01', '-001-01'],
    [-719529n, 'datetime64[D]', '-000001-12-31', '-001-12-31'],
    [2932897n, 'datetime64[D]', '+010000-01-01', '10000-01-01'],
    [-62167219201n, 'datetime64[s]', '-000001-12-31T23:59:59', '-001-12-31T23:59:59'],
    [-(2n ** 63n) + 1n, 'datetime64[us]', '-290308-12-21T19:59:05.224193', '-290308-12-21T19:59:05.224193'],
    [2n ** 63n - 1n, 'datetime64[us]', '+294247-01-10T04:00:54.775807', '294247-01-10T04:00:54.775807'],
  ] as const)('%s ticks of %s are %s', (ticks, dtype, text, ofNumpy) => {
    expect(fromISO(ofNumpy, dtype)).toBe(fromISO(text, dtype));
    expect(toISO(ticks, dtype)).toBe(text);
    expect(fromISO(text, dtype)).toBe(ticks);
  });

  test('NaT in every unit, generic too', () => {
    for (const dtype of ['datetime64[Y]', 'datetime64[25s]', 'datetime64[as]', 'datetime64'] as const) {
      expect(toISO(NAT, dtype)).toBe('NaT');
      expect(fromISO('NaT', dtype)).toBe(NAT);
      expect(toDate(NAT, dtype).getTime()).toBeNaN();
      expect(fromDate(new Date(Number.NaN), dtype)).toBe(NAT);
    }
  });

  test('ticks beyond every calendar print without an error', () => {
    expect(toISO(2n ** 63n - 1n, 'datetime64[Y]')).toBe('+9223372036854777777');
    expect(toISO(2n ** 62n, 'datetime64[D]')).toMatch(/^\+12626\d+-\d\d-\d\d$/);
  });
});

describe('calendar', () => {
  test('every day of four centuries is where Date puts it', () => {
    for (let day = -150_000n; day < 150_000n; day += 13n) {
      const { year, month, day: ofMonth } = civilOfDays(day);
      const date = new Date(Number(day) * 86_400_000);
      expect([Number(year), month, ofMonth]).toEqual([
        date.getUTCFullYear(),
        date.getUTCMonth() + 1,
        date.getUTCDate(),
      ]);
      expect(daysOfCivil(year, month, ofMonth)).toBe(day);
    }
  });

  test('days and civil dates are inverse far beyond', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), (days) => {
        const { year, month, day } = civilOfDays(days);
        expect(daysOfCivil(year, month, day)).toBe(days);
      }),
    );
  });
});

describe('dates', () => {
  const units = [
    'datetime64[Y]',
    'datetime64[M]',
    'datetime64[W]',
    'datetime64[D]',
    'datetime64[7D]',
    'datetime64[h]',
    'datetime64[m]',
    'datetime64[s]',
    'datetime64[25s]',
    'datetime64[ms]',
  ] as const;

  test('ticks -> Date -> ticks, for units that a Date holds', () => {
    fc.assert(
      fc.property(fc.constantFrom(...units), fc.integer({ min: -20_000, max: 20_000 }), (dtype, ticks) => {
        expect(fromDate(toDate(BigInt(ticks), dtype), dtype)).toBe(BigInt(ticks));
      }),
    );
  });

  test('text is what Date writes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
          fc.date({ noInvalidDate: true }),
        ),
        (date) => {
          expect(`${toISO(fromDate(date, 'datetime64[ms]'), 'datetime64[ms]')}Z`).toBe(date.toISOString());
          expect(fromISO(date.toISOString(), 'datetime64[ms]')).toBe(BigInt(date.getTime()));
        },
      ),
    );
  });

  test('finer than a millisecond is refused, or cut towards the past', () => {
    expect(codeOf(() => toDate(1n, 'datetime64[us]'))).toBe('ERR_VALUE');
    expect(toDate(1_000_000n, 'datetime64[ns]').getTime()).toBe(1);
    expect(toDate(-1n, 'datetime64[ns]', { truncate: true }).getTime()).toBe(-1);
    expect(toDate(1_999n, 'datetime64[us]', { truncate: true }).getTime()).toBe(1);
  });

  test('beyond what a Date holds is refused', () => {
    expect(codeOf(() => toDate(8_640_000_000_001n, 'datetime64[s]'))).toBe('ERR_VALUE');
    expect(toDate(8_640_000_000_000n, 'datetime64[s]').getTime()).toBe(8.64e15);
  });

  test('a unit that cannot hold the date exactly refuses it', () => {
    expect(codeOf(() => fromDate(new Date(1500), 'datetime64[s]'))).toBe('ERR_VALUE');
    expect(codeOf(() => fromDate(new Date('2024-01-02'), 'datetime64[M]'))).toBe('ERR_VALUE');
    expect(codeOf(() => fromDate(new Date(8.64e15), 'datetime64[ns]'))).toBe('ERR_VALUE');
    expect(fromDate(new Date(50_000), 'datetime64[25s]')).toBe(2n);
    expect(codeOf(() => fromDate(new Date(51_000), 'datetime64[25s]'))).toBe('ERR_VALUE');
  });
});

describe('ISO text', () => {
  test.each([
    ['2024', 1_704_067_200_000n],
    ['2024-03', 1_709_251_200_000n],
    ['2024-03-05', 1_709_596_800_000n],
    ['2024-03-05T06', 1_709_618_400_000n],
    ['2024-03-05T06:07', 1_709_618_820_000n],
    ['2024-03-05 06:07:08', 1_709_618_828_000n],
    ['2024-03-05T06:07:08.5', 1_709_618_828_500n],
    ['2024-03-05T06:07:08.500000Z', 1_709_618_828_500n],
    ['2024-03-05T06:07:08+01:00', 1_709_615_228_000n],
    ['2024-03-05T06:07:08-0130', 1_709_624_228_000n],
    ['-001-12-31', -62_167_305_600_000n],
  ])('%s', (text, milliseconds) => {
    expect(fromISO(text, 'datetime64[ms]')).toBe(milliseconds);
  });

  test('a text without a zone is UTC whatever the zone of the machine', () => {
    const before = process.env['TZ'];
    for (const zone of ['Asia/Tokyo', 'America/New_York']) {
      process.env['TZ'] = zone;
      expect(fromISO('2024-07-01T00:00:00', 'datetime64[s]')).toBe(1_719_792_000n);
    }
    process.env['TZ'] = before;
  });

  test.each([
    '',
    'now',
    '2024-13',
    '2024-00-01',
    '2023-02-29',
    '2024-04-31',
    '24:00',
    '2024-01-01T24',
    '2024-01-01T00:60',
    '2024-01-01T00:00:60',
    '2024-01-01T00:00:00.',
    '2024-1-1',
    ' 2024',
    '2024-01-01T00:00+25:00',
    '99999999999999999999',
  ])('%j is refused', (text) => {
    expect(codeOf(() => fromISO(text, 'datetime64[as]'))).toBe('ERR_VALUE');
  });

  test('digits that the unit has no place for are refused', () => {
    expect(codeOf(() => fromISO('2024-01-01T00:00:00.0001', 'datetime64[ms]'))).toBe('ERR_VALUE');
    expect(codeOf(() => fromISO('2024-01-01T00:00:01', 'datetime64[D]'))).toBe('ERR_VALUE');
    expect(codeOf(() => fromISO('2300', 'datetime64[ns]'))).toBe('ERR_VALUE');
  });
});

test('dtypes that name no moment are refused', () => {
  expect(codeOf(() => toISO(5n, 'datetime64'))).toBe('ERR_VALUE');
  expect(codeOf(() => toDate(5n, 'datetime64'))).toBe('ERR_VALUE');
  expect(codeOf(() => toISO(5n, 'timedelta64[s]'))).toBe('ERR_ARGUMENT');
  expect(codeOf(() => fromDate(new Date(0), 'int64'))).toBe('ERR_ARGUMENT');
});

describe('dates of many rows', () => {
  const EDGES = [0, 1, -1, 999, -999, 1000, 86_399_999, -86_400_001, 1_700_000_000_123, 2 ** 53, 8.64e15, -8.64e15];
  /** As many milliseconds as fit into 64 bits of nanoseconds. */
  const LAST = 9_223_372_036_854;

  test.each([
    ['ms', 1n],
    ['us', 1000n],
    ['ns', 1_000_000n],
  ] as const)('in %s are their milliseconds, or refused', (unit, scale) => {
    for (const milliseconds of [...EDGES, LAST, LAST + 1, -LAST, -LAST - 1]) {
      const date = new Date(milliseconds);
      if (Number.isNaN(date.getTime())) continue;
      const ticks = BigInt(milliseconds) * scale;
      const convert = () => fromDate(date, `datetime64[${unit}]`);
      if (ticks < 2n ** 63n && ticks > -(2n ** 63n)) expect(convert()).toBe(ticks);
      else expect(convert).toThrow(expect.objectContaining({ code: 'ERR_VALUE', found: date.toISOString() }));
    }
    expect(fromDate(new Date(Number.NaN), `datetime64[${unit}]`)).toBe(-(2n ** 63n));
  });

  test('take less time than by way of attoseconds', () => {
    const dates = Array.from({ length: 50_000 }, (_, i) => new Date(7919 * i));
    const least = (dtype: DType): number => {
      const times = Array.from({ length: 7 }, () => {
        const start = process.cpuUsage();
        for (const date of dates) fromDate(date, dtype);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      return Math.min(...times);
    };
    expect(least('datetime64[ms]') / least('datetime64[ps]')).toBeLessThan(0.7);
  });
});
