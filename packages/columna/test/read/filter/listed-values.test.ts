// `in`, `not in`, `!=`, `not between` and `is null` beside plain JavaScript: the addon and TypeScript find the same
// rows, whatever the type, how the page is encoded, how long the list is and what is in it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openSync, writeSync } from '../../../src/index.ts';
import { PageJobs } from '../../../src/read/pages/jobs/page-jobs.ts';
import { backendsToAsk } from '../../support/backends.ts';

type Value = number | bigint | string | boolean | null;

const BACKENDS = backendsToAsk();
const ROWS = 1200;
const folder = mkdtempSync(join(tmpdir(), 'columna-listed-'));
afterEach(() => {
  setDefaultBackend('js');
  vi.restoreAllMocks();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The least and the greatest values, what lies around them, and what no column holds. */
const EDGES: readonly Value[] = [
  ...[0, -0, 1, -1, 0.5, -0.1, 127, 128, -128, -129, 255, 256, 32_767, 32_768, -32_768, 65_535, 65_536, NaN, Infinity],
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 32 - 1, 2 ** 32, 2 ** 53, 1e300, -Infinity, 5e-324, Math.fround(0.1), 0.1],
  ...[2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 63n) + 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, 1n << 32n],
];

interface Kind {
  readonly type: string;
  /** Whether a column holds a value as it is. */
  readonly holds: (value: number | bigint) => boolean;
  readonly own: (value: number) => Value;
}

const whole = (low: bigint, high: bigint) => (value: number | bigint) =>
  (typeof value === 'bigint' || Number.isInteger(value)) && value >= low && value <= high && !Object.is(value, -0);
const small = (value: number): Value => value;
const wide = (value: number): Value => BigInt(value);
const KINDS: readonly Kind[] = [
  { type: 'int8', holds: whole(-128n, 127n), own: (value) => value % 100 },
  { type: 'uint8', holds: whole(0n, 255n), own: (value) => value % 200 },
  { type: 'int16', holds: whole(-32_768n, 32_767n), own: (value) => value % 30_000 },
  { type: 'uint16', holds: whole(0n, 65_535n), own: small },
  { type: 'int32', holds: whole(-(2n ** 31n), 2n ** 31n - 1n), own: small },
  { type: 'uint32', holds: whole(0n, 2n ** 32n - 1n), own: small },
  { type: 'int64', holds: whole(-(2n ** 63n), 2n ** 63n - 1n), own: wide },
  { type: 'uint64', holds: whole(0n, 2n ** 64n - 1n), own: wide },
  { type: 'datetime64[us]', holds: (value) => typeof value === 'bigint' && value < 2n ** 63n, own: wide },
  {
    type: 'float32',
    holds: (value) => typeof value === 'number' && (Number.isNaN(value) || Math.fround(value) === value),
    own: (value) => value / 4,
  },
  { type: 'float64', holds: (value) => typeof value === 'number', own: (value) => value / 100 },
];

const isWide = (type: string): boolean => type.includes('64') && type !== 'float64';

/** Edges that a column holds, and values near each other, as a mode or distribution makes them. */
function valuesOf({ type, holds, own }: Kind, distinct: number, withEdges: boolean): Value[] {
  const random = createRandom(distinct);
  const edges = EDGES.filter((value) => holds(value as number)).map((value) =>
    isWide(type) ? BigInt(value as number) : value,
  );
  return Array.from({ length: ROWS }, (_, row) => {
    if (row % 17 === 3) return null;
    if (withEdges && row % 23 === 5) return random.pick(edges);
    return own(random.integer(distinct));
  });
}

/** As it is meant: numbers by their exact values; NaN, NaT and null are equal to nothing. */
function equals(type: string, value: Value, listed: Value): boolean {
  if (value === null || listed === null) return false;
  if (type.startsWith('datetime') && (value === -(2n ** 63n) || listed === -(2n ** 63n))) return false;
  return value == listed;
}

function listsFor({ type, own }: Kind, values: readonly Value[]): Value[][] {
  const own200 = Array.from({ length: 200 }, (_, i) => own(3 * i));
  const all = [...EDGES, null, ...own200, ...own200.slice(0, 40)];
  const usable = type.startsWith('datetime') ? all.filter((value) => value === null || typeof value === 'bigint') : all;
  return [
    [values[0] as Value, values[1] as Value],
    usable,
    // More than a page has rows, most of them far away.
    [...usable, ...Array.from({ length: 1500 }, (_, i) => (isWide(type) ? BigInt(i) * 7n : i * 7))],
    isWide(type) ? [2n ** 64n - 1n, -5n] : [-5, 1e18],
  ];
}

/** As they stand in a predicate: some around all values, or none. */
function boundsFor({ type, own }: Kind): readonly (readonly [string, string])[] {
  const suffix = type.startsWith('datetime') ? 'n' : '';
  const some = own(37);
  const bounds = [
    ['0', '1'],
    ['-1', '100'],
    ['20', String(some)],
    ['200', '40000'],
    ['-9000000000000000000', '9000000000000000000'],
  ].map((pair) => pair.map((bound) => bound + suffix) as [string, string]);
  return type.startsWith('float') ? [...bounds, ['-inf', '0.25'], ['0.01', 'inf'], ['-0.0', '0']] : bounds;
}

function isWithin(type: string, given: Value, low: string, high: string | null): boolean {
  const value = given as number | bigint | null;
  if (value === null || (type.startsWith('datetime') && value === -(2n ** 63n))) return false;
  const bound = (text: string): number | bigint =>
    text.includes('inf') ? Number(text.replace('inf', 'Infinity')) : text.includes('.') ? Number(text) : integer(text);
  return value >= bound(low) && (high === null || value <= bound(high));
}

function integer(text: string): bigint {
  return BigInt(text.replace('n', ''));
}

const FORMS: readonly (readonly [string, number, boolean, object])[] = [
  ['packed', 60_000, false, {}],
  ['with values far away', 60_000, true, {}],
  ['plain', 60_000, true, { mode: 'plain' }],
  ['few values', 40, true, {}],
  ['one value', 1, false, {}],
];

describe.each(FORMS)('%s', (form, distinct, withEdges, options) => {
  it.each(KINDS)('$type', async (kind) => {
    const path = join(folder, `${form}-${kind.type}.cna`.replaceAll(/[^\w.-]/gu, '-'));
    const values = valuesOf(kind, distinct, withEdges);
    const rows = Int32Array.from(values.keys());
    const schema = { x: kind.type, row: 'int32' };
    writeSync(path, { x: values, row: rows }, { schema, pageRows: 400, rowGroupSize: 800, ...options } as object);
    const lists = listsFor(kind, values).map((list) => ({
      list,
      isIn: values.map((value) => list.some((one) => equals(kind.type, value, one))),
    }));
    for (const backend of BACKENDS) {
      setDefaultBackend(backend);
      const table = openSync(path, { backend });
      const found = async (where: string, v: unknown): Promise<number[]> => {
        const view = table.where(where, { v });
        const { row } = (await view.toColumns()) as { row: Int32Array };
        expect(await view.count()).toBe(row.length);
        return Array.from(row);
      };
      const expected = (passes: (row: number) => boolean): number[] =>
        [...rows].filter((row) => values[row] !== null && passes(row));
      for (const { list, isIn } of lists) {
        const [inside, outside] = [expected((row) => isIn[row] === true), expected((row) => isIn[row] === false)];
        expect(await found('x in @v', list)).toEqual(inside);
        expect(await found('x not in @v', list)).toEqual(outside);
        expect(await found('x in @v and row >= 300', list)).toEqual(inside.filter((row) => row >= 300));
        expect(await found('row % 2 == 0 and x not in @v', list)).toEqual(outside.filter((row) => row % 2 === 0));
      }
      for (const one of lists[1]!.list.slice(0, 40)) {
        if (one === null) continue;
        expect(await found('x != @v', one)).toEqual(expected((row) => !equals(kind.type, values[row] as Value, one)));
      }
      for (const [low, high] of boundsFor(kind)) {
        const isBetween = (row: number): boolean => isWithin(kind.type, values[row] as Value, low, high);
        expect(await found(`x between ${low} and ${high}`, 0)).toEqual(expected(isBetween));
        expect(await found(`x not between ${low} and ${high}`, 0)).toEqual(expected((row) => !isBetween(row)));
        expect(await found(`row >= 400 and not (x >= ${low})`, 0)).toEqual(
          expected((row) => row >= 400 && !isWithin(kind.type, values[row] as Value, low, null)),
        );
      }
      const nulls = [...rows].filter((row) => values[row] === null);
      expect(await found('x is null', 0)).toEqual(nulls);
      expect(await found('x is not null', 0)).toEqual([...rows].filter((row) => values[row] !== null));
      expect(await found('x is null and row < 500', 0)).toEqual(nulls.filter((row) => row < 500));
      expect(await found('x is null or row < 100', 0)).toEqual(
        [...rows].filter((row) => values[row] === null || row < 100),
      );
      expect(await table.where('x is null').agg({ n: { sum: 'row' } })).toEqual({
        n: nulls.reduce((a, b) => a + b, 0),
      });
      table.close();
    }
  });
});

const TEXTS = ['', 'e\u0301', 'x'.repeat(300), 'user-000017', ...' aAéßİ\u212a😀\u0000'];

it.each([
  ['as they are', { mode: 'plain' }, 5000],
  ['in symbols', { encodings: { t: 'ONPAIR' } }, 5000],
  ['in blocks', { encodings: { t: 'BLOCKS' } }, 5000],
  ['in matches', { encodings: { t: 'MATCHES' } }, 5000],
  ['sharing', { encodings: { t: 'FRONT' } }, 5000],
  ['repeated', {}, 300],
  ['in a dictionary', {}, 30],
])('texts %s', async (form, options, distinct) => {
  const path = join(folder, `texts-${form.replaceAll(' ', '-')}.cna`);
  const random = createRandom(distinct);
  const name = (number: number): string => `user-${String(number).padStart(6, '0')}`;
  const texts = Array.from({ length: ROWS }, (_, row) =>
    row % 19 === 4 ? null : row % 7 === 0 && distinct !== 30 ? random.pick(TEXTS) : name(random.integer(distinct)),
  );
  writeSync(path, { t: texts }, { pageRows: 400, rowGroupSize: 800, ...options } as object);
  const listed = Array.from({ length: 2000 }, (_, i) => name(3 * i));
  for (const backend of BACKENDS) {
    setDefaultBackend(backend);
    const table = openSync(path, { backend });
    for (const list of [
      TEXTS,
      [...TEXTS, ...TEXTS, null, 'no such text', ...listed],
      listed,
      // One of each length, and of a hash's few bits some.
      Array.from({ length: 400 }, (_, i) => 'y'.repeat(i)),
      [name(3), name(5)],
      ['😀', '😀\ud83d'],
    ]) {
      const isIn = (text: string | null): boolean => text !== null && list.includes(text);
      const found = async (where: string): Promise<unknown> =>
        ((await table.where(where, { v: list }).toColumns()) as { t: unknown }).t;
      expect(await found('t in @v')).toEqual(texts.filter(isIn));
      expect(await found('t not in @v')).toEqual(texts.filter((text) => text !== null && !isIn(text)));
      expect(await found('t is null')).toEqual(texts.filter((text) => text === null));
    }
    const any = TEXTS.map((text) => `t == '${text}'`).join(' or ');
    expect(await table.where(any).count()).toBe(texts.filter((text) => text !== null && TEXTS.includes(text)).length);
    table.close();
  }
});

it('columns of one dictionary, and of nulls only', async () => {
  const path = join(folder, 'joint.cna');
  const code = Array.from({ length: 4000 }, (_, row) => ((row * row) % 7 === 2 ? null : (row * row) % 7));
  const name = code.map((value) => (value === 4 || value === null ? null : `name ${String(value)}`));
  const nothing = code.map((): number | null => null);
  const schema = { code: 'int32', name: 'string', nothing: 'float64' };
  writeSync(path, { code, name, nothing }, { schema } as object);
  for (const backend of BACKENDS) {
    setDefaultBackend(backend);
    const table = openSync(path, { backend });
    const count = (where: string): Promise<number> => table.where(where).count();
    const rows = (passes: (row: number) => boolean): number => [...code.keys()].filter(passes).length;
    expect(await count('code is null')).toBe(rows((row) => code[row] === null));
    expect(await count('name is null and code is not null')).toBe(
      rows((row) => name[row] === null && code[row] !== null),
    );
    expect(await count('name is not null')).toBe(rows((row) => name[row] !== null));
    expect(await count('nothing is null and code == 1')).toBe(rows((row) => code[row] === 1));
    expect(await count('nothing is not null')).toBe(0);
    expect(await count('nothing not in (1, 2)')).toBe(0);
    table.close();
  }
});

it.runIf(BACKENDS.includes('native'))('the addon tests them', () => {
  setDefaultBackend('native');
  const path = join(folder, 'asked.cna');
  const random = createRandom(3);
  const x = Array.from({ length: ROWS }, () => (random.number() < 0.2 ? null : random.integer(60_000)));
  const f = Float64Array.from(x, () => random.number());
  writeSync(path, { x, f, t: Array.from(f, String) }, { schema: { x: 'int32', f: 'float64', t: 'string' } } as object);
  const table = openSync(path, { backend: 'native' });
  const selected = vi.spyOn(PageJobs.prototype, 'selectedOf');
  const v = [...f.subarray(0, 500), ...Array.from({ length: 1000 }, (_, i) => i * 9)];
  const wheres = [
    'x in @v',
    'x not in @v',
    'x != 7',
    'x is null',
    'x is not null',
    'f in @v',
    'f != 0.5',
    'f not in @v',
    'f not between 0.2 and 0.3',
    'not (f < 0.5)',
    'x not between 7 and 9',
  ];
  for (const where of wheres) {
    table.where(where, { v }).countSync();
    expect(selected.mock.results.length, where).toBeGreaterThan(0);
    expect(
      selected.mock.results.every(({ value }) => value !== null),
      where,
    ).toBe(true);
    selected.mockClear();
  }
  table.close();
});
