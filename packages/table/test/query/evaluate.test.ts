// What predicates match, against a three-valued oracle: over batches in every form, over tables of any source, built
// and as text.
import { ALL_DTYPES, tableArbitrary } from '@colkit/testkit';
import type { OracleTable } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindPredicate, conjuncts, evaluateBatch, Table } from '../../src/index.ts';
import type { Chunk } from '../../src/index.ts';
import { selectBatch } from '../../src/query/evaluate/evaluate.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, tableFrom } from '../support/tables.ts';
import { evaluate } from './oracle.ts';
import { batchOf, fieldsOf } from './batches.ts';
import { Draw, randomCondition, toExpression } from './random-predicates.ts';

/** As many tables as are drawn for each property. */
const RUNS = 250;
const tables = tableArbitrary({
  dtypes: [...ALL_DTYPES, 'int64', 'uint64', 'float64', 'float32', 'int32', 'string'],
  nullable: true,
  mostRows: 20,
});
const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const matchesOf = (table: OracleTable, tree: Parameters<typeof evaluate>[0]): number[] =>
  Array.from({ length: table.rowCount }, (_, row) => row).filter((row) => evaluate(tree, row) === true);

describe('any predicate over any table', () => {
  it('matches what the oracle says, in batches of every form', () => {
    let telling = 0;
    fc.assert(
      fc.property(tables, seeds, (table, seed) => {
        const draw = new Draw(seed);
        const tree = randomCondition(draw, table, 3);
        const predicate = bindPredicate(toExpression(tree), fieldsOf(table));
        const expected = matchesOf(table, tree);
        if (expected.length > 0 && expected.length < table.rowCount) telling += 1;
        for (const form of ['plain', 'text', 'dictionary', 'utf8', 'utf8-codes'] as const) {
          const batch = batchOf(table, form);
          const mask = evaluateBatch(predicate, batch);
          expect(
            [...mask.keys()].filter((row) => mask[row] === 1),
            `${form}: ${predicate.text}`,
          ).toEqual(expected);
          // One conjunct after the other, on the rows that are left.
          let rows: Int32Array | undefined;
          for (const term of conjuncts(predicate)) rows = selectBatch(term, batch, rows).slice();
          expect([...rows!]).toEqual(expected);
          // Of some rows only.
          const some = Int32Array.from(
            Array.from({ length: table.rowCount }, (_, row) => row).filter(() => draw.below(2) === 0),
          );
          expect([...selectBatch(predicate, batch, some)]).toEqual(expected.filter((row) => some.includes(row)));
        }
      }),
      { numRuns: RUNS },
    );
    // Neither all rows nor none: else the property would say little.
    expect(telling).toBeGreaterThan(RUNS / 5);
  });

  it('and its negation are never both true, and where neither is, a null made it unknown', () => {
    fc.assert(
      fc.property(tables, seeds, (table, seed) => {
        const tree = randomCondition(new Draw(seed), table, 3);
        const batch = batchOf(table, 'plain');
        const [own, other] = [toExpression(tree), toExpression({ kind: 'not', operand: tree })].map((each) =>
          evaluateBatch(bindPredicate(each, fieldsOf(table)), batch),
        );
        for (let row = 0; row < table.rowCount; row += 1) {
          const truth = evaluate(tree, row);
          expect([own![row], other![row]]).toEqual(truth === null ? [0, 0] : truth === true ? [1, 0] : [0, 1]);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('means the same as text', () => {
    fc.assert(
      fc.property(tables, seeds, (table, seed) => {
        const tree = randomCondition(new Draw(seed), table, 3);
        const built = bindPredicate(toExpression(tree), fieldsOf(table));
        const parsed = bindPredicate(built.text, fieldsOf(table));
        expect(shown(parsed.root)).toEqual(shown(built.root));
      }),
      { numRuns: RUNS },
    );
  });

  it('reads the same through a table, whatever its segments, its strings and the form of the call', async () => {
    await fc.assert(
      fc.asyncProperty(tables, seeds, fc.boolean(), async (table, seed, dictionary) => {
        const tree = randomCondition(new Draw(seed), table, 2);
        const source = new MemoryTable(table, {
          splits: [Math.floor(table.rowCount / 3)],
          strings: dictionary ? 'dictionary' : 'values',
        });
        const view = new Table(source).where(toExpression(tree));
        const expected = matchesOf(table, tree);
        expect(view.countSync()).toBe(expected.length);
        expect(await view.count()).toBe(expected.length);
        const [column] = table.columns;
        const values = expected.map((row) => column!.values[row]);
        expect([...view.column(column!.name)]).toEqual(values);
        expect((await view.toRows()).map((row) => row[column!.name])).toEqual(values);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the meaning of special values', () => {
  const count = (columns: Parameters<typeof tableFrom>[0], text: string, params?: Record<string, unknown>): number =>
    tableFrom(columns).where(text, params).countSync();

  it.each([
    ['x == 1', 1],
    ['x != 1', 3],
    ['not (x == 1)', 3],
    ['x < 2', 2],
    ['not (x < 2)', 2],
    ['x >= 2', 1],
    ['x == nan', 0],
    ['x != nan', 4],
    ['x < inf', 3],
    ['x in (nan, 1)', 1],
    ['not (x in (nan))', 4],
    ['x == 0', 1],
    ['x < 0', 0],
    ['x >= -0.0', 3],
    ['x is null', 1],
    ['x is not null', 4],
    ['x == null', 0],
    ['not (x == null)', 0],
    ['x in (1, null)', 1],
    ['x not in (1, null)', 3],
    ['x in ()', 0],
    ['x not in ()', 4],
  ])('floats: %s matches %d of 1, 5, -0, NaN, null', (text, expected) => {
    expect(count({ x: ['float64?', [1, 5, -0, NaN, null]] }, text)).toBe(expected);
  });

  it.each([
    ['i > 9007199254740992', 1],
    ['i == 9007199254740993', 1],
    ['i == 9007199254740992', 0],
    ['i < f', 1],
    ['i == f', 0],
    ['i > d', 1],
    ['i == d', 0],
    ['i > @d', 1],
    ['i == @i', 1],
    ['most + 1 > 9223372036854775807', 1],
    ['most + 1 == 9223372036854775808', 1],
    ['most * most == 85070591730234615847396907784232501249', 1],
    ['-most - 2 < -9223372036854775808', 1],
    ['u + 1 == 18446744073709551616', 1],
    ['u > -1', 1],
    ['u > most', 1],
    ['u < 18446744073709551616', 1],
    ['u < 1e300', 1],
    ['most < 9223372036854775807.0', 1],
    ['most % 10 == 7', 1],
    ['most / 1 == 9223372036854775808', 1],
    ['low * low == 4611686014132420609', 1],
    ['low * low == 4611686014132420608', 0],
  ])('64-bit integers are exact: %s matches %d', (text, expected) => {
    const columns = {
      i: ['int64', [2n ** 53n + 1n]],
      f: ['float64', [2 ** 53 + 2]],
      d: ['float64', [2 ** 53]],
      most: ['int64', [2n ** 63n - 1n]],
      u: ['uint64', [2n ** 64n - 1n]],
      low: ['int64', [1n - 2n ** 31n]],
    } as const;
    expect(count(columns, text, { d: 2 ** 53, i: 2n ** 53n + 1n })).toBe(expected);
  });

  it.each([
    ["t < '2024-01-01'", 1],
    ["t <= '2023-12-31T23:59:59.5'", 1],
    ["t > '2023-12-31T23:59:59.5'", 1],
    ["t == '2024-01-01T00:00:00.25'", 0],
    ["t != '2024-01-01T00:00:00.25'", 3],
    ['t == @date', 1],
    ['t == 1704067200n', 1],
    ["t < '9999-01-01'", 2],
    ["t > '-9999-01-01'", 2],
    ["t == 'NaT'", 0],
    ["t != 'NaT'", 3],
    ["t between '2023-01-01' and '2025-01-01'", 2],
    ["not (t < '9999-01-01')", 1],
  ])('moments: %s matches %d of 2023, 2024, NaT', (text, expected) => {
    expect(
      count({ t: ['datetime64[s]', [1672531200n, 1704067200n, -(2n ** 63n)]] }, text, { date: new Date('2024-01-01') }),
    ).toBe(expected);
  });

  it('text goes by code point, not by UTF-16 unit', () => {
    const values = ['\u{ff61}', '\u{1f600}'];
    for (const dtype of ['string', 'U2'])
      expect(
        tableFrom({ s: [dtype, values] })
          .where('s > @s', { s: '\u{ff61}' })
          .toColumnsSync()['s'],
      ).toEqual(['\u{1f600}']);
  });

  it.each([
    ['-7 % 3 == x', [2]],
    ['7 % -3 == x', [-2]],
    ['-7.5 % 2 == x', [0.5]],
    ['x / 0 == inf', [2, 0.5]],
    ['x % 0 is null', []],
    ['1 / 2 == x', [0.5]],
  ])('arithmetic as in Python: %s', (text, expected) => {
    expect([
      ...(tableFrom({ x: ['float64', [2, -2, 0.5]] })
        .where(text)
        .toColumnsSync()['x'] as Float64Array),
    ]).toEqual(expected);
  });

  it('an integer modulo 0 is null', () => {
    expect(count({ i: ['int32', [1, 2]] }, 'i % 0 is null')).toBe(2);
    expect(count({ i: ['int64', [2n ** 60n, 2n]] }, 'i % 0 is null')).toBe(2);
    expect(count({ i: ['int32', [1, 2]] }, 'not (i % 0 == 1)')).toBe(0);
    expect(count({ i: ['int32', [1, 2]] }, '7 % (1 - 1) is null')).toBe(2);
  });

  it('a whole double stays a double, and modulo it is NaN', () => {
    for (const zero of ['(0.5 - 0.5)', '-(-0.0)', '(0 / 5)']) {
      expect([
        zero,
        count({ i: ['int64', [1n, 2n]] }, `i % ${zero} is null`),
        count({ i: ['int64', [1n, 2n]] }, `7 % ${zero} is null`),
      ]).toEqual([zero, 0, 0]);
    }
    expect(count({ i: ['int64', [2n ** 53n]] }, 'i + (0.5 + 0.5) == 9007199254740992')).toBe(1);
    expect(count({ i: ['int64', [2n ** 53n]] }, 'i + 1 == 9007199254740992')).toBe(0);
    // Operands that doubles hold, results that they do not.
    for (const text of [
      'i + 2 == 9007199254740993',
      '3 * t == 9007199254740993',
      '-i - 2 == -9007199254740993',
      'i + i == 18014398509481982',
      't + t + t == 9007199254740993',
      'i + 2 > 9007199254740992',
    ]) {
      expect([text, count({ i: ['int64', [2n ** 53n - 1n]], t: ['int64', [3002399751580331n]] }, text)]).toEqual([
        text,
        1,
      ]);
    }
  });
});

it('a batch that does not fit the predicate is refused', () => {
  const table = oracleOf({ a: ['int32', [1, 2]], b: ['int64?', [1n, null]] });
  const predicate = bindPredicate('a > 1 and b > 1', fieldsOf(table));
  const good = batchOf(table, 'plain');
  const b = good.columns.get(1)!;
  const fixed = (rowCount: number, byteLength: number): Chunk => ({
    kind: 'fixed',
    rowCount,
    bytes: new Uint8Array(byteLength),
    validity: null,
  });
  const faulty: [string, Map<number, Chunk>][] = [
    ['missing', new Map([[0, good.columns.get(0)!]])],
    ['narrower items', new Map([...good.columns, [1, fixed(2, 8)]])],
    ['fewer bytes', new Map([...good.columns, [0, fixed(2, 4)]])],
    ['fewer rows', new Map([...good.columns, [0, fixed(1, 8)]])],
    ['short validity', new Map([...good.columns, [1, { ...b, validity: new Uint8Array(0) }]])],
    ['text', new Map([...good.columns, [0, { kind: 'values', rowCount: 2, values: ['', ''], validity: null }]])],
  ];
  for (const [, columns] of faulty)
    expect(() => evaluateBatch(predicate, { rowCount: 2, columns })).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT' }),
    );
  for (const rows of [[1, 0], [0, 0], [2], [-1]])
    expect(() => selectBatch(predicate, good, Int32Array.from(rows))).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT' }),
    );
});

/** Bound trees with big values made comparable. */
function shown(root: unknown): unknown {
  return JSON.parse(
    JSON.stringify(root, (_, value: unknown) =>
      typeof value === 'bigint'
        ? `${String(value)}n`
        : typeof value === 'number' && !Number.isFinite(value)
          ? String(value)
          : Object.is(value, -0)
            ? '-0'
            : value,
    ),
  );
}
