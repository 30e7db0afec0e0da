// The one implementation of "this statistic proves that nothing matches", and of its opposite, for every format. What
// is unknown proves nothing; a bound that was cut or widened is still a bound; nulls match no leaf but `isNull`, and
// NaN matches what a comparison does not.
import { assertNever } from '@colkit/io';
import { isColumnLeaf } from '../bound-predicate.ts';
import type { BoundNode, BoundPredicate, ColumnLeaf, ColumnRef } from '../bound-predicate.ts';
import type { ColumnStatistics, StatisticsOf } from './column-statistics.ts';
import { everyMatch, noMatch } from './proof-leaf.ts';
import { knownValues } from './known-values.ts';
import { everyComputedMatch, noComputedMatch } from './proof-computed.ts';
import { printName } from '../text/print.ts';

/**
 * Why no row can match, in words ("amount: max 4300 < 4500"); null where one might.
 * @param statisticsOf by column number; null where there are none. Asked at most once for each column of a leaf.
 */
export function provesNoMatch({ root }: BoundPredicate, statisticsOf: StatisticsOf): string | null {
  return nothingIn(root, statisticsOf);
}

/** Whether every row must match. */
export function provesAllMatch({ root }: BoundPredicate, statisticsOf: StatisticsOf): boolean {
  return everythingIn(root, statisticsOf);
}

function nothingIn(node: BoundNode, statisticsOf: StatisticsOf): string | null {
  switch (node.kind) {
    case 'constant':
      return node.matches ? null : 'the predicate is true for no row';
    case 'and':
      for (const term of node.terms) {
        const reason = nothingIn(term, statisticsOf);
        if (reason !== null) return reason;
      }
      return null;
    case 'or': {
      const reasons: string[] = [];
      for (const term of node.terms) {
        const reason = nothingIn(term, statisticsOf);
        if (reason === null) return null;
        reasons.push(reason);
      }
      return [...new Set(reasons)].join(', ');
    }
    case 'not':
      return isColumnLeaf(node.term)
        ? leafReason(node.term, true, statisticsOf)
        : noComputedMatch(node.term, true, statisticsOf);
    case 'compare':
    case 'between':
    case 'in':
    case 'startsWith':
    case 'like':
    case 'isNull':
      return leafReason(node, false, statisticsOf);
    case 'compareValues':
    case 'inValues':
    case 'isNullValue':
      return noComputedMatch(node, false, statisticsOf);
    default:
      return assertNever(node);
  }
}

function everythingIn(node: BoundNode, statisticsOf: StatisticsOf): boolean {
  switch (node.kind) {
    case 'constant':
      return node.matches;
    case 'and':
      return node.terms.every((term) => everythingIn(term, statisticsOf));
    case 'or':
      return node.terms.some((term) => everythingIn(term, statisticsOf));
    case 'not':
      return isColumnLeaf(node.term)
        ? everyRow(node.term, true, statisticsOf)
        : everyComputedMatch(node.term, true, statisticsOf);
    case 'compare':
    case 'between':
    case 'in':
    case 'startsWith':
    case 'like':
    case 'isNull':
      return everyRow(node, false, statisticsOf);
    case 'compareValues':
    case 'inValues':
    case 'isNullValue':
      return everyComputedMatch(node, false, statisticsOf);
    default:
      return assertNever(node);
  }
}

function leafReason(leaf: ColumnLeaf, negated: boolean, statisticsOf: StatisticsOf): string | null {
  const statistics = statisticsFor(leaf.column, statisticsOf);
  if (statistics === null) return null;
  const reason = noMatch(leaf, negated, knownValues(leaf.column.info, statistics));
  return reason === null ? null : `${printName(leaf.column.name)}: ${reason}`;
}

function everyRow(leaf: ColumnLeaf, negated: boolean, statisticsOf: StatisticsOf): boolean {
  const statistics = statisticsFor(leaf.column, statisticsOf);
  return statistics !== null && everyMatch(leaf, negated, knownValues(leaf.column.info, statistics));
}

function statisticsFor(column: ColumnRef, statisticsOf: StatisticsOf): ColumnStatistics | null {
  return statisticsOf(column.number);
}
