// A predicate after it was checked against a schema: the form that pushdown and evaluation walk. It is in negation
// normal form: `not` stands only around leaves, so that "which rows match" never needs a third truth value: a row
// matches an `and` where it matches all terms, an `or` where it matches one, and a null row matches no leaf but
// `isNull`.
import type { DTypeInfo } from '@colkit/io';
import type { FunctionName } from './functions.ts';
import type { LikePattern } from './kernels/like.ts';

/** A column that a predicate reads. */
export interface ColumnRef {
  /** Its number, as `BoundPredicate.columns` has it. */
  readonly number: number;
  readonly name: string;
  readonly info: DTypeInfo;
  readonly nullable: boolean;
}

export type CompareOperator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

/** `floorDiv` is `//` and `mod` `%`, both as in Python; the last three go by the bits of integers. */
export type ArithmeticOperator =
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'mod'
  | 'floorDiv'
  | 'pow'
  | 'bitAnd'
  | 'bitOr'
  | 'bitXor';

/**
 * A constant in the form of the column that it is compared with, made exact when the predicate was bound: boolean for
 * bool; number for floats and integers of up to 32 bits (never NaN; an integer within the dtype's range); bigint for
 * int64, uint64, datetime (ticks of the column's own unit, never NaT) and timedelta; string for text; Uint8Array for
 * binary.
 */
export type Literal = boolean | number | bigint | string | Uint8Array;

/**
 * A leaf over one column. A null row matches none of them but `isNull`; NaN and NaT match `ne` and no other comparison.
 */
export type ColumnLeaf =
  /** No `ne`: that is `not` around `eq`. */
  | {
      readonly kind: 'compare';
      readonly column: ColumnRef;
      readonly op: 'eq' | 'lt' | 'le' | 'gt' | 'ge';
      readonly value: Literal;
    }
  /** low <= column <= high, and low <= high. */
  | { readonly kind: 'between'; readonly column: ColumnRef; readonly low: Literal; readonly high: Literal }
  /**
   * Equal to one of the values, two or more, which are distinct and in ascending order (bytes as unsigned ones).
   */
  | { readonly kind: 'in'; readonly column: ColumnRef; readonly values: readonly Literal[] }
  | { readonly kind: 'startsWith'; readonly column: ColumnRef; readonly prefix: string }
  /** SQL's LIKE; what is an equality or a prefix is told as such. */
  | { readonly kind: 'like'; readonly column: ColumnRef; readonly pattern: LikePattern }
  /** Never null itself: its `not` matches all other rows. */
  | { readonly kind: 'isNull'; readonly column: ColumnRef };

/** A leaf over values that are computed. */
export type GeneralLeaf =
  | {
      readonly kind: 'compareValues';
      readonly op: CompareOperator;
      readonly left: BoundValue;
      readonly right: BoundValue;
    }
  /** Equal to one of these values, two or more, none of them NaN: distinct ones, in ascending order. */
  | { readonly kind: 'inValues'; readonly value: BoundValue; readonly list: readonly Literal[] }
  | { readonly kind: 'isNullValue'; readonly value: BoundValue };

/** Whether a node asks one column alone. */
export function isColumnLeaf(node: BoundNode): node is ColumnLeaf {
  return 'column' in node;
}

export type BoundNode =
  /** The same for every row. */
  | { readonly kind: 'constant'; readonly matches: boolean }
  /** Two terms or more, none of them an `and`; cheap and selective ones first. */
  | { readonly kind: 'and'; readonly terms: readonly BoundNode[] }
  /** Two terms or more, none of them an `or`. */
  | { readonly kind: 'or'; readonly terms: readonly BoundNode[] }
  /** The rows that are not null (unless the leaf is `isNull`) and that the leaf does not match. */
  | { readonly kind: 'not'; readonly term: ColumnLeaf | GeneralLeaf }
  | ColumnLeaf
  | GeneralLeaf;

/** What kind of values: integers are exact whatever their size, floats are IEEE doubles. */
export type ValueType = 'bool' | 'int' | 'float' | 'text' | 'binary' | 'moment' | 'duration';

export type BoundValue =
  | { readonly kind: 'column'; readonly type: ValueType; readonly column: ColumnRef }
  /** Moments and durations in attoseconds (generic units: in ticks); null is the unknown value. */
  | { readonly kind: 'literal'; readonly type: ValueType; readonly value: Literal | null }
  | {
      readonly kind: 'arithmetic';
      readonly type: 'int' | 'float';
      readonly op: ArithmeticOperator;
      readonly left: BoundValue;
      readonly right: BoundValue;
    }
  /** A function of values, which gives values of this dtype. */
  | {
      readonly kind: 'call';
      readonly type: ValueType;
      readonly info: DTypeInfo;
      readonly name: FunctionName;
      readonly args: readonly BoundValue[];
    }
  /** A predicate as a value: true where `whenTrue` matches, false where `whenFalse` does, else null. */
  | {
      readonly kind: 'truth';
      readonly type: 'bool';
      readonly whenTrue: BoundNode;
      readonly whenFalse: BoundNode;
      /** Whether it may be null. */
      readonly nullable: boolean;
    };

/** A predicate that is known to fit a schema. Immutable. */
export interface BoundPredicate {
  /** The numbers of the columns that it reads, ascending. */
  readonly columns: readonly number[];
  /** The same columns, in the same order. */
  readonly refs: readonly ColumnRef[];
  /** The predicate as text that parses again. */
  readonly text: string;
  readonly root: BoundNode;
}
