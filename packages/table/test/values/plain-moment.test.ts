// Moments that are read in numbers are those of JavaScript's own dates; every text that is not plain, or is none, is
// left to the long way, which says the same of all of them.
import { parseDType } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { expect, test } from 'vitest';
import { fromISO } from '../../src/index.ts';
import { plainMoment, plainTicks } from '../../src/values/plain-moment.ts';

const random = createRandom(77);
const two = (value: number): string => String(value).padStart(2, '0');
const UNITS = { D: -1, s: 0, ms: 3, us: 6, ns: 9 } as const;

test('every day of years 1 to 9999, and none that does not exist', () => {
  const date = new Date(0);
  for (let year = 1; year <= 9999; year += year < 1890 || year > 2110 ? 13 : 1)
    for (let month = 0; month <= 13; month++)
      for (const day of [0, 1, 27, 28, 29, 30, 31, 32]) {
        const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
        date.setUTCFullYear(year, month - 1, day);
        const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCFullYear() === year;
        const found = plainMoment(text)?.days ?? null;
        if (found !== (exists ? date.getTime() / 86_400_000 : null)) expect([text, found]).toEqual([text, exists]);
      }
});

test.each(Object.keys(UNITS) as (keyof typeof UNITS)[])('times in %s', (unit) => {
  const info = parseDType(`datetime64[${unit}]`);
  const most = UNITS[unit];
  for (let turn = 0; turn < 4000; turn++) {
    const [year, month, day] = [1 + random.integer(9999), 1 + random.integer(12), 1 + random.integer(28)];
    const [hour, minute, second] = [random.integer(24), random.integer(60), random.integer(60)];
    const digits = random.integer(10);
    const fraction = String(random.integer(1e9)).padStart(9, '0').slice(0, digits);
    const form = random.integer(4);
    const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
    const time = [
      '',
      `T${two(hour)}:${two(minute)}`,
      `${random.pick(['T', ' '])}${two(hour)}:${two(minute)}:${two(second)}`,
      `T${two(hour)}:${two(minute)}:${two(second)}${digits === 0 ? '' : '.'}${fraction}`,
    ][form] as string;
    const text = `${date}${time}${form > 0 && random.integer(2) === 0 ? 'Z' : ''}`;
    const ofDay = form === 0 ? 0 : 3600 * hour + 60 * minute + (form === 1 ? 0 : second);
    const at = new Date(0);
    at.setUTCFullYear(year, month - 1, day);
    const seconds = BigInt(at.getTime() / 1000 + ofDay);
    const nanoseconds = seconds * 10n ** 9n + (form === 3 ? BigInt(fraction.padEnd(9, '0')) : 0n);
    const length = unit === 'D' ? 86_400n * 10n ** 9n : 10n ** BigInt(9 - most);
    const ticks = nanoseconds / length;
    const isExact = nanoseconds % length === 0n && BigInt.asIntN(64, ticks) === ticks;
    const plain = plainTicks(text, info);
    if (plain !== null) expect([text, plain]).toEqual([text, ticks]);
    else expect([text, form === 3 || !isExact || unit === 'D']).toEqual([text, true]);
    if (isExact) expect(fromISO(text, info.name)).toBe(ticks);
    else expect(() => fromISO(text, info.name)).toThrow(/holds exactly|within the range/u);
  }
});

test('other texts', () => {
  const whole = '2024-05-01T12:30:59.250Z';
  const others = ['0000-01-01', '-001-01-01', '+2024-05-01', '2024-5-1', '20240501', '2024-05-01T', '2024-05-01T12'];
  for (let at = 0; at < whole.length; at++)
    for (const character of ['x', '/', ':', '٣', '', ' ', '+']) {
      const text = whole.slice(0, at) + character + whole.slice(at + 1);
      if (character !== whole[at] && !(at === 10 && character === ' ')) others.push(text);
    }
  // But for a shorter fraction or no zone every change makes another text.
  for (const text of [
    ...others,
    '2024-05-01T24:00',
    '2024-05-01T12:60',
    '2024-05-01T12:30:60',
    `${whole}Z`,
    ` ${whole}`,
  ])
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z?$/u.test(text))
      expect([text, plainMoment(text)]).toEqual([text, null]);
});
