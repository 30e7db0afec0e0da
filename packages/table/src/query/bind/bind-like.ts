// LIKE -> the simplest leaf that says the same: an equality, a prefix, or a pattern.
import { likePrefix, likeTest, parseLike, segmentText } from '../kernels/like.ts';
import type { LikePattern } from '../kernels/like.ts';
import type { BoundNode, ColumnRef } from '../bound-predicate.ts';
import { printValue } from '../text/print.ts';
import type { SyntaxOf } from '../text/syntax.ts';
import type { LeafOutcome } from './bind-leaf.ts';
import { EVERYTHING, NOTHING, leafNode } from './normal-form.ts';
import { describeOperand } from './operand.ts';
import type { Operand } from './operand.ts';
import type { Scope } from './scope.ts';

/** The rows that match a pattern; negated, those that do not. */
export function likeNode(
  tree: SyntaxOf<'like'>,
  operand: Operand,
  pattern: Operand,
  scope: Scope,
  negated: boolean,
): BoundNode {
  if (pattern.kind === 'constant' && pattern.value === null) return NOTHING;
  if (pattern.kind !== 'constant' || typeof pattern.value !== 'string')
    throw scope.mistyped(tree.pattern, `expected a string as the pattern but found ${describeOperand(pattern)}`);
  const parsed = parseLike(pattern.value, tree.caseless, tree.escape);
  if (parsed === null)
    throw scope.mistyped(
      tree.pattern,
      `expected a character behind the escape but found the end of ${printValue(pattern.value)}`,
    );
  if (operand.kind === 'constant' && operand.value === null) return NOTHING;
  if (operand.kind === 'constant' && typeof operand.value === 'string')
    return matchesLike(operand.value, parsed) === negated ? NOTHING : EVERYTHING;
  if (operand.kind === 'column' && operand.type === 'text')
    return leafNode(operand.column, likeLeaf(operand.column, parsed), negated);
  throw scope.mistyped(tree.operand, `expected text but found ${describeOperand(operand)}`);
}

function likeLeaf(column: ColumnRef, pattern: LikePattern): LeafOutcome {
  const [first, last] = [segmentText(pattern.segments[0]), pattern.segments.at(-1)];
  if (!pattern.caseless && first !== null) {
    if (pattern.segments.length === 1) return { kind: 'compare', column, op: 'eq', value: first };
    if (pattern.segments.length === 2 && last?.length === 0 && first !== '')
      return { kind: 'startsWith', column, prefix: first };
  }
  return isEverything(pattern) ? 'all' : { kind: 'like', column, pattern };
}

/** Whether a constant text matches. */
function matchesLike(text: string, pattern: LikePattern): boolean {
  return likeTest(pattern)(text);
}

/** `%`, once or more. */
function isEverything(pattern: LikePattern): boolean {
  return (
    pattern.segments.length > 1 &&
    likePrefix(pattern) === '' &&
    pattern.segments.every((segment) => segment.length === 0)
  );
}
