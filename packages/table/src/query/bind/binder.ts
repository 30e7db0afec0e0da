// A syntax tree -> a bound node: names are resolved, types checked, constants made exact, `not` driven to the leaves.
import { assertNever } from '@colkit/io';
import { bindLeaf, TypeMismatch, valueTypeOf } from './bind-leaf.ts';
import { bindCall } from './bind-call.ts';
import type { CallBinder } from './bind-call.ts';
import { likeNode } from './bind-like.ts';
import { mayBeUnknown } from './may-be-unknown.ts';
import { yearNode } from './bind-year.ts';
import { isExactPower } from './integer-bits.ts';
import type {
  ArithmeticOperator,
  BoundNode,
  BoundValue,
  ColumnRef,
  CompareOperator,
  Literal,
} from '../bound-predicate.ts';
import { MIRRORED, computeLiterals, compareConstants, constantType } from './constants.ts';
import { EVERYTHING, NOTHING, andNode, generalNode, leafNode, listLeaf, orNode, presentNode } from './normal-form.ts';
import { comparisonFault, constantOf, describeOperand, operandType } from './operand.ts';
import type { Operand } from './operand.ts';
import { Scope } from './scope.ts';
import { ARITHMETIC_SIGNS, printName, printValue } from '../text/print.ts';
import { mayBeNull } from '../value-dtype.ts';
import { chainTerms, node } from '../text/syntax.ts';
import type { PlainValue, Syntax, SyntaxOf } from '../text/syntax.ts';

const TRUE: BoundValue = Object.freeze({ kind: 'literal', type: 'bool', value: true });

/** Conditions within the values of conditions double the work with every level. */
const MOST_TRUTH_LEVELS = 6;

/** Walks a syntax tree against the columns and parameters of a scope. */
export class Binder {
  readonly #scope: Scope;
  readonly #calls: CallBinder;
  #truthLevel = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#calls = {
      scope,
      operand: (tree) => this.#operand(tree),
      value: (operand, tree) => this.#valueOf(operand, tree),
      truth: (tree) => this.#valueOf(this.#truth(tree), tree),
    };
  }

  /** A tree as what it computes: a constant too, a condition as true or false. */
  value(tree: Syntax): BoundValue {
    return this.#valueOf(this.#operand(tree), tree);
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
      case 'like':
        return likeNode(tree, this.#operand(tree.operand), this.#operand(tree.pattern), this.#scope, negated);
      case 'invert':
        return this.#isTruth(tree.operand) ? this.condition(tree.operand, !negated) : this.#truthOf(tree, negated);
      case 'column':
      case 'value':
      case 'parameter':
      case 'negate':
      case 'call':
        return this.#truthOf(tree, negated);
      case 'arithmetic':
        return isBitwise(tree.op) ? this.#combined(tree, tree.op, negated) : this.#truthOf(tree, negated);
      default:
        return assertNever(tree);
    }
  }

  /** Whether it is a condition, or a bool: what `~ & | ^` combine as Python does. */
  #isTruth(tree: Syntax): boolean {
    switch (tree.kind) {
      case 'invert':
        return this.#isTruth(tree.operand);
      case 'arithmetic':
        return isBitwise(tree.op) && this.#isTruth(tree.left) && this.#isTruth(tree.right);
      case 'column':
      case 'value':
      case 'parameter':
      case 'call':
        return operandType(this.#operand(tree)) === 'bool';
      case 'negate':
        return false;
      default:
        return true;
    }
  }

  /** `&`, `|` and `^` of conditions. */
  #combined(tree: SyntaxOf<'arithmetic'>, op: BitOperator, negated: boolean): BoundNode {
    const { left, right } = tree;
    if (!this.#isTruth(left) || !this.#isTruth(right)) return this.#truthOf(tree, negated);
    const both = (first: boolean, second: boolean): BoundNode =>
      andNode([this.condition(left, first), this.condition(right, second)]);
    if (op === 'bitXor') return orNode([both(false, !negated), both(true, negated)]);
    const terms = [this.condition(left, negated), this.condition(right, negated)];
    return (op === 'bitAnd') === negated ? orNode(terms) : andNode(terms);
  }

  /** A value where a condition stands: a bool column, a constant, or what is computed. */
  #truthOf(tree: Syntax, negated: boolean): BoundNode {
    const operand = this.#operand(tree);
    if (operand.kind === 'column' && operand.type === 'bool')
      return leafNode(operand.column, { kind: 'compare', column: operand.column, op: 'eq', value: true }, negated);
    if (operand.kind === 'constant' && (typeof operand.value === 'boolean' || operand.value === null))
      return operand.value === !negated ? EVERYTHING : NOTHING;
    if (operand.kind === 'computed' && operand.value.type === 'bool')
      return generalNode({ kind: 'compareValues', op: 'eq', left: operand.value, right: TRUE }, negated);
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
          `expected ${describeOperand(left)} to be compared with its like but found ` +
            `${describeOperand(right)}${this.#scope.nameHint(leftTree)}`,
        );
      for (const tree of [leftTree, rightTree])
        if (this.#scope.isQuotedName(tree))
          throw this.#scope.mistyped(tree, 'expected a column beside a constant but found two constants');
      return result === negated ? NOTHING : EVERYTHING;
    }
    const ofYears =
      left.kind === 'computed' && right.kind === 'constant' ? yearNode(op, left.value, right.value, negated) : null;
    if (ofYears !== null) return ofYears;
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
      if (operand.kind === 'constant' && operand.value === null) return NOTHING;
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
        if (isBitwise(tree.op) && this.#isTruth(tree.left) && this.#isTruth(tree.right)) return this.#truth(tree);
        return this.#arithmetic(tree.op, tree.left, tree.right);
      case 'invert': {
        if (this.#isTruth(tree.operand)) return this.#truth(tree);
        // As in Python: all bits turned are -x - 1.
        const minusOne = node({ kind: 'value', value: -1 }, tree.position);
        return this.#arithmetic('sub', minusOne, tree.operand, '~');
      }
      case 'negate':
        return this.#arithmetic('negate', tree.operand, tree.operand);
      case 'call':
        return bindCall(tree, this.#calls);
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
      case 'like':
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
    const nullable = mayBeUnknown(tree, (part) => this.#mayBeNull(part));
    this.#truthLevel -= 1;
    return { kind: 'computed', value: { kind: 'truth', type: 'bool', whenTrue, whenFalse, nullable } };
  }

  #mayBeNull(tree: Syntax): boolean {
    const operand = this.#operand(tree);
    return operand.kind === 'constant' ? operand.value === null : mayBeNull(this.#valueOf(operand, tree));
  }

  #arithmetic(
    op: SyntaxOf<'arithmetic'>['op'] | 'negate',
    leftTree: Syntax,
    rightTree: Syntax,
    sign = op === 'negate' ? '-' : ARITHMETIC_SIGNS[op],
  ): Operand {
    const [left, right] =
      op === 'negate' ? [constantOf(0), this.#operand(rightTree)] : [this.#operand(leftTree), this.#operand(rightTree)];
    for (const [operand, tree] of [
      [left, leftTree],
      [right, rightTree],
    ] as const) {
      const type = operandType(operand);
      const byBits = sign === '~' || (op !== 'negate' && isBitwise(op));
      if (type !== null && type !== 'int' && (type !== 'float' || byBits))
        throw this.#scope.mistyped(
          tree,
          `expected ${byBits ? 'an integer, or conditions in parentheses,' : 'a number'} beside "${sign}" but ` +
            `found ${describeOperand(operand)}`,
        );
    }
    const type = isExact(op, left, right) ? 'int' : 'float';
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

type BitOperator = 'bitAnd' | 'bitOr' | 'bitXor';

function isBitwise(op: ArithmeticOperator): op is BitOperator {
  return op === 'bitAnd' || op === 'bitOr' || op === 'bitXor';
}

/** Whether the result is an integer, exact whatever its size. */
function isExact(op: ArithmeticOperator | 'negate', left: Operand, right: Operand): boolean {
  if (op === 'div' || operandType(left) === 'float' || operandType(right) === 'float') return false;
  return op !== 'pow' || isExactPower(left, right);
}
