// A comparison of texts with constants -> bytes as the addon tests texts that are in no dictionary page.
import { TEXT_TEST, TEXT_TEST_FLAG, assertNever } from '@colkit/io';
import { segmentText } from '@colkit/table';
import { compareBytes } from '../../layout/statistics.ts';
import { isWellFormed } from '../../layout/schema.ts';
import { bytesOf } from './mask-strings.ts';
import type { StringLeaf } from './mask-strings.ts';

const NO_TEXT = new Uint8Array(0);
/** What bytes that are no UTF-8 are decoded to. */
const REPLACEMENT = '\ufffd';

interface TextTest {
  readonly kind: number;
  readonly flags: number;
  readonly constants: readonly Uint8Array[];
}

/**
 * Null for what is not tested as bytes: patterns with `_` or without regard to case.
 * @param negated texts for which the leaf is false are looked for.
 */
export function textTest(leaf: StringLeaf, negated: boolean): Uint8Array | null {
  const test = testOf(leaf);
  return test === null ? null : packed({ ...test, flags: test.flags | (negated ? TEXT_TEST_FLAG.not : 0) });
}

function testOf(leaf: StringLeaf): TextTest | null {
  const { low, high, aboveLow, belowHigh } = TEXT_TEST_FLAG;
  const range = (flags: number, ...constants: readonly [Uint8Array, Uint8Array]): TextTest => ({
    kind: TEXT_TEST.range,
    flags,
    constants,
  });
  switch (leaf.kind) {
    case 'in':
      return leaf.values.length === 0
        ? null
        : { kind: TEXT_TEST.in, flags: 0, constants: leaf.values.map(bytesOf).sort(byLength) };
    case 'between':
      return range(low | high, bytesOf(leaf.low), bytesOf(leaf.high));
    case 'startsWith':
      return { kind: TEXT_TEST.like, flags: 0, constants: [bytesOf(leaf.prefix), NO_TEXT] };
    case 'like': {
      if (leaf.pattern.caseless) return null;
      const constants: Uint8Array[] = [];
      for (const segment of leaf.pattern.segments) {
        const text = segmentText(segment);
        if (text === null || !isWellFormed(text) || text.includes(REPLACEMENT)) return null;
        constants.push(bytesOf(text));
      }
      return { kind: TEXT_TEST.like, flags: 0, constants };
    }
    case 'compare': {
      const value = bytesOf(leaf.value);
      switch (leaf.op) {
        case 'eq':
          return { kind: TEXT_TEST.in, flags: 0, constants: [value] };
        case 'lt':
          return range(high | belowHigh, NO_TEXT, value);
        case 'le':
          return range(high, NO_TEXT, value);
        case 'gt':
          return range(low | aboveLow, value, NO_TEXT);
        case 'ge':
          return range(low, value, NO_TEXT);
        default:
          return assertNever(leaf.op);
      }
    }
    default:
      return assertNever(leaf);
  }
}

function byLength(a: Uint8Array, b: Uint8Array): number {
  return a.length - b.length || compareBytes(a, b);
}

/** In the order that native/src/pages/text_test.h gives. */
function packed({ kind, flags, constants }: TextTest): Uint8Array {
  const words = new Uint32Array(3 + constants.length);
  words.set([kind, flags, constants.length]);
  for (const [index, { length }] of constants.entries()) words[3 + index] = length;
  const bytes = new Uint8Array(words.byteLength + constants.reduce((sum, { length }) => sum + length, 0));
  bytes.set(new Uint8Array(words.buffer));
  let at = words.byteLength;
  for (const constant of constants) {
    bytes.set(constant, at);
    at += constant.length;
  }
  return bytes;
}
