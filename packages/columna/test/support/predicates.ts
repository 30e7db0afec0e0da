// Random predicates, and the brute force that says which rows match: three-valued logic on plain cells, written to be
// obviously right.
import fc from 'fast-check';
import { col } from '@colkit/table';
import type { Expression } from '@colkit/table';
import type { Cell } from './cells.ts';
import { DOMAINS, LONG, compare } from './random-tables.ts';
import type { RandomColumn, Value } from './random-tables.ts';

type Truth = boolean | null;
type Op = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

export type Tree =
  | { readonly kind: 'compare'; readonly column: number; readonly op: Op; readonly value: Value }
  | { readonly kind: 'between'; readonly column: number; readonly low: Value; readonly high: Value }
  | { readonly kind: 'in'; readonly column: number; readonly values: readonly Value[] }
  | { readonly kind: 'starts'; readonly column: number; readonly prefix: string }
  | { readonly kind: 'like'; readonly column: number; readonly pattern: string }
  | { readonly kind: 'null' | 'present'; readonly column: number }
  /** left + right compared with a number: a general expression. */
  | { readonly kind: 'sum'; readonly column: number; readonly other: number; readonly op: Op; readonly value: number }
  | { readonly kind: 'and' | 'or'; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'not'; readonly term: Tree };

export function treeArbitrary(columns: readonly RandomColumn[]): fc.Arbitrary<Tree> {
  const leaf = fc.integer({ min: 0, max: columns.length - 1 }).chain((column) => leafArbitrary(columns, column));
  return fc.letrec<{ tree: Tree; leaf: Tree }>((tie) => ({
    leaf,
    tree: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      tie('leaf'),
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('tree'), right: tie('tree') }),
      fc.record({ kind: fc.constant('not' as const), term: tie('tree') }),
    ),
  })).tree;
}

function leafArbitrary(columns: readonly RandomColumn[], column: number): fc.Arbitrary<Tree> {
  const kind = columns[column]!.column.name.split(' ')[0]!;
  const { type, constant, cell } = DOMAINS[kind]!;
  const own = type === 'datetime' || type === 'date' ? constant : fc.oneof(constant, cell as fc.Arbitrary<Value>);
  const op = fc.constantFrom<Op>('eq', 'ne', 'lt', 'le', 'gt', 'ge');
  const options: fc.Arbitrary<Tree>[] = [
    fc.record({ kind: fc.constant('compare' as const), column: fc.constant(column), op, value: own }),
    fc.record({ kind: fc.constant('compare' as const), column: fc.constant(column), op, value: own }),
    fc.record({ kind: fc.constant('between' as const), column: fc.constant(column), low: own, high: own }),
    fc.record({
      kind: fc.constant('in' as const),
      column: fc.constant(column),
      values: fc.array(own, { maxLength: 20 }),
    }),
    fc.record({ kind: fc.constantFrom('null' as const, 'present' as const), column: fc.constant(column) }),
  ];
  if (type === 'string')
    options.push(
      fc.record({
        kind: fc.constant('starts' as const),
        column: fc.constant(column),
        prefix: fc.constantFrom('', 'a', 'item-0', 'x', LONG, `${LONG}a`, '\ud83d', 'é'),
      }),
      fc.record({
        kind: fc.constant('like' as const),
        column: fc.constant(column),
        pattern: fc.constantFrom('%', 'a', 'a%', '%a%', 'item-_1%', '%é', '_', '%\ud83d%', `${LONG}_`, 'it%-%5', 'x%'),
      }),
    );
  const numbers = columns.flatMap(({ column: other }, number) =>
    ['int8', 'int32', 'uint32', 'float64'].includes(other.type) ? [number] : [],
  );
  if (numbers.includes(column))
    options.push(
      fc.record({
        kind: fc.constant('sum' as const),
        column: fc.constant(column),
        other: fc.constantFrom(...numbers),
        op,
        value: fc.integer({ min: -50, max: 50 }),
      }),
    );
  return fc.oneof(...options);
}

/** As users write it. */
export function expressionOf(tree: Tree, names: readonly string[]): Expression<boolean> {
  const name = 'column' in tree ? names[tree.column]! : '';
  switch (tree.kind) {
    case 'compare':
      return col(name)[tree.op](tree.value);
    case 'between':
      return col(name).between(tree.low, tree.high);
    case 'in':
      return col(name).isIn(tree.values);
    case 'starts':
      return col(name).startsWith(tree.prefix);
    case 'like':
      return col(name).like(tree.pattern);
    case 'null':
      return col(name).isNull();
    case 'present':
      return col(name).notNull();
    case 'sum':
      return col(name).add(col(names[tree.other]!))[tree.op](tree.value);
    case 'and':
      return expressionOf(tree.left, names).and(expressionOf(tree.right, names));
    case 'or':
      return expressionOf(tree.left, names).or(expressionOf(tree.right, names));
    case 'not':
      return expressionOf(tree.term, names).not();
  }
}

/** The rows for which the tree is true. */
export function bruteForce(tree: Tree, columns: readonly RandomColumn[]): number[] {
  return columns[0]!.cells.flatMap((_, row) => (truth(tree, columns, row) === true ? [row] : []));
}

function truth(tree: Tree, columns: readonly RandomColumn[], row: number): Truth {
  const cell = 'column' in tree ? columns[tree.column]!.cells[row]! : null;
  const value = 'column' in tree ? comparable(cell, columns[tree.column]!.column.type) : null;
  switch (tree.kind) {
    case 'null':
      return cell === null;
    case 'present':
      return cell !== null;
    case 'compare':
      return holds(tree.op, value, tree.value);
    case 'between':
      return and(holds('ge', value, tree.low), holds('le', value, tree.high));
    case 'in':
      return cell === null ? null : tree.values.some((one) => holds('eq', value, one) === true);
    case 'starts':
      return cell === null ? null : (cell as string).startsWith(tree.prefix);
    case 'like':
      return cell === null ? null : likeRegExp(tree.pattern).test(cell as string);
    case 'sum': {
      const other = columns[tree.other]!.cells[row]!;
      return cell === null || other === null ? null : holds(tree.op, Number(cell) + Number(other), tree.value);
    }
    case 'and':
      return and(truth(tree.left, columns, row), truth(tree.right, columns, row));
    case 'or':
      return not(and(not(truth(tree.left, columns, row)), not(truth(tree.right, columns, row))));
    case 'not':
      return not(truth(tree.term, columns, row));
  }
}

/** Half a character matches that half of a whole one, as a prefix does; `_` is a whole one. */
function likeRegExp(pattern: string): RegExp {
  const body = pattern.replaceAll('%', '[^]*').replaceAll('_', '[^]');
  return new RegExp(`^${body}$`, pattern.includes('_') ? 'u' : '');
}

/** Moments as microseconds; NaT as NaN, which compares like it. */
function comparable(cell: Cell, type: string): Value | null {
  if (cell instanceof Uint8Array) return null;
  if (cell === null || (type !== 'datetime' && type !== 'date')) return cell;
  if (cell === -(2n ** 63n)) return NaN;
  return type === 'date' ? (cell as bigint) * 86_400_000_000n : cell;
}

function and(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false;
  return a === null || b === null ? null : true;
}

function not(a: Truth): Truth {
  return a === null ? null : !a;
}

function holds(op: Op, left: Value | null, right: Value): Truth {
  if (left === null) return null;
  const order = compare(left, right instanceof Date ? BigInt(right.getTime()) * 1000n : right);
  if (order === null) return op === 'ne';
  return { eq: order === 0, ne: order !== 0, lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 }[op];
}
