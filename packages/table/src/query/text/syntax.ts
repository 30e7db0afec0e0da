// A predicate before it meets a schema: the tree that col() builds and that the text form is parsed to. Immutable.
import { LimitError } from '@colkit/io';
import type { ArithmeticOperator, CompareOperator } from '../bound-predicate.ts';
import type { FunctionName } from '../functions.ts';

/** A constant that a user can write. */
export type PlainValue = boolean | number | bigint | string | Date | Uint8Array | null;

interface Common {
  /** Where it starts in the text that it was parsed from; -1 where it was built. */
  readonly position: number;
  /** Levels of nodes that need recursion to walk; a chain of `and` or `or` is one. */
  readonly depth: number;
}

export type Syntax = Common &
  (
    | { readonly kind: 'column'; readonly name: string }
    | { readonly kind: 'value'; readonly value: PlainValue }
    | { readonly kind: 'parameter'; readonly name: string }
    | { readonly kind: 'and' | 'or'; readonly left: Syntax; readonly right: Syntax }
    | { readonly kind: 'not' | 'negate' | 'invert'; readonly operand: Syntax }
    | { readonly kind: 'isNull'; readonly operand: Syntax }
    | { readonly kind: 'compare'; readonly op: CompareOperator; readonly left: Syntax; readonly right: Syntax }
    | { readonly kind: 'between'; readonly operand: Syntax; readonly low: Syntax; readonly high: Syntax }
    /** Equal to one of some expressions. */
    | { readonly kind: 'in'; readonly operand: Syntax; readonly items: readonly Syntax[] }
    /** Equal to one of a list of constants, which may be long. */
    | { readonly kind: 'inList'; readonly operand: Syntax; readonly list: readonly unknown[] }
    | { readonly kind: 'inParameter'; readonly operand: Syntax; readonly name: string }
    | { readonly kind: 'startsWith'; readonly operand: Syntax; readonly prefix: Syntax }
    | {
        readonly kind: 'like';
        readonly operand: Syntax;
        readonly pattern: Syntax;
        /** `ilike`: letters of either case are the same. */
        readonly caseless: boolean;
        /** The character that makes the next one stand for itself. */
        readonly escape: string | null;
      }
    | { readonly kind: 'arithmetic'; readonly op: ArithmeticOperator; readonly left: Syntax; readonly right: Syntax }
    /** A function of values; the element type of a cast is a constant text. */
    | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Syntax[] }
  );

export type SyntaxOf<Kind extends Syntax['kind']> = Extract<Syntax, { readonly kind: Kind }>;

/** A node without what `node` works out. */
type Bare = Syntax extends infer S ? (S extends Syntax ? Omit<S, 'position' | 'depth'> : never) : never;

/** Most levels: deeper trees would overflow the stack of those who walk them. */
const MOST_LEVELS = 400;

/**
 * Makes `bare` itself the node: a copy of it took half of the time of parsing.
 * @throws LimitError for a tree that is nested too deeply.
 */
export function node(bare: Bare, position = -1): Syntax {
  const depth = depthOf(bare);
  if (depth > MOST_LEVELS) throw new LimitError('ERR_LIMIT', 'levels of the predicate', MOST_LEVELS, depth);
  return Object.assign(bare, { position, depth });
}

function depthOf(bare: Bare): number {
  switch (bare.kind) {
    case 'column':
    case 'value':
    case 'parameter':
      return 1;
    case 'and':
    case 'or':
      // Chains lean to the left and are walked in a loop.
      return Math.max(bare.left.kind === bare.kind ? bare.left.depth : bare.left.depth + 1, bare.right.depth + 1);
    case 'not':
    case 'negate':
    case 'invert':
    case 'isNull':
    case 'inList':
    case 'inParameter':
      return bare.operand.depth + 1;
    case 'compare':
    case 'arithmetic':
      return Math.max(bare.left.depth, bare.right.depth) + 1;
    case 'between':
      return Math.max(bare.operand.depth, bare.low.depth, bare.high.depth) + 1;
    case 'in':
      return bare.items.reduce((most, { depth }) => Math.max(most, depth), bare.operand.depth) + 1;
    case 'call':
      return bare.args.reduce((most, { depth }) => Math.max(most, depth), 0) + 1;
    case 'startsWith':
      return Math.max(bare.operand.depth, bare.prefix.depth) + 1;
    case 'like':
      return Math.max(bare.operand.depth, bare.pattern.depth) + 1;
  }
}

/** SQL's IS DISTINCT FROM: true or false also where one of the two is null. */
export function distinctFrom(left: Syntax, right: Syntax): Syntax {
  const at = left.position;
  const isNull = (operand: Syntax): Syntax => node({ kind: 'isNull', operand }, operand.position);
  const not = (operand: Syntax): Syntax => node({ kind: 'not', operand }, operand.position);
  const and = (first: Syntax, second: Syntax): Syntax => node({ kind: 'and', left: first, right: second }, at);
  const differ = node({ kind: 'compare', op: 'ne', left, right }, at);
  const oneIsNull = node(
    { kind: 'or', left: and(isNull(left), not(isNull(right))), right: and(not(isNull(left)), isNull(right)) },
    at,
  );
  return node({ kind: 'or', left: oneIsNull, right: and(and(not(isNull(left)), not(isNull(right))), differ) }, at);
}

/** The terms of a chain of `and` or `or`, in order. */
export function chainTerms(kind: 'and' | 'or', top: Syntax): readonly Syntax[] {
  const terms: Syntax[] = [];
  let current = top;
  while (current.kind === kind) {
    terms.push(current.right);
    current = current.left;
  }
  terms.push(current);
  return terms.reverse();
}

/** Whether a text is one code point. */
export function isOneCharacter(text: unknown): boolean {
  return typeof text === 'string' && Array.from(text).length === 1;
}
