// A predicate (built or text), a schema and parameters -> a bound predicate, or a QueryError with the position.
// Everything is checked here, before any data is read.
import { ArgumentError, assertNever, describeValue, isByName, parseDType } from '@colkit/io';
import type { Field } from '../../source.ts';
import { bindLeaf, TypeMismatch, valueTypeOf } from './bind-leaf.ts';
import type { BoundNode, BoundPredicate, BoundValue, ColumnRef, CompareOperator, Literal } from '../bound-predicate.ts';
import { computeLiterals, compareConstants, constantType } from './constants.ts';
import { columnsOf } from '../columns-of.ts';
import type { QueryParams } from '../text/query-params.ts';
import { Expression } from '../text/expression.ts';
import { EVERYTHING, NOTHING, andNode, generalNode, leafNode, listLeaf, orNode, presentNode } from './normal-form.ts';
import { comparisonFault, constantOf, describeOperand, operandType } from './operand.ts';
import type { Operand } from './operand.ts';
import { Scope } from './scope.ts';
import { parsePredicate } from '../text/parse.ts';
import { ARITHMETIC_SIGNS, printName, printPredicate, printValue } from '../text/print.ts';
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
  const binder = new Binder(new Scope(text, positions, columns, params));
  const root = binder.condition(tree, false);
  const refs = [...columnsOf(root)].sort((left, right) => left.number - right.number);
  return { columns: refs.map(({ number }) => number), refs, text, root };
}

const MIRRORED: Readonly<Record<CompareOperator, CompareOperator>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
};

class Binder {
  readonly #scope: Scope;
  #truthLevel = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
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
    throw this.#scope.mistyped(tree, `expected a condition but found ${describeOperand(operand)}`);
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
      const result = this.#scope.dated(rightTree, () =>
        compareConstants(op, left.value as Exclude<PlainValue, null>, right.value as Exclude<PlainValue, null>),
      );
      if (result === null)
        throw this.#scope.mistyped(
          rightTree,
          `expected ${describeOperand(left)} to be compared with its like but found ${describeOperand(right)}`,
        );
      return result === negated ? NOTHING : EVERYTHING;
    }
    const [a, b] = [this.#valueOf(left, leftTree), this.#valueOf(right, rightTree)];
    const fault = comparisonFault(op, a, b);
    if (fault !== null) throw this.#scope.mistyped(rightTree, fault);
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
    const outcome = this.#scope.dated(tree, () => bindLeaf(column, op, value));
    if (outcome instanceof TypeMismatch) throw this.#scope.mistyped(tree, outcome.message);
    return leafNode(column, outcome, negated);
  }

  #membership(tree: SyntaxOf<'in' | 'inList' | 'inParameter'>, negated: boolean): BoundNode {
    const operand = this.#operand(tree.operand);
    const items =
      tree.kind === 'in'
        ? tree.items.map((item) => ({ tree: item, operand: this.#operand(item) }))
        : this.#scope.list(tree).map((value) => ({ tree, operand: constantOf(value) }));
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

  #listNode(
    column: ColumnRef,
    items: readonly { readonly tree: Syntax; readonly operand: Operand }[],
    negated: boolean,
  ): BoundNode {
    const values: Literal[] = [];
    for (const { tree, operand } of items) {
      if (operand.kind !== 'constant' || operand.value === null) continue;
      const { value } = operand;
      const outcome = this.#scope.dated(tree, () => bindLeaf(column, 'eq', value));
      if (outcome instanceof TypeMismatch) throw this.#scope.mistyped(tree, outcome.message);
      if (typeof outcome !== 'string' && outcome.kind === 'compare') values.push(outcome.value);
    }
    return leafNode(column, listLeaf(column, values), negated);
  }

  #nullness({ operand: tree }: SyntaxOf<'isNull'>, negated: boolean): BoundNode {
    // The one question that may be asked of every column, comparable or not.
    if (tree.kind === 'column') {
      const column = this.#scope.column(tree);
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
      throw this.#scope.mistyped(tree.prefix, `expected a string as the prefix but found ${describeOperand(prefix)}`);
    if (operand.kind === 'constant' && typeof operand.value === 'string')
      return operand.value.startsWith(prefix.value) === negated ? NOTHING : EVERYTHING;
    if (operand.kind === 'column' && operand.type === 'text') {
      return leafNode(
        operand.column,
        prefix.value === '' ? 'all' : { kind: 'startsWith', column: operand.column, prefix: prefix.value },
        negated,
      );
    }
    throw this.#scope.mistyped(tree.operand, `expected text but found ${describeOperand(operand)}`);
  }

  #operand(tree: Syntax): Operand {
    switch (tree.kind) {
      case 'column': {
        const column = this.#scope.column(tree);
        const type = valueTypeOf(column.info);
        if (type === null)
          throw this.#scope.mistyped(
            tree,
            `column ${printName(column.name)} is ${column.info.name}, whose values cannot be compared`,
          );
        return { kind: 'column', column, type };
      }
      case 'value':
        return constantOf(tree.value);
      case 'parameter':
        return constantOf(this.#scope.constant(tree));
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
      throw this.#scope.mistyped(
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
        throw this.#scope.mistyped(
          tree,
          `expected a number beside "${op === 'negate' ? '-' : ARITHMETIC_SIGNS[op]}" but found ${describeOperand(operand)}`,
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
          throw this.#scope.mistyped(
            tree,
            `a moment can only be compared with a datetime column, not ${printValue(value)} with a computed value`,
          );
        return { kind: 'literal', type: operand.type ?? constantType(value), value };
      }
    }
  }
}
