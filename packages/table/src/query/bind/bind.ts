// A predicate (built or text), a schema and parameters -> a bound predicate, or a QueryError with the position.
// Everything is checked here, before any data is read.
import { ArgumentError, QueryError, assertNever, describeValue, isByName, parseDType } from '@colkit/io';
import type { Field } from '../../source.ts';
import { bindLeaf, TypeMismatch, valueTypeOf } from './bind-leaf.ts';
import type {
  BoundNode,
  BoundPredicate,
  BoundValue,
  ColumnRef,
  CompareOperator,
  Literal,
  ValueType,
} from '../bound-predicate.ts';
import { computeLiterals, compareConstants, constantType } from './constants.ts';
import { columnsOf } from '../columns-of.ts';
import type { QueryParams } from '../text/query-params.ts';
import { Expression, VALID_DATE, isInvalidDate, isPlainValue } from '../text/expression.ts';
import { EVERYTHING, NOTHING, andNode, generalNode, leafNode, listLeaf, orNode, presentNode } from './normal-form.ts';
import { parsePredicate } from '../text/parse.ts';
import { ARITHMETIC_SIGNS, COMPARE_SIGNS, printName, printPredicate, printValue } from '../text/print.ts';
import { chainTerms } from '../text/syntax.ts';
import type { PlainValue, Syntax, SyntaxOf } from '../text/syntax.ts';

/** What where() takes: an expression, or its text form. */
export type Predicate = Expression<boolean> | string;

/** Conditions within the values of conditions double the work with every level. */
const MOST_TRUTH_LEVELS = 6;

/**
 * Parses, resolves and type-checks a predicate. Column numbers are positions in `fields`.
 * @throws QueryError ERR_QUERY_SYNTAX, ERR_QUERY_TYPE (also for an unknown column or parameter) with the position; an
 * expression is printed first, and the position is in that text.
 */
export function bindPredicate(
  predicate: Predicate,
  fields: readonly Field[],
  params: QueryParams = {},
): BoundPredicate {
  return bindToColumns(
    predicate,
    fields.map(({ name, dtype, nullable }, number) => ({ number, name, info: parseDType(dtype), nullable })),
    params,
  );
}

/** As `bindPredicate`, for columns that have numbers already. */
export function bindToColumns(
  predicate: Predicate,
  columns: readonly ColumnRef[],
  params: QueryParams = {},
): BoundPredicate {
  if (typeof predicate !== 'string' && !((predicate as unknown) instanceof Expression)) {
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'predicate',
      "an expression such as col('price').gt(10), or text such as 'price > 10'",
      describeValue(predicate),
    );
  }
  const given: unknown = params;
  if (!isByName(given))
    throw new ArgumentError('ERR_ARGUMENT', 'params', 'an object or a Map of parameters by name', describeValue(given));
  const tree = typeof predicate === 'string' ? parsePredicate(predicate) : predicate.syntax;
  const { text, positions } =
    typeof predicate === 'string' ? { text: predicate, positions: null } : printPredicate(tree);
  const binder = new Binder(text, positions, columns, params);
  const root = binder.condition(tree, false);
  const refs = [...columnsOf(root)].sort((left, right) => left.number - right.number);
  return { columns: refs.map(({ number }) => number), refs, text, root };
}

/** One side of a comparison. */
type Operand =
  | { readonly kind: 'column'; readonly column: ColumnRef; readonly type: ValueType }
  /** The type is not told by the value: 0.5 + 0.5 is the double 1. Null for null. */
  | { readonly kind: 'constant'; readonly value: PlainValue; readonly type: ValueType | null }
  | { readonly kind: 'computed'; readonly value: BoundValue };

const MIRRORED: Readonly<Record<CompareOperator, CompareOperator>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
};

class Binder {
  readonly #text: string;
  readonly #positions: ReadonlyMap<Syntax, number> | null;
  readonly #columns: ReadonlyMap<string, ColumnRef>;
  readonly #params: ReadonlyMap<string, unknown>;
  #truthLevel = 0;

  constructor(
    text: string,
    positions: ReadonlyMap<Syntax, number> | null,
    columns: readonly ColumnRef[],
    params: QueryParams,
  ) {
    this.#text = text;
    this.#positions = positions;
    this.#columns = new Map(columns.map((column) => [column.name, column]));
    this.#params = params instanceof Map ? (params as ReadonlyMap<string, unknown>) : new Map(Object.entries(params));
  }

  /** The rows for which a condition is true; or, negated, those for which it is false. */
  condition(tree: Syntax, negated: boolean): BoundNode {
    switch (tree.kind) {
      case 'and':
      case 'or': {
        const terms = chainTerms(tree.kind, tree).map((term) => this.condition(term, negated));
        return (tree.kind === 'and') === negated ? orNode(terms) : andNode(terms);
      }
      case 'not':
        return this.condition(tree.operand, !negated);
      case 'compare':
        return this.#comparison(
          tree.op,
          this.#operand(tree.left),
          this.#operand(tree.right),
          tree.left,
          tree.right,
          negated,
        );
      case 'between': {
        const operand = this.#operand(tree.operand);
        const low = this.#comparison('ge', operand, this.#operand(tree.low), tree.operand, tree.low, negated);
        const high = this.#comparison('le', operand, this.#operand(tree.high), tree.operand, tree.high, negated);
        return negated ? orNode([low, high]) : andNode([low, high]);
      }
      case 'in':
      case 'inList':
      case 'inParameter':
        return this.#membership(tree, negated);
      case 'isNull':
        return this.#nullness(tree, negated);
      case 'startsWith':
        return this.#prefix(tree, negated);
      case 'column':
      case 'value':
      case 'parameter':
      case 'negate':
      case 'arithmetic':
        return this.#truthOf(tree, negated);
      default:
        return assertNever(tree);
    }
  }

  /** A value where a condition stands: a bool column or constant. */
  #truthOf(tree: Syntax, negated: boolean): BoundNode {
    const operand = this.#operand(tree);
    if (operand.kind === 'column' && operand.type === 'bool')
      return leafNode(operand.column, { kind: 'compare', column: operand.column, op: 'eq', value: true }, negated);
    if (operand.kind === 'constant' && (typeof operand.value === 'boolean' || operand.value === null))
      return operand.value === !negated ? EVERYTHING : NOTHING;
    throw this.#mistyped(tree, `expected a condition but found ${describe(operand)}`);
  }

  #comparison(
    op: CompareOperator,
    left: Operand,
    right: Operand,
    leftTree: Syntax,
    rightTree: Syntax,
    negated: boolean,
  ): BoundNode {
    if (left.kind === 'constant' && right.kind !== 'constant')
      return this.#comparison(MIRRORED[op], right, left, rightTree, leftTree, negated);
    if (right.kind === 'constant' && right.value === null) return NOTHING;
    if (left.kind === 'constant' && left.value === null) return NOTHING;
    if (op === 'ne') return this.#comparison('eq', left, right, leftTree, rightTree, !negated);
    if (left.kind === 'column' && right.kind === 'constant')
      return this.#leaf(left.column, op, right.value, rightTree, negated);
    if (left.kind === 'constant' && right.kind === 'constant') {
      const result = this.#dated(rightTree, () =>
        compareConstants(op, left.value as Exclude<PlainValue, null>, right.value as Exclude<PlainValue, null>),
      );
      if (result === null)
        throw this.#mistyped(
          rightTree,
          `expected ${describe(left)} to be compared with its like but found ${describe(right)}`,
        );
      return result === negated ? NOTHING : EVERYTHING;
    }
    const [a, b] = [this.#valueOf(left, leftTree), this.#valueOf(right, rightTree)];
    const fault = comparisonFault(op, a, b);
    if (fault !== null) throw this.#mistyped(rightTree, fault);
    return generalNode({ kind: 'compareValues', op, left: a, right: b }, negated);
  }

  #leaf(
    column: ColumnRef,
    op: Exclude<CompareOperator, 'ne'>,
    value: PlainValue,
    tree: Syntax,
    negated: boolean,
  ): BoundNode {
    if (value === null) return NOTHING;
    const outcome = this.#dated(tree, () => bindLeaf(column, op, value));
    if (outcome instanceof TypeMismatch) throw this.#mistyped(tree, outcome.message);
    return leafNode(column, outcome, negated);
  }

  #membership(tree: SyntaxOf<'in' | 'inList' | 'inParameter'>, negated: boolean): BoundNode {
    const operand = this.#operand(tree.operand);
    const items =
      tree.kind === 'in'
        ? tree.items.map((item) => ({ tree: item, operand: this.#operand(item) }))
        : this.#listItems(tree);
    const [constants, others] = [
      items.filter((item) => item.operand.kind === 'constant'),
      items.filter((item) => item.operand.kind !== 'constant'),
    ];
    const nodes = others.map((item) => this.#comparison('eq', operand, item.operand, tree.operand, item.tree, negated));
    if (operand.kind === 'column') nodes.push(this.#listNode(operand.column, constants, negated));
    else {
      for (const item of constants) {
        if (item.operand.kind === 'constant' && item.operand.value !== null)
          nodes.push(this.#comparison('eq', operand, item.operand, tree.operand, item.tree, negated));
      }
      // An empty list: false, but null for a null.
      if (nodes.length === 0 && negated && operand.kind === 'computed')
        return generalNode({ kind: 'isNullValue', value: operand.value }, true);
    }
    return negated ? andNode(nodes) : orNode(nodes);
  }

  #listItems(
    tree: SyntaxOf<'inList' | 'inParameter'>,
  ): readonly { readonly tree: Syntax; readonly operand: Operand }[] {
    const list = tree.kind === 'inList' ? tree.list : this.#listParameter(tree);
    return list.map((value, index) => {
      if (!isPlainValue(value))
        throw this.#mistyped(
          tree,
          `expected constants in the list but found ${describeValue(value)} at place ${String(index)}`,
        );
      if (isInvalidDate(value))
        throw this.#mistyped(
          tree,
          `expected ${VALID_DATE} in the list but found ${describeValue(value)} at place ${String(index)}`,
        );
      return { tree, operand: constantOf(value) };
    });
  }

  #listParameter(tree: SyntaxOf<'inParameter'>): readonly unknown[] {
    const value = this.#parameter(tree.name, tree);
    const isList =
      Array.isArray(value) || value instanceof Set || (ArrayBuffer.isView(value) && !(value instanceof DataView));
    if (!isList)
      throw this.#mistyped(
        tree,
        `expected parameter ${JSON.stringify(tree.name)} to be an array, a typed array or a Set but found ${describeValue(value)}`,
      );
    return [...(value as Iterable<unknown>)];
  }

  #listNode(
    column: ColumnRef,
    items: readonly { readonly tree: Syntax; readonly operand: Operand }[],
    negated: boolean,
  ): BoundNode {
    const values: Literal[] = [];
    for (const { tree, operand } of items) {
      if (operand.kind !== 'constant' || operand.value === null) continue;
      const { value } = operand;
      const outcome = this.#dated(tree, () => bindLeaf(column, 'eq', value));
      if (outcome instanceof TypeMismatch) throw this.#mistyped(tree, outcome.message);
      if (typeof outcome !== 'string' && outcome.kind === 'compare') values.push(outcome.value);
    }
    return leafNode(column, listLeaf(column, values), negated);
  }

  #nullness({ operand: tree }: SyntaxOf<'isNull'>, negated: boolean): BoundNode {
    // The one question that may be asked of every column, comparable or not.
    if (tree.kind === 'column') {
      const column = this.#column(tree);
      if (negated) return presentNode(column);
      return column.nullable ? { kind: 'isNull', column } : NOTHING;
    }
    const operand = this.#operand(tree);
    if (operand.kind === 'constant') return (operand.value === null) === negated ? NOTHING : EVERYTHING;
    return generalNode({ kind: 'isNullValue', value: this.#valueOf(operand, tree) }, negated);
  }

  #prefix(tree: SyntaxOf<'startsWith'>, negated: boolean): BoundNode {
    const [operand, prefix] = [this.#operand(tree.operand), this.#operand(tree.prefix)];
    if (prefix.kind !== 'constant' || typeof prefix.value !== 'string')
      throw this.#mistyped(tree.prefix, `expected a string as the prefix but found ${describe(prefix)}`);
    if (operand.kind === 'constant' && typeof operand.value === 'string')
      return operand.value.startsWith(prefix.value) === negated ? NOTHING : EVERYTHING;
    if (operand.kind === 'column' && operand.type === 'text') {
      return leafNode(
        operand.column,
        prefix.value === '' ? 'all' : { kind: 'startsWith', column: operand.column, prefix: prefix.value },
        negated,
      );
    }
    throw this.#mistyped(tree.operand, `expected text but found ${describe(operand)}`);
  }

  #operand(tree: Syntax): Operand {
    switch (tree.kind) {
      case 'column': {
        const column = this.#column(tree);
        const type = valueTypeOf(column.info);
        if (type === null)
          throw this.#mistyped(
            tree,
            `column ${printName(column.name)} is ${column.info.name}, whose values cannot be compared`,
          );
        return { kind: 'column', column, type };
      }
      case 'value':
        return constantOf(tree.value);
      case 'parameter': {
        const value = this.#parameter(tree.name, tree);
        if (!isPlainValue(value))
          throw this.#mistyped(
            tree,
            `expected parameter ${JSON.stringify(tree.name)} to be a constant (lists: in @${tree.name}) but found ${describeValue(value)}`,
          );
        if (isInvalidDate(value))
          throw this.#mistyped(
            tree,
            `expected parameter ${JSON.stringify(tree.name)} to be ${VALID_DATE} but found ${describeValue(value)}`,
          );
        return constantOf(value);
      }
      case 'arithmetic':
        return this.#arithmetic(tree.op, tree.left, tree.right);
      case 'negate':
        return this.#arithmetic('negate', tree.operand, tree.operand);
      case 'and':
      case 'or':
      case 'not':
      case 'compare':
      case 'between':
      case 'in':
      case 'inList':
      case 'inParameter':
      case 'isNull':
      case 'startsWith':
        return this.#truth(tree);
      default:
        return assertNever(tree);
    }
  }

  #truth(tree: Syntax): Operand {
    this.#truthLevel += 1;
    if (this.#truthLevel > MOST_TRUTH_LEVELS)
      throw this.#mistyped(
        tree,
        `expected at most ${String(MOST_TRUTH_LEVELS)} levels of conditions that are compared with one another`,
      );
    const [whenTrue, whenFalse] = [this.condition(tree, false), this.condition(tree, true)];
    this.#truthLevel -= 1;
    return { kind: 'computed', value: { kind: 'truth', type: 'bool', whenTrue, whenFalse } };
  }

  #arithmetic(op: SyntaxOf<'arithmetic'>['op'] | 'negate', leftTree: Syntax, rightTree: Syntax): Operand {
    const [left, right] =
      op === 'negate' ? [constantOf(0), this.#operand(rightTree)] : [this.#operand(leftTree), this.#operand(rightTree)];
    for (const [operand, tree] of [
      [left, leftTree],
      [right, rightTree],
    ] as const) {
      const type = operandType(operand);
      if (type !== 'int' && type !== 'float' && type !== null)
        throw this.#mistyped(
          tree,
          `expected a number beside "${op === 'negate' ? '-' : ARITHMETIC_SIGNS[op]}" but found ${describe(operand)}`,
        );
    }
    const type = op !== 'div' && operandType(left) !== 'float' && operandType(right) !== 'float' ? 'int' : 'float';
    if (left.kind === 'constant' && right.kind === 'constant') {
      const value = computeLiterals(op, type, left.value as number, right.value as number);
      return { kind: 'constant', value, type: value === null ? null : type };
    }
    const [a, b] = [
      this.#valueOf(op === 'negate' && type === 'float' ? constantOf(-0) : left, leftTree),
      this.#valueOf(right, rightTree),
    ];
    return {
      kind: 'computed',
      value: { kind: 'arithmetic', type, op: op === 'negate' ? 'sub' : op, left: a, right: b },
    };
  }

  #valueOf(operand: Operand, tree: Syntax): BoundValue {
    switch (operand.kind) {
      case 'computed':
        return operand.value;
      case 'column':
        return { kind: 'column', type: operand.type, column: operand.column };
      case 'constant': {
        const { value } = operand;
        if (value === null) return { kind: 'literal', type: 'int', value };
        if (value instanceof Date)
          throw this.#mistyped(
            tree,
            `a moment can only be compared with a datetime column, not ${printValue(value)} with a computed value`,
          );
        return { kind: 'literal', type: operand.type ?? constantType(value), value };
      }
    }
  }

  #column(tree: SyntaxOf<'column'>): ColumnRef {
    const column = this.#columns.get(tree.name);
    if (column === undefined) {
      const known = [...this.#columns.keys()];
      throw this.#mistyped(
        tree,
        `unknown column ${printName(tree.name)} (there are: ${known.slice(0, 20).map(printName).join(', ')}${known.length > 20 ? ', …' : ''})`,
      );
    }
    return column;
  }

  #parameter(name: string, tree: Syntax): unknown {
    if (!this.#params.has(name)) throw this.#mistyped(tree, `no value for parameter @${name}`);
    return this.#params.get(name);
  }

  /** Text that is no date is a mistake in the predicate. */
  #dated<T>(tree: Syntax, bind: () => T): T {
    try {
      return bind();
    } catch (error) {
      if (error instanceof ArgumentError)
        throw this.#mistyped(tree, `expected ${error.expected} but found ${error.found}`);
      throw error;
    }
  }

  #mistyped(tree: Syntax, message: string): QueryError {
    return new QueryError(
      'ERR_QUERY_TYPE',
      this.#text,
      Math.max(0, this.#positions?.get(tree) ?? tree.position),
      message,
    );
  }
}

function constantOf(value: PlainValue): Operand & { kind: 'constant' } {
  return { kind: 'constant', value, type: value === null ? null : constantType(value) };
}

function operandType(operand: Operand): ValueType | null {
  switch (operand.kind) {
    case 'column':
      return operand.type;
    case 'computed':
      return operand.value.type;
    case 'constant':
      return operand.type;
  }
}

function describe(operand: Operand): string {
  if (operand.kind === 'column') return `${operand.column.info.name} column ${printName(operand.column.name)}`;
  return operand.kind === 'constant'
    ? printValue(operand.value)
    : operand.value.type === 'bool'
      ? 'a condition'
      : 'a number';
}

/** Why two values cannot be compared; null where they can. */
function comparisonFault(op: CompareOperator, left: BoundValue, right: BoundValue): string | null {
  const numeric = (type: ValueType): boolean => type === 'int' || type === 'float';
  if (left.type !== right.type && !(numeric(left.type) && numeric(right.type)))
    return `expected ${nameOf(left)} to be compared with its like but found ${nameOf(right)}`;
  if (left.type === 'binary' && op !== 'eq')
    return `expected == or != between bytes, which have no order, but found ${COMPARE_SIGNS[op]}`;
  if (left.kind === 'column' && right.kind === 'column' && (left.type === 'moment' || left.type === 'duration')) {
    const [a, b] = [left.column.info, right.column.info];
    if (
      a.name !== b.name &&
      (unitOf(a) === null || unitOf(b) === null || (left.type === 'duration' && isCalendar(a) !== isCalendar(b)))
    ) {
      return `expected ${a.name} to be compared with the same unit but found ${b.name}`;
    }
  }
  return null;
}

const unitOf = (info: ColumnRef['info']): string | null => ('unit' in info ? info.unit : null);
const isCalendar = (info: ColumnRef['info']): boolean => unitOf(info) === 'Y' || unitOf(info) === 'M';

function nameOf(value: BoundValue): string {
  if (value.kind === 'column') return `${value.column.info.name} column ${printName(value.column.name)}`;
  return value.kind === 'literal' ? printValue(value.value) : value.type === 'bool' ? 'a condition' : 'a number';
}
