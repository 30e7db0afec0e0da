// What is asked of columns as they lie, of every dtype in every layout: which rows match, how many, and what they add
// up to, against plain loops over values that were decoded one by one. Both backends give these answers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sumFault } from '@colkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '@colkit/table';
import { compareText } from '@colkit/table';
import { openSync } from '../../src/index.ts';
import { edgedColumn } from '../support/edged-columns.ts';
import { ALL_KINDS, inEveryLayout } from '../support/tables.ts';
import type { PackedColumn } from '../support/tables.ts';

const ROWS = 2300;
const NAT = -(2n ** 63n);
type Value = number | bigint | boolean | string;

function half(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size =
    exponent === 31
      ? fraction === 0
        ? Infinity
        : NaN
      : exponent === 0
        ? fraction / 2 ** 24
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits > 0x7fff ? -size : size;
}

function valueAt({ descr, itemBytes, bytes }: PackedColumn, row: number): Value {
  const view = new DataView(bytes.buffer, row * itemBytes, itemBytes);
  switch (descr) {
    case '|i1':
      return view.getInt8(0);
    case '|u1':
      return view.getUint8(0);
    case '|b1':
      return view.getUint8(0) !== 0;
    case '<i2':
      return view.getInt16(0, true);
    case '<u2':
      return view.getUint16(0, true);
    case '<i4':
      return view.getInt32(0, true);
    case '<u4':
      return view.getUint32(0, true);
    case '<u8':
      return view.getBigUint64(0, true);
    case '<f2':
      return half(view.getUint16(0, true));
    case '<f4':
      return view.getFloat32(0, true);
    case '<f8':
      return view.getFloat64(0, true);
    case '|S5':
      return String.fromCharCode(...bytes.subarray(row * 5, row * 5 + 5)).replace(/\0+$/, '');
    case '<U3': {
      const points = [0, 4, 8].map((at) => view.getUint32(at, true));
      const isCharacter = (point: number): boolean => point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
      return points
        .map((point) => String.fromCodePoint(isCharacter(point) ? point : 0xfffd))
        .join('')
        .replace(/\0+$/, '');
    }
    default:
      return view.getBigInt64(0, true);
  }
}

const isTime = (descr: string): boolean => /^<[Mm]8/.test(descr);
const isUnknown = (descr: string, value: Value): boolean => value !== value || (value === NAT && isTime(descr));

/** Below 0, 0, above 0; null: no order. */
function order(descr: string, left: Value, right: Value): number | null {
  if (isUnknown(descr, left) || isUnknown(descr, right)) return null;
  if (typeof left === 'string') return compareText(left, right as string);
  return left < right ? -1 : left > right ? 1 : 0;
}

const OPERATORS: Readonly<Record<string, (found: number | null) => boolean>> = {
  '==': (found) => found === 0,
  '!=': (found) => found !== 0,
  '<': (found) => found !== null && found < 0,
  '<=': (found) => found !== null && found <= 0,
  '>': (found) => found !== null && found > 0,
  '>=': (found) => found !== null && found >= 0,
};

const columns = ALL_KINDS.map(([name, descr]) => edgedColumn(name, descr, ROWS));
const values = new Map(
  columns.map((column) => [column.name, Array.from({ length: ROWS }, (_, row) => valueAt(column, row))]),
);
const files = inEveryLayout(columns, ROWS);
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-raw-'));
  for (const [name, bytes] of files) writeFileSync(join(folder, `${name}.cstore`), bytes);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first of the extreme values, as rows are looked at in order; of nothing but NaN (NaT) that; of nothing null. */
function extreme(descr: string, given: readonly Value[], sign: 1 | -1): Value | null {
  let best: Value | null = null;
  for (const value of given) {
    if (isUnknown(descr, value)) best ??= value;
    else if (best === null || isUnknown(descr, best) || sign * (order(descr, value, best) ?? 0) > 0) best = value;
  }
  return best;
}

/** What is wrong with the aggregates of some rows of a column; null: nothing. */
function fault(
  { name, descr }: PackedColumn,
  rows: readonly number[],
  found: Readonly<Record<string, unknown>>,
): string | null {
  const given = rows.map((row) => values.get(name)![row]!);
  const wrong = (what: string, wanted: unknown): string =>
    `${what} of ${name}: ${String(found[what])} for ${String(wanted)}`;
  if (found['rows'] !== rows.length || found['count'] !== rows.length) return wrong('count', rows.length);
  for (const [what, sign] of [
    ['min', -1],
    ['max', 1],
  ] as const) {
    const wanted = extreme(descr, given, sign);
    if (!Object.is(found[what], wanted)) return wrong(what, wanted);
  }
  if (!('sum' in found)) return null;
  if (descr.startsWith('<f')) {
    const sum = sumFault(given as number[], found['sum'] as number);
    if (sum !== null) return `sum of ${name}: ${sum}`;
    const mean = rows.length === 0 ? NaN : (found['sum'] as number) / rows.length;
    return Object.is(found['mean'], mean) ? null : wrong('mean', mean);
  }
  const isWide = descr === '<i8' || descr === '<u8';
  const sum = isWide
    ? (given as bigint[]).reduce((total, value) => total + value, 0n)
    : (given as (number | boolean)[]).reduce<number>((total, value) => total + Number(value), 0);
  return Object.is(found['sum'], sum) ? null : wrong('sum', sum);
}

function specs({ name, descr }: PackedColumn): Record<string, unknown> {
  const common = { rows: 'count', count: { count: name }, min: { min: name }, max: { max: name } };
  return isTime(descr) || /[SU]\d/.test(descr) ? common : { ...common, sum: { sum: name }, mean: { mean: name } };
}

const agg = (table: Table, column: PackedColumn): Readonly<Record<string, unknown>> =>
  table.aggSync(specs(column) as never) as never;

/** Without the addon nothing of it depends on more than whether rows lie in one piece, and in which byte order. */
const layouts =
  process.env['COLKIT_BACKEND'] === 'native'
    ? [...files.keys()]
    : ['flat without checksum', 'flat big-endian', 'irregular records'];

describe.each(layouts)('%s', (layout) => {
  const table = (): Table => openSync(join(folder, `${layout}.cstore`));
  // Every constant once; where a layout has code of its own in the addon, there too.
  const own = process.env['COLKIT_BACKEND'] === 'native' ? ['flat big-endian', 'equal records'] : [];
  const isSmall = !['flat without checksum', ...own].includes(layout);

  it('adds up whole columns, and some of their rows', async () => {
    const from = table();
    for (const column of columns) {
      for (const [start, end] of [
        [0, ROWS],
        [0, 0],
        [3, 4],
        [5, 1030],
        [1023, 2049],
      ] as const) {
        const rows = Array.from({ length: end - start }, (_, index) => start + index);
        const some = from.slice(start, end);
        expect(fault(column, rows, agg(some, column))).toBeNull();
        expect(await some.agg(specs(column) as never)).toEqual(agg(some, column));
      }
    }
  });

  it('finds the rows of every comparison with edges, and adds them up', async () => {
    const from = table();
    // Without the addon each record is a read.
    const isSlow =
      layout === 'a record a row' || (layout.endsWith('records') && process.env['COLKIT_BACKEND'] === 'js');
    const some = isSlow ? columns.filter(({ name }) => ['f8', 'i1', 's5'].includes(name)) : columns;
    for (const column of some) {
      const { name, descr } = column;
      const all = values.get(name)!;
      const constants = new Set(
        [0, 3, 10, 17, 24, 31, 38, 45, 52, 59, 66, 2299].slice(isSmall ? 8 : 0).map((row) => all[row]!),
      );
      for (const value of constants) {
        if (isUnknown(descr, value)) continue;
        const orders = all.map((each) => order(descr, each, value));
        for (const [operator, holds] of Object.entries(OPERATORS)) {
          if (descr === '|b1' && operator.length === 1) continue;
          const rows: number[] = [];
          orders.forEach((found, row) => holds(found) && rows.push(row));
          const view = from.where(`\`${name}\` ${operator} @value`, { value });
          const said = `${name} ${operator} ${String(value)}`;
          expect([...view.resolveSync().rowNumbers()], said).toEqual(rows);
          expect(view.countSync(), said).toBe(rows.length);
          expect(fault(column, rows, agg(view, column)), said).toBeNull();
          expect([...view.head(3).resolveSync().rowNumbers()], said).toEqual(rows.slice(0, 3));
        }
        expect(await from.where(`\`${name}\` == @value`, { value }).count()).toBe(
          orders.filter((found) => found === 0).length,
        );
      }
    }
  });

  it('takes terms together, and aggregates that need values behind them', async () => {
    const from = table();
    const [f2, f4, i2] = ['f2', 'f4', 'i2'].map((name) => values.get(name)!) as [number[], number[], number[]];
    const [f8, i4, u1, s5, t3] = ['f8', 'i4', 'u1', 's5', 't3'].map((name) => values.get(name)!) as [
      number[],
      number[],
      number[],
      string[],
      string[],
    ];
    const cases: readonly (readonly [string, (row: number) => boolean])[] = [
      ['f8 > 10 and u1 < 100', (row) => f8[row]! > 10 && u1[row]! < 100],
      ['f8 <= 50 or i4 > 0', (row) => f8[row]! <= 50 || i4[row]! > 0],
      ['not (f8 > 10 or u1 in (1, 2, 3))', (row) => !(f8[row]! > 10) && ![1, 2, 3].includes(u1[row]!)],
      [
        '(f8 > 10 and u1 < 100) or (i4 > 5 and (u1 == 7 or f8 == 0.1))',
        (row) => (f8[row]! > 10 && u1[row]! < 100) || (i4[row]! > 5 && (u1[row] === 7 || f8[row] === 0.1)),
      ],
      ["s5 >= 'b' and t3 != 'abc'", (row) => compareText(s5[row]!, 'b') >= 0 && t3[row] !== 'abc'],
      ["s5 in ('', 'a') or t3 >= 'k'", (row) => ['', 'a'].includes(s5[row]!) || compareText(t3[row]!, 'k') >= 0],
      ['u1 > 300', () => false],
      ['f8 * 2 + u1 > 100', (row) => f8[row]! * 2 + u1[row]! > 100],
      ['not (f8 / u1 <= i4 - 7)', (row) => !(f8[row]! / u1[row]! <= i4[row]! - 7)],
      ['u1 - 128 == 0 - f8 or u1 * u1 != 49', (row) => u1[row]! - 128 === -f8[row]! || u1[row]! ** 2 !== 49],
      ['f8 / (u1 * -1 * 0) > 0 and f8 < f2', (row) => f8[row]! > 0 && f8[row]! < f2[row]!],
      [
        'f4 * i2 < f8 and f8 != f8 - 0',
        (row) => f4[row]! * i2[row]! < f8[row]! && !Number.isFinite(f8[row]!) && f8[row] !== f8[row]! - 0,
      ],
      ['i4 * i4 > 4611686018427387000', (row) => BigInt(i4[row]!) ** 2n > 4_611_686_018_427_387_000n],
      ['i4 between -5 and 70000 and u1 is not null', (row) => i4[row]! >= -5 && i4[row]! <= 70_000],
    ];
    for (const [where, keeps] of cases) {
      const rows = Array.from({ length: ROWS }, (_, row) => row).filter(keeps);
      const view = from.where(where);
      expect([...view.resolveSync().rowNumbers()], where).toEqual(rows);
      expect(fault(columns[1]!, rows, agg(view, columns[1]!)), where).toBeNull();
      const found = await view.agg({
        total: { sum: 'i4' },
        last: { last: 'u1' },
        kinds: { countDistinct: 's5' },
        least: { min: 't3' },
      });
      expect(found, where).toEqual({
        total: rows.reduce((sum, row) => sum + i4[row]!, 0),
        last: rows.length === 0 ? null : u1[rows.at(-1)!],
        kinds: new Set(rows.map((row) => s5[row])).size,
        least: extreme(
          '<U3',
          rows.map((row) => t3[row]!),
          -1,
        ),
      });
      const groups = new Map<number, number>();
      for (const row of rows) groups.set(u1[row]!, (groups.get(u1[row]!) ?? 0) + i4[row]!);
      const grouped = await view.groupBy('u1').agg({ total: { sum: 'i4' } });
      expect([...(grouped.columns['u1'] as ArrayLike<number> as number[])], where).toEqual([...groups.keys()]);
      expect([...(grouped.columns['total'] as ArrayLike<number> as number[])], where).toEqual([...groups.values()]);
      const some = from.slice(100, 2001).where(where).slice(1, 40, 3);
      expect([...some.resolveSync().rowNumbers()], where).toEqual(
        rows
          .filter((row) => row >= 100 && row < 2001)
          .slice(1, 40)
          .filter((_, index) => index % 3 === 0),
      );
    }
  });
});
