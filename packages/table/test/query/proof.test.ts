// "This statistic proves that nothing matches": a proof is never wrong, whatever is missing, widened or cut, and proofs
// do happen.
import { tableArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindPredicate, provesAllMatch, provesNoMatch } from '../../src/index.ts';
import type { ColumnStatistics } from '../../src/index.ts';
import { oracleOf } from '../support/tables.ts';
import { fieldsOf } from './batches.ts';
import { evaluate } from './oracle.ts';
import { Draw, randomCondition, toExpression } from './random-predicates.ts';
import { randomStatistics } from './random-statistics.ts';

const DTYPES = [
  'bool',
  'int8',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float32',
  'float64',
  'datetime64[us]',
  'datetime64[D]',
  'timedelta64[ns]',
  'S5',
  'U3',
  'string',
  'binary',
];
const NAT = -(2n ** 63n);

describe('a proof is never wrong', () => {
  it('for any predicate, table and statistics', () => {
    const proofs = { nothing: 0, all: 0, runs: 0 };
    fc.assert(
      fc.property(
        tableArbitrary({ dtypes: DTYPES, nullable: true, mostRows: 6, mostColumns: 3 }),
        fc.integer({ min: 0 }),
        (table, seed) => {
          const draw = new Draw(seed);
          const statistics = table.columns.map((column) => randomStatistics(draw, column));
          for (let each = 0; each < 4; each += 1) {
            // Most are short: about those the statistics say most.
            const tree = randomCondition(draw, table, each === 0 ? 2 : 0);
            const predicate = bindPredicate(toExpression(tree), fieldsOf(table));
            const reason = provesNoMatch(predicate, (column) => statistics[column] ?? null);
            const all = provesAllMatch(predicate, (column) => statistics[column] ?? null);
            const truths = Array.from({ length: table.rowCount }, (_, row) => evaluate(tree, row) === true);
            const context = () =>
              `${predicate.text}: ${String(reason)} / ${String(all)} of ` + JSON.stringify(statistics, withBigints);
            if (reason !== null && truths.includes(true)) expect.fail(context());
            if (all && truths.includes(false)) expect.fail(context());
            if (table.rowCount === 0 || predicate.root.kind === 'constant') continue;
            proofs.runs += 1;
            if (reason !== null) proofs.nothing += 1;
            if (all) proofs.all += 1;
          }
        },
      ),
      { numRuns: 1000 },
    );
    expect(proofs.nothing / proofs.runs).toBeGreaterThan(0.1);
    expect(proofs.all / proofs.runs).toBeGreaterThan(0.02);
  });
});

describe('what statistics prove', () => {
  const table = oracleOf({
    a: ['float64?', [1]],
    i: ['int64', [1n]],
    j: ['int64', [1n]],
    s: ['string', ['m']],
    t: ['datetime64[s]', [1n]],
    b: ['bool', [true]],
    u: ['datetime64[us]', [1n]],
    d: ['datetime64[D]', [1n]],
    g: ['datetime64', [1n]],
    span: ['timedelta64[s]', [1n]],
    raw: ['binary', [Uint8Array.of(1)]],
  });
  const exact: ColumnStatistics = {
    rowCount: 10,
    nullCount: 0,
    nanCount: 0,
    min: 100,
    max: 4300,
    minExact: true,
    maxExact: true,
  };
  const reason = (text: string, statistics: Partial<ColumnStatistics>): string | null =>
    provesNoMatch(bindPredicate(text, fieldsOf(table), { bytes: Uint8Array.of(255) }), () => ({
      ...exact,
      ...statistics,
    }));
  const all = (text: string, statistics: Partial<ColumnStatistics>): boolean =>
    provesAllMatch(bindPredicate(text, fieldsOf(table)), () => ({ ...exact, ...statistics }));

  it.each([
    ['a >= 4500', {}, 'a: max 4300 < 4500'],
    ['a > 4300', {}, 'a: max 4300 <= 4300'],
    ['a < 100', {}, 'a: min 100 >= 100'],
    ['a == 99', {}, 'a: min 100 > 99'],
    ['a between 1 and 99', {}, 'a: min 100 > 99'],
    ['a in (1, 5000)', {}, 'a: none of the 2 values lies in 100 to 4300'],
    ['a is null', {}, 'a: no row is null'],
    ['a is not null', { nullCount: 10 }, 'a: every row is null'],
    ['a > 1', { nullCount: 10 }, 'a: every row is null'],
    ['a < 1 or a > 5000', {}, 'a: min 100 >= 1, a: max 4300 <= 5000'],
    ['a != 7', { min: 7, max: 7 }, 'a: every value is 7'],
    ['a > 1', { nullCount: 4, nanCount: 6, min: null, max: null }, 'a: every row is null or NaN'],
    ['not (a < 5000)', {}, 'a: max 4300 < 5000'],
    ["startsWith(s, 'ab')", { min: 'b', max: 'c' }, "s: min 'b' is beyond all that begins with 'ab'"],
    ["s > 'x'", { min: 'a', max: 'c', maxExact: false }, "s: max 'c' <= 'x'"],
    ["s == 'q'", { min: Uint8Array.of(0x61), max: Uint8Array.of(0x70, 0xf0) }, "s: max 'p\ufffd' < 'q'"],
    ['b', { min: false, max: false }, 'b: max false < true'],
    ['i > 9007199254740993', { min: 0n, max: 2n ** 53n + 1n }, 'i: max 9007199254740993 <= 9007199254740993'],
    // As they are typed: whole numbers without a suffix, moments as text, whatever the column's ticks are.
    ['i > 134999', { min: 0n, max: 134999n }, 'i: max 134999 <= 134999'],
    ['i in (1, 2)', { min: 5n, max: 9n }, 'i: none of the 2 values lies in 5 to 9'],
    [
      "u >= '2024-02-01'",
      { min: 0n, max: 1_706_659_200_000_000n },
      "u: max '2024-01-31T00:00:00' < '2024-02-01T00:00:00'",
    ],
    [
      "u < '2024-01-01T10:00'",
      { min: 1_704_103_200_500_000n, max: null },
      "u: min '2024-01-01T10:00:00.500' >= '2024-01-01T10:00:00'",
    ],
    ['u > 4n', { min: 0n, max: 1n }, "u: max '1970-01-01T00:00:00.000001' <= '1970-01-01T00:00:00.000004'"],
    ["d == '1999-12-31'", { min: 10_957n, max: 20_000n }, "d: min '2000-01-01' > '1999-12-31'"],
    ["d != '2000-01-01'", { min: 10_957n, max: 10_957n }, "d: every value is '2000-01-01'"],
    ["t < '1969'", { min: 0n, max: 1n }, "t: min '1970-01-01T00:00:00' >= '1969-01-01T00:00:00'"],
    ['g > 5n', { min: 0n, max: 4n }, 'g: max 4n <= 5n'],
    ['span > 5n', { min: 0n, max: 4n }, 'span: max 4n <= 5n'],
    ["s > 'it\\'s'", { min: 'a', max: "it's" }, "s: max 'it\\'s' <= 'it\\'s'"],
    ['a + 1 > 9999', {}, 'a: no value in 101 to 4301 is > one in 9999'],
    ['not (a * 2 >= 200)', {}, 'a: no value in 200 to 8600 is not >= one in 200'],
    ['i % 7 == 7', {}, 'i: no value in 0 to 6 is == one in 7'],
    ['i % 10 == 3', { min: 104n, max: 109n }, 'i: no value in 4 to 9 is == one in 3'],
    ['i // 10 != 10', { min: 104n, max: 109n }, 'i: no value in 10 is not == one in 10'],
    ['a / i > 50', {}, 'a, i: no value in 0.023255813953488372 to 43 is > one in 50'],
    ['abs(a) < 5', { min: -9, max: -5 }, 'a: no value in 5 to 9 is < one in 5'],
    ['month(u) == 13', {}, 'u: no value in 1 is == one in 13'],
    ['month(d) > 3', { min: 10_957n, max: 11_047n }, 'd: no value in 1 to 3 is > one in 3'],
    ['hour(u) == 5', { min: 0n, max: 4n * 3_600_000_000n }, 'u: no value in 0 to 4 is == one in 5'],
    ['weekday(d) == 6', { min: 4n, max: 9n }, 'd: no value in 0 to 5 is == one in 6'],
    // A year is a range of moments.
    ['year(d) == 1999', { min: 10_957n, max: 20_000n }, "d: min '2000-01-01' > '1999-12-31'"],
    ['year(u) >= 1971', {}, "u: max '1970-01-01T00:00:00.004300' < '1971-01-01T00:00:00'"],
    ['raw == @bytes', { min: Uint8Array.of(0x61), max: Uint8Array.of(0x62) }, "raw: max x'62' < x'ff'"],
  ])('%s (%#)', (text, statistics, expected) => {
    expect(reason(text, statistics)).toBe(expected);
  });

  it.each([
    ['a >= 4500', { max: null }],
    ['a >= 4500', { max: NaN }],
    ['a is null', { nullCount: null }],
    ['not (a < 5000)', { nanCount: null }],
    ['not (a < 5000)', { nanCount: 1 }],
    ['a != 7', { min: 7, max: 7, nanCount: null }],
    ['a > 1', { nullCount: 4, nanCount: null, min: null, max: null }],
    ["startsWith(s, 'ab')", { min: 'abc', max: 'zz' }],
    ["s > 'x'", { max: 3 }],
    ['t > 5n', { min: NAT, max: null }],
    ['t != 5n', { min: 5n, max: 5n, nanCount: null }],
    ['i > 9007199254740992', { min: 0n, max: 2n ** 53n + 1n }],
    ['a + 1 > 9999', { max: Infinity }],
    ['not (a + 1 > 9)', { nanCount: null }],
    ['a + 1 != 8', { min: 7, max: 7, nanCount: 1 }],
    ['i * 2 > 9', { min: 0n, max: 2n ** 53n }],
    ['i - j == 1', { min: 2n ** 53n, max: 2n ** 53n + 1n }],
    ['a / i > 50', { min: 0, max: 0 }],
    ['a % 3 > 2', {}],
    ['month(d) == 3', { min: 10_957n, max: 12_000n }],
    ['sqrt(a) > 100', { min: -1 }],
    ['exp(a) < 0', {}],
    ['s > @cut', { min: 'a', max: Uint8Array.of(0xef, 0xbf, 0xbf) }],
  ])('nothing: %s (%#)', (text, statistics) => {
    expect(
      provesNoMatch(bindPredicate(text, fieldsOf(table), { cut: '\u{1f600}'.slice(0, 1) }), () => ({
        ...exact,
        ...(statistics as Partial<ColumnStatistics>),
      })),
    ).toBe(null);
  });

  it('a list matches nothing where none of it lies between the bounds, however long it is', () => {
    const number = fc.integer({ min: 0, max: 60 });
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\u{1f600}', '\ud83d'), maxLength: 3 });
    const bounds = fc.option(number, { nil: null });
    fc.assert(
      fc.property(fc.array(number, { minLength: 2, maxLength: 40 }), bounds, bounds, (list, min, max) => {
        fc.pre(min === null || max === null || min <= max);
        const isBetween = (value: number): boolean => (min === null || value >= min) && (max === null || value <= max);
        const predicate = bindPredicate('a in @list', fieldsOf(table), { list });
        const statistics = (): ColumnStatistics => ({ ...exact, min, max });
        expect(provesNoMatch(predicate, statistics) === null).toBe(list.some(isBetween));
        expect(provesAllMatch(predicate, statistics)).toBe(min !== null && min === max && list.includes(min));
      }),
    );
    // Half a character is in no column's bytes, whatever is on its either side.
    const bytes = fc.constantFrom('', 'a', 'ab', 'b', 'é', 'éa', '\u{1f600}');
    const isHalf = (text: string): boolean => /\p{Surrogate}/u.test(text);
    const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
    fc.assert(
      fc.property(fc.array(letters, { minLength: 2, maxLength: 20 }), bytes, bytes, (list, one, other) => {
        const [min, max] = [utf8(one), utf8(other)].sort(Buffer.compare) as [Uint8Array, Uint8Array];
        const predicate = bindPredicate('s in @list', fieldsOf(table), { list });
        const isProven = provesNoMatch(predicate, () => ({ ...exact, min, max })) !== null;
        const mayMatch = list.some((text) => {
          const found = utf8(text);
          return !isHalf(text) && Buffer.compare(found, min) >= 0 && Buffer.compare(found, max) <= 0;
        });
        if (mayMatch) expect(isProven).toBe(false);
        else if (!list.some(isHalf)) expect(isProven).toBe(true);
      }),
    );
  });

  it('that every row matches: only without nulls and NaN', () => {
    expect(all('a > 99', {})).toBe(true);
    expect(all('a > 99', { nullCount: 1 })).toBe(false);
    expect(all('a > 99', { nullCount: null })).toBe(false);
    expect(all('a > 99', { nanCount: 1 })).toBe(false);
    expect(all('not (a < 99)', { nanCount: 1 })).toBe(true);
    expect(all('a > 100', {})).toBe(false);
    expect(all('a is not null', {})).toBe(true);
    expect(all('a is null', { nullCount: 10 })).toBe(true);
    expect(all('a in (1, 7)', { min: 7, max: 7 })).toBe(true);
    expect(all("startsWith(s, 'ab')", { min: 'aba', max: 'abz' })).toBe(true);
    expect(all('a > 99 and a < 5000', {})).toBe(true);
    expect(all('a > 4299 or a > 99', {})).toBe(true);
    expect(all('a + 1 > 100', {})).toBe(true);
    expect(all('a + 1 > 100', { nanCount: 1 })).toBe(false);
    expect(all('a + 1 > 100', { nullCount: 1 })).toBe(false);
    expect(all('not (a + 1 < 100)', { nanCount: 1 })).toBe(true);
    expect(all('month(d) < 4', { min: 10_957n, max: 11_047n })).toBe(true);
    expect(all('month(d) < 4', { min: 10_957n, max: 11_047n, nanCount: 1 })).toBe(false);
    expect(all('year(d) == 2000', { min: 10_957n, max: 11_047n })).toBe(true);
    // Whoever takes NaT for the smallest integer counts none.
    expect(all('t <= 5n', { min: -3n, max: 5n })).toBe(true);
    expect(all('t <= 5n', { min: null, max: 5n })).toBe(false);
    expect(all('t <= 5n', { min: NAT, max: 5n })).toBe(false);
  });

  it('no rows prove everything, no statistics nothing', () => {
    expect(reason('a > 1', { rowCount: 0, nullCount: null })).toBe('a: no rows');
    expect(provesNoMatch(bindPredicate('a > 1', fieldsOf(table)), () => null)).toBe(null);
    expect(provesAllMatch(bindPredicate('a > 1', fieldsOf(table)), () => null)).toBe(false);
    expect(provesNoMatch(bindPredicate('1 > 2', fieldsOf(table)), () => null)).toBe('the predicate is true for no row');
  });
});

function withBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${String(value)}n` : value;
}
