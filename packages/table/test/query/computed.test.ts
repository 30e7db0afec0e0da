// Comparisons of computed values: what is said of a stretch of rows by its statistics, and of its rows, beside the
// oracle. Values lie near one another, as those of a page of sorted rows do, at edges of years, days and exact doubles.
import type { OracleTable } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindPredicate, evaluateBatch, provesAllMatch, provesNoMatch } from '../../src/index.ts';
import { oracleOf } from '../support/tables.ts';
import { batchOf, fieldsOf } from './batches.ts';
import { evaluate } from './oracle.ts';
import type { Constant, Tree } from './oracle.ts';
import { Draw, OPS, randomNumber, randomPart, toExpression } from './random-predicates.ts';
import { randomStatistics } from './random-statistics.ts';

const NAT = -(2n ** 63n);
const LARGEST = 2n ** 63n - 1n;
/** Days of 1999-12-31, 2000-02-28, 1969-12-31, 0000-12-31 and 1600-02-29. */
const DAYS = [10_956n, 11_015n, -1n, -719_163n, -135_081n] as const;
const DAYS_APART = [0n, 1n, 2n, 6n, 30n, 366n];
const TICKS = { D: 1n, s: 86_400n, us: 86_400_000_000n, ns: 86_400_000_000_000n } as const;

function nearMoments(draw: Draw, unit: keyof typeof TICKS, count: number): readonly (bigint | null)[] {
  const perDay = TICKS[unit];
  const start =
    draw.below(6) === 0
      ? draw.of([NAT + 400n, LARGEST - 400n, 0n])
      : BigInt.asIntN(64, draw.of(DAYS) * perDay + draw.of([0n, perDay / 24n, perDay - 1n, -1n]));
  const apart = [...DAYS_APART.map((days) => days * perDay), perDay / 24n, perDay / 1440n, 1n];
  return Array.from({ length: count }, () => {
    if (draw.below(12) === 0) return draw.of([null, NAT]);
    const tick = start + draw.of(apart);
    return tick > LARGEST ? LARGEST : tick;
  });
}

function nearNumbers(draw: Draw, count: number, isWide: boolean): readonly (bigint | number | null)[] {
  const start = isWide ? draw.of([0n, 5n, -3n, 2n ** 53n - 2n, -(2n ** 53n), LARGEST - 3n]) : draw.of([0, 7, -9, 250]);
  return Array.from({ length: count }, () => {
    if (draw.below(12) === 0) return null;
    return typeof start === 'bigint' ? start + BigInt(draw.below(4)) : start + draw.below(4);
  });
}

function nearFloats(draw: Draw, count: number): readonly (number | null)[] {
  const start = draw.of([0, -0, 2.5, -1.5, 1e300, -1e-300]);
  return Array.from({ length: count }, () =>
    draw.below(10) === 0 ? draw.of([null, Number.NaN, Infinity, -Infinity]) : start + draw.of([0, 0, 0.5, 1]),
  );
}

function nearTable(draw: Draw): OracleTable {
  const count = 1 + draw.below(5);
  return oracleOf({
    d: ['datetime64[D]?', nearMoments(draw, 'D', count)],
    s: ['datetime64[s]?', nearMoments(draw, 's', count)],
    u: ['datetime64[us]?', nearMoments(draw, 'us', count)],
    n: ['datetime64[ns]?', nearMoments(draw, 'ns', count)],
    v: ['datetime64[us]?', nearMoments(draw, 'us', count)],
    i: ['int16?', nearNumbers(draw, count, false)],
    w: ['int64?', nearNumbers(draw, count, true)],
    x: ['int64?', nearNumbers(draw, count, true)],
    f: ['float64?', nearFloats(draw, count)],
  });
}

function randomComparison(draw: Draw, table: OracleTable): Tree {
  const moments = table.columns.slice(0, 5);
  const choice = draw.below(10);
  const tree: Tree =
    choice < 4
      ? randomPart(draw, draw.of(moments))
      : choice > 7
        ? randomList(draw, table)
        : {
            kind: 'compare',
            op: draw.of(OPS),
            ...(choice === 4
              ? {
                  left: { kind: 'column', column: draw.of(moments) },
                  right: { kind: 'column', column: draw.of(moments) },
                }
              : { left: randomNumber(draw, table, 2), right: randomNumber(draw, table, 1) }),
          };
  return draw.below(3) === 0 ? { kind: 'not', operand: tree } : tree;
}

/** What a computed number is in some row, and others. */
function randomList(draw: Draw, table: OracleTable): Tree {
  const operand = randomNumber(draw, table, 2);
  const near = (): Constant => {
    const value = evaluate(operand, draw.below(table.rowCount)) as number | bigint | null;
    return draw.below(3) === 0 ? draw.of([0, 1n, 2.5, 2 ** 53 + 2, 2n ** 53n + 1n, NaN, Infinity, null]) : value;
  };
  return { kind: 'isIn', operand, values: Array.from({ length: draw.below(5) }, near) };
}

describe('a comparison of computed values', () => {
  it('matches what the oracle says, and what statistics prove of it is so', () => {
    const proofs = { nothing: 0, all: 0, runs: 0 };
    fc.assert(
      fc.property(fc.integer({ min: 0 }), (seed) => {
        const draw = new Draw(seed);
        const table = nearTable(draw);
        const statistics = table.columns.map((column) => randomStatistics(draw, column));
        const batch = batchOf(table, 'plain');
        for (let each = 0; each < 6; each += 1) {
          const tree = randomComparison(draw, table);
          const predicate = bindPredicate(toExpression(tree), fieldsOf(table));
          const truths = Array.from({ length: table.rowCount }, (_, row) => Number(evaluate(tree, row) === true));
          const nothing = provesNoMatch(predicate, (column) => statistics[column] ?? null);
          const all = provesAllMatch(predicate, (column) => statistics[column] ?? null);
          expect([...evaluateBatch(predicate, batch)], predicate.text).toEqual(truths);
          if (nothing !== null) expect(truths, `${predicate.text}: ${nothing}`).not.toContain(1);
          if (all) expect(truths, predicate.text).not.toContain(0);
          proofs.runs += 1;
          proofs.nothing += Number(nothing !== null);
          proofs.all += Number(all);
        }
      }),
      { numRuns: 1500 },
    );
    expect(proofs.nothing / proofs.runs).toBeGreaterThan(0.12);
    expect(proofs.all / proofs.runs).toBeGreaterThan(0.05);
  });
});
