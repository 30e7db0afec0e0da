// A term of a filter -> how the addon tests it, where it can.
import { isColumnLeaf } from '@colkit/table';
import type { BoundNode, BoundPredicate, ColumnLeaf } from '@colkit/table';
import type { ColumnType } from '../../../layout/column-type.ts';
import type { StoredFile } from '../../file/stored-file.ts';
import { hasBytes } from '../mask-strings.ts';
import { numberTest } from './number-test.ts';
import { textTest } from './text-test.ts';

/** A term that compares a column with constants, or asks where it is null. */
export interface Term {
  readonly leaf: ColumnLeaf;
  readonly column: number;
  /** Whether the leaf is to be false. */
  readonly negated: boolean;
  /** How the addon tests values that are in no dictionary; null where it cannot. Nothing for nulls. */
  readonly test: Uint8Array | null;
}

/** Whatever stands in it: nulls are asked for without a test. */
const NOTHING = new Uint8Array(8);
/** A test of thousands of values is made once for a predicate, however often it is asked for. */
const terms = new WeakMap<BoundNode, Term>();

/** Null for what is no comparison with constants. */
export function termOf(file: StoredFile, { root }: BoundPredicate): Term | null {
  const known = terms.get(root);
  if (known !== undefined) return known;
  const negated = root.kind === 'not';
  const leaf = negated ? root.term : root;
  if (!isColumnLeaf(leaf)) return null;
  const column = leaf.column.number;
  const { type } = file.column(column);
  if (leaf.kind !== 'isNull' && type.domain === 'strings' && !hasBytes(leaf)) return null;
  const term = { leaf, negated, column, test: testOf(leaf, negated, type) };
  terms.set(root, term);
  return term;
}

function testOf(leaf: ColumnLeaf, negated: boolean, type: ColumnType): Uint8Array | null {
  if (leaf.kind === 'isNull') return NOTHING;
  if (type.domain === 'strings') return textTest(leaf, negated);
  return leaf.kind === 'startsWith' || leaf.kind === 'like' ? null : numberTest(leaf, negated, type);
}
