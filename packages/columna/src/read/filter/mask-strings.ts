// Byte strings -> which of them a leaf is true for, compared as bytes: the order of UTF-8 is the order of code points,
// so no text is made. Entries of a dictionary are looked at once.
import { assertNever } from '@colkit/io';
import { likeTest } from '@colkit/table';
import type { ColumnLeaf, Literal } from '@colkit/table';
import { stringAt } from '../../columns/byte-strings.ts';
import { possiblyEqual } from '../../columns/encodings/blocks/fingerprint.ts';
import { latin1 } from '../../columns/latin1.ts';
import { compareRange } from '../../layout/statistics.ts';
import { isWellFormed } from '../../layout/schema.ts';
import type { ByteStrings } from '../../columns/vector.ts';

export type StringLeaf = Exclude<ColumnLeaf, { kind: 'isNull' }>;

/** What the constants of a leaf are as bytes, and those of a list as what is looked up. */
interface Constants {
  readonly haveBytes: boolean;
  readonly bytes: readonly Uint8Array[];
  readonly listed: ReadonlySet<string>;
}

/** A leaf is asked about page after page, and a list may be of thousands. */
const known = new WeakMap<StringLeaf, Constants>();

function knownConstants(leaf: StringLeaf): Constants {
  let constants = known.get(leaf);
  if (constants === undefined) {
    const values = constantsOf(leaf);
    const bytes = values.map(bytesOf);
    const haveBytes = values.every((value) => typeof value !== 'string' || isWellFormed(value));
    known.set(leaf, (constants = { haveBytes, bytes, listed: new Set(leaf.kind === 'in' ? bytes.map(latin1) : []) }));
  }
  return constants;
}

/** Whether all its constants have bytes to compare with: a text with half a character in it has none. */
export function hasBytes(leaf: StringLeaf): boolean {
  return knownConstants(leaf).haveBytes;
}

function constantsOf(leaf: StringLeaf): readonly Literal[] {
  switch (leaf.kind) {
    case 'compare':
      return [leaf.value];
    case 'between':
      return [leaf.low, leaf.high];
    case 'in':
      return leaf.values;
    case 'startsWith':
      return [leaf.prefix];
    case 'like':
      return [];
    default:
      return assertNever(leaf);
  }
}

/** One byte a string: 1 where the leaf is true. */
export function maskStrings(leaf: StringLeaf, strings: ByteStrings): Uint8Array {
  const test = testOf(leaf);
  const equal = leaf.kind === 'in' || (leaf.kind === 'compare' && leaf.op === 'eq');
  if (equal && strings.lazy !== undefined) {
    // Only blocks are looked at that hold one that may be equal.
    const mask = possiblyEqual(strings, knownConstants(leaf).bytes);
    for (let i = 0; i < mask.length; i++) {
      if (mask[i] === 0) continue;
      const string = stringAt(strings, i);
      mask[i] = Number(test(string, 0, string.length));
    }
    return mask;
  }
  const mask = new Uint8Array(strings.count);
  const { bytes, start, ends } = strings;
  for (let i = 0, from = start; i < mask.length; i++) {
    const end = ends[i] as number;
    mask[i] = Number(test(bytes, from, end));
    from = end;
  }
  return mask;
}

/** Of the bytes [from, end): a view of each string takes longer than to compare it. */
type StringTest = (bytes: Uint8Array, from: number, end: number) => boolean;

function testOf(leaf: StringLeaf): StringTest {
  const { bytes: constants, listed } = knownConstants(leaf);
  const [first, second] = constants as [Uint8Array, Uint8Array];
  switch (leaf.kind) {
    case 'like': {
      const test = likeTest(leaf.pattern);
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      return (bytes, from, end) => test(decoder.decode(bytes.subarray(from, end)));
    }
    case 'startsWith':
      return (bytes, from, end) => beginsWith(bytes, from, end, first);
    case 'between':
      return (bytes, from, end) =>
        compareRange(bytes, from, end, first) >= 0 && compareRange(bytes, from, end, second) <= 0;
    case 'in':
      return (bytes, from, end) => listed.has(latin1(bytes.subarray(from, end)));
    case 'compare':
      switch (leaf.op) {
        case 'eq':
          return (bytes, from, end) => end - from === first.length && beginsWith(bytes, from, end, first);
        case 'lt':
          return (bytes, from, end) => compareRange(bytes, from, end, first) < 0;
        case 'le':
          return (bytes, from, end) => compareRange(bytes, from, end, first) <= 0;
        case 'gt':
          return (bytes, from, end) => compareRange(bytes, from, end, first) > 0;
        case 'ge':
          return (bytes, from, end) => compareRange(bytes, from, end, first) >= 0;
        default:
          return assertNever(leaf.op);
      }
    default:
      return assertNever(leaf);
  }
}

function beginsWith(bytes: Uint8Array, from: number, end: number, prefix: Uint8Array): boolean {
  if (end - from < prefix.length) return false;
  let i = 0;
  while (i < prefix.length && bytes[from + i] === prefix[i]) i++;
  return i === prefix.length;
}

export function bytesOf(value: Literal): Uint8Array {
  return value instanceof Uint8Array ? value : new TextEncoder().encode(String(value));
}
