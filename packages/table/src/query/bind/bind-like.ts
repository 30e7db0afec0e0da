// LIKE -> the simplest leaf that says the same: an equality, a prefix, or a pattern.
import { likePrefix, likeTest, segmentText } from '../kernels/like.ts';
import type { LikePattern } from '../kernels/like.ts';
import type { ColumnRef } from '../bound-predicate.ts';
import type { LeafOutcome } from './bind-leaf.ts';

export function likeLeaf(column: ColumnRef, pattern: LikePattern): LeafOutcome {
  const [first, last] = [segmentText(pattern.segments[0]), pattern.segments.at(-1)];
  if (!pattern.caseless && first !== null) {
    if (pattern.segments.length === 1) return { kind: 'compare', column, op: 'eq', value: first };
    if (pattern.segments.length === 2 && last?.length === 0 && first !== '')
      return { kind: 'startsWith', column, prefix: first };
  }
  return isEverything(pattern) ? 'all' : { kind: 'like', column, pattern };
}

/** Whether a constant text matches. */
export function matchesLike(text: string, pattern: LikePattern): boolean {
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
