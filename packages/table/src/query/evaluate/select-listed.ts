// Computed values and a list of constants -> the rows whose value is one of them (or, with `flip`, is none) and not
// null, by lookup, however long the list is. Numbers and bigints are compared by their exact values.
import type { GeneralLeaf, Literal } from '../bound-predicate.ts';
import { textOfUnits } from '../../values/fixed-strings.ts';
import { rowAt } from './vectors.ts';
import type { Vector } from './vectors.ts';
import type { RowSet } from './select-leaf.ts';

type ListLeaf = Extract<GeneralLeaf, { kind: 'inValues' }>;
type Key = number | bigint | string;

/** A leaf is asked about batch after batch. */
const known = new WeakMap<ListLeaf, ReadonlySet<Key>>();

/** `out` may be `from.rows`. */
export function selectListed(leaf: ListLeaf, vector: Vector, flip: 0 | 1, from: RowSet, out: Int32Array): number {
  let keys = known.get(leaf);
  if (keys === undefined) known.set(leaf, (keys = new Set(leaf.list.map(keyOf))));
  const { values, nulls } = vector;
  let used = 0;
  for (let index = 0; index < from.count; index += 1) {
    if (nulls?.[index] === 1) continue;
    const value = values[index] as Literal;
    const key = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : keyOf(value);
    if (keys.has(key) === (flip === 1)) continue;
    out[used++] = rowAt(from, index);
  }
  return used;
}

/** Equal for values that are: whole numbers are numbers where those are exact, else bigints. Zeros are one to a Set. */
function keyOf(value: Literal): Key {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'bigint':
      return value >= -LARGEST && value <= LARGEST ? Number(value) : value;
    case 'boolean':
      return Number(value);
    case 'string':
      return value;
    default:
      return textOfUnits(value);
  }
}

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);
