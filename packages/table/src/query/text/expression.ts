// col('price').gt(10).and(col('qty').lt(5)): expressions over columns, built by methods. Each method gives a new
// expression; nothing is checked against a table before where().
import { ArgumentError, attached, describeValue, ofThisRealm } from '@colkit/io';
import { describeNoExpression } from '../../values/other-copies.ts';
import type { ArithmeticOperator, CompareOperator } from '../bound-predicate.ts';
import type { FunctionName } from '../functions.ts';
import { distinctFrom, isOneCharacter, node } from './syntax.ts';
import type { PlainValue, Syntax } from './syntax.ts';

/**
 * What an expression is compared or computed with: another one, or a constant. Comparing with null is never true: see
 * `isNull`.
 */
export type Operand = Expression | PlainValue;

/**
 * An expression over the columns of some table. `T` is what its values are, as far as that is known without a table: a
 * comparison is an `Expression<boolean>`, a column fits everywhere. What the methods mean for nulls, NaN, text, moments
 * and 64-bit integers is on the page "Predicates".
 */
export class Expression<T = unknown> {
  /** The tree, for those who walk it. */
  readonly syntax: Syntax;
  /** Only for the compiler. */
  declare readonly valueType?: T;

  constructor(syntax: Syntax) {
    this.syntax = syntax;
  }

  eq(other: Operand): Expression<boolean> {
    return this.#compare('eq', other);
  }

  ne(other: Operand): Expression<boolean> {
    return this.#compare('ne', other);
  }

  lt(other: Operand): Expression<boolean> {
    return this.#compare('lt', other);
  }

  le(other: Operand): Expression<boolean> {
    return this.#compare('le', other);
  }

  gt(other: Operand): Expression<boolean> {
    return this.#compare('gt', other);
  }

  ge(other: Operand): Expression<boolean> {
    return this.#compare('ge', other);
  }

  /** low <= this <= high. */
  between(low: Operand, high: Operand): Expression<boolean> {
    return new Expression<boolean>(
      node({ kind: 'between', operand: this.syntax, low: toSyntax(low), high: toSyntax(high) }),
    );
  }

  /**
   * Equal to one of the values: an array, a typed array or a Set of constants. Nulls among them are passed over. Copies
   * the list.
   */
  isIn(values: Iterable<PlainValue>): Expression<boolean> {
    const given: unknown = values;
    if (typeof given !== 'object' || given === null || !(Symbol.iterator in given))
      throw new ArgumentError('ERR_ARGUMENT', 'isIn', 'an array, a typed array or a Set', describeValue(given));
    return new Expression<boolean>(
      node({
        kind: 'inList',
        operand: this.syntax,
        list: Object.freeze(Array.from(attached(values, 'isIn', 'the list'), checkListed)),
      }),
    );
  }

  isNull(): Expression<boolean> {
    return new Expression<boolean>(node({ kind: 'isNull', operand: this.syntax }));
  }

  notNull(): Expression<boolean> {
    return this.isNull().not();
  }

  /** Whether a text begins with another. */
  startsWith(prefix: string): Expression<boolean> {
    return new Expression<boolean>(node({ kind: 'startsWith', operand: this.syntax, prefix: toSyntax(prefix) }));
  }

  /**
   * SQL's LIKE over text: `%` stands for any characters, `_` for one. Without an `escape` character there is no way to
   * ask for a `%` itself.
   */
  like(pattern: string, escape?: string): Expression<boolean> {
    return this.#like('like', pattern, false, escape);
  }

  /** As `like`; letters of either case are the same, each by itself (`σ` and a last `ς` are two). */
  ilike(pattern: string, escape?: string): Expression<boolean> {
    return this.#like('ilike', pattern, true, escape);
  }

  /** As `ne`, but true or false also where one of the two is null: null is not distinct from null. */
  isDistinctFrom(other: Operand): Expression<boolean> {
    return new Expression<boolean>(distinctFrom(this.syntax, toSyntax(other)));
  }

  add(other: Operand): Expression<number> {
    return this.#compute('add', other);
  }

  sub(other: Operand): Expression<number> {
    return this.#compute('sub', other);
  }

  mul(other: Operand): Expression<number> {
    return this.#compute('mul', other);
  }

  /** A double, as in Python: 1 / 2 is 0.5. */
  div(other: Operand): Expression<number> {
    return this.#compute('div', other);
  }

  /** The remainder with the sign of `other`, as in Python: -7 mod 3 is 2. */
  mod(other: Operand): Expression<number> {
    return this.#compute('mod', other);
  }

  /** The quotient, rounded down, as in Python: -7 // 3 is -3. Integers stay exact; by 0 it is null. */
  floorDiv(other: Operand): Expression<number> {
    return this.#compute('floorDiv', other);
  }

  /**
   * Integers to a constant power from 0 on stay exact while they have at most 1,024 bits (a column's to the 16th, that
   * is); all else is a double.
   */
  pow(other: Operand): Expression<number> {
    return this.#compute('pow', other);
  }

  neg(): Expression<number> {
    return new Expression<number>(node({ kind: 'negate', operand: this.syntax }));
  }

  /** The size of a number; its type stays. */
  abs(): Expression<number> {
    return this.#call('abs');
  }

  /** The next whole number below; of integers themselves. */
  floor(): Expression<number> {
    return this.#call('floor');
  }

  /** The next whole number above; of integers themselves. */
  ceil(): Expression<number> {
    return this.#call('ceil');
  }

  /** To so many decimal digits (0; negative ones: tens, hundreds), halves to the even one, as numpy rounds. */
  round(digits = 0): Expression<number> {
    return this.#call('round', digits);
  }

  sqrt(): Expression<number> {
    return this.#call('sqrt');
  }

  /** e to the power of this. */
  exp(): Expression<number> {
    return this.#call('exp');
  }

  /** The natural logarithm. */
  log(): Expression<number> {
    return this.#call('log');
  }

  /** Within two bounds: below `low` it is `low`, above `high` it is `high`; null is no bound. NaN and NaT stay. */
  clip(low: Operand, high: Operand): Expression<T> {
    return this.#call('clip', low, high);
  }

  /** Of a condition: `value` where it is true, `otherwise` where it is false or unknown. */
  where<V = unknown>(value: Operand, otherwise: Operand): Expression<V> {
    return this.#call('where', value, otherwise);
  }

  /** `value` where this is null. */
  fillNull(value: Operand): Expression<T> {
    return this.#call('fillNull', value);
  }

  /**
   * The value as another element type: floats to integers towards zero, moments to coarser units downwards, text parsed
   * and printed. A value that the type cannot hold is ERR_VALUE when rows are read.
   */
  cast<V = unknown>(dtype: string): Expression<V> {
    return this.#call('cast', dtype);
  }

  /** Of a datetime, in UTC; null for NaT. So are the other parts. */
  year(): Expression<number> {
    return this.#call('year');
  }

  /** 1 to 12. */
  month(): Expression<number> {
    return this.#call('month');
  }

  /** Of the month, 1 to 31. */
  day(): Expression<number> {
    return this.#call('day');
  }

  hour(): Expression<number> {
    return this.#call('hour');
  }

  minute(): Expression<number> {
    return this.#call('minute');
  }

  /** Whole seconds, 0 to 59. */
  second(): Expression<number> {
    return this.#call('second');
  }

  /** 0 is Monday, 6 is Sunday, as in Python. */
  weekday(): Expression<number> {
    return this.#call('weekday');
  }

  /** Whether this and all the others are true. */
  and(other: Expression<boolean>, ...others: readonly Expression<boolean>[]): Expression<boolean> {
    return this.#joined('and', [other, ...others]);
  }

  /** Whether this or one of the others is true. */
  or(other: Expression<boolean>, ...others: readonly Expression<boolean>[]): Expression<boolean> {
    return this.#joined('or', [other, ...others]);
  }

  not(): Expression<boolean> {
    return new Expression<boolean>(node({ kind: 'not', operand: this.syntax }));
  }

  #joined(kind: 'and' | 'or', others: readonly Expression<boolean>[]): Expression<boolean> {
    let left = this.syntax;
    for (const other of others) left = node({ kind, left, right: toSyntax(other) });
    return new Expression<boolean>(left);
  }

  #compare(op: CompareOperator, other: Operand): Expression<boolean> {
    return new Expression<boolean>(node({ kind: 'compare', op, left: this.syntax, right: toSyntax(other) }));
  }

  #like(method: string, pattern: string, caseless: boolean, escape: string | undefined): Expression<boolean> {
    if (escape !== undefined && !isOneCharacter(escape))
      throw new ArgumentError('ERR_ARGUMENT', `escape of ${method}`, 'one character', describeValue(escape));
    return new Expression<boolean>(
      node({ kind: 'like', operand: this.syntax, pattern: toSyntax(pattern), caseless, escape: escape ?? null }),
    );
  }

  #call<V>(name: FunctionName, ...operands: readonly Operand[]): Expression<V> {
    return new Expression<V>(node({ kind: 'call', name, args: [this.syntax, ...operands.map(toSyntax)] }));
  }

  #compute(op: ArithmeticOperator, other: Operand): Expression<number> {
    return new Expression<number>(node({ kind: 'arithmetic', op, left: this.syntax, right: toSyntax(other) }));
  }
}

/** A column by its name, for `where`. */
export function col(name: string): Expression<never> {
  if (typeof (name as unknown) !== 'string')
    throw new ArgumentError('ERR_ARGUMENT', 'col', 'a column name', describeValue(name));
  return new Expression<never>(node({ kind: 'column', name }));
}

/** Whether it can stand as a constant in an expression. */
export function isPlainValue(value: unknown): value is PlainValue {
  switch (typeof value) {
    case 'boolean':
    case 'number':
    case 'bigint':
    case 'string':
      return true;
    case 'object':
      return value === null || value instanceof Date || value instanceof Uint8Array;
    default:
      return false;
  }
}

/** A Date that says no moment: as a constant it is a mistake made elsewhere. Who means not-a-time writes 'NaT'. */
export function isInvalidDate(value: unknown): boolean {
  return value instanceof Date && Number.isNaN(value.getTime());
}

export const VALID_DATE = "a valid Date ('NaT' is not-a-time)";

function checkListed(value: PlainValue, index: number): PlainValue {
  if (isInvalidDate(value))
    throw new ArgumentError('ERR_ARGUMENT', 'isIn', VALID_DATE, `${describeValue(value)} at index ${String(index)}`);
  return value;
}

function toSyntax(operand: Operand): Syntax {
  if (operand instanceof Expression) return operand.syntax;
  if (isInvalidDate(operand)) throw new ArgumentError('ERR_ARGUMENT', 'operand', VALID_DATE, describeValue(operand));
  const value = ofThisRealm(operand);
  if (isPlainValue(value)) return node({ kind: 'value', value });
  throw new ArgumentError(
    'ERR_ARGUMENT',
    'operand',
    'an expression or a constant (boolean, number, bigint, string, Date, Uint8Array, null)',
    describeNoExpression(operand),
  );
}
