// Whether a condition may be unknown, from what is asked and not from what it was bound to: that finds rows, and a
// term that is true of all values and unknown of nulls, or that no row matches, may be gone from it.
import { chainTerms } from '../text/syntax.ts';
import type { Syntax } from '../text/syntax.ts';

/** @param mayBeNull whether what a tree computes may be null. */
export function mayBeUnknown(tree: Syntax, mayBeNull: (tree: Syntax) => boolean): boolean {
  const isUnknown = (part: Syntax): boolean => mayBeUnknown(part, mayBeNull);
  switch (tree.kind) {
    case 'and':
    case 'or':
      return chainTerms(tree.kind, tree).some(isUnknown);
    // Bits of conditions.
    case 'arithmetic':
      return isUnknown(tree.left) || isUnknown(tree.right);
    case 'not':
    case 'invert':
      return isUnknown(tree.operand);
    case 'isNull':
      return false;
    case 'compare':
      return mayBeNull(tree.left) || mayBeNull(tree.right);
    case 'between':
      return [tree.operand, tree.low, tree.high].some(mayBeNull);
    // Nulls in a list are passed over.
    case 'in':
      return [tree.operand, ...tree.items.filter((item) => item.kind !== 'value')].some(mayBeNull);
    case 'inList':
    case 'inParameter':
    case 'startsWith':
      return mayBeNull(tree.operand);
    case 'like':
      return mayBeNull(tree.operand) || mayBeNull(tree.pattern);
    case 'column':
    case 'value':
    case 'parameter':
    case 'negate':
    case 'call':
      return mayBeNull(tree);
  }
}
