// A comparison of texts with constants -> bytes as the addon tests texts that are in no dictionary page.
import { TEXT_TEST, TEXT_TEST_FLAG, assertNever } from '@colkit/io';
import { likeFolds } from '@colkit/table';
import type { LikePattern } from '@colkit/table';
import { isWellFormed } from '../../../layout/schema.ts';
import { bytesOf } from '../mask-strings.ts';
import type { StringLeaf } from '../mask-strings.ts';

const NO_TEXT = new Uint8Array(0);
/** Any one character: a byte that no text has. */
const ANY = Uint8Array.of(0xff);
/** Bytes of a character, with zeros behind, where another one stands for it. */
const FOLD_BYTES = 4;
/** What bytes that are no UTF-8 are decoded to. */
const REPLACEMENT = '\ufffd';

interface TextTest {
  readonly kind: number;
  readonly flags: number;
  readonly constants: readonly Uint8Array[];
}

/**
 * Null for what is not tested as bytes: patterns of what is no text.
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
      return leaf.values.length === 0 ? null : { kind: TEXT_TEST.in, flags: 0, constants: leaf.values.map(bytesOf) };
    case 'between':
      return range(low | high, bytesOf(leaf.low), bytesOf(leaf.high));
    case 'startsWith':
      return { kind: TEXT_TEST.like, flags: 0, constants: [bytesOf(leaf.prefix), NO_TEXT] };
    case 'like': {
      const segments = leaf.pattern.segments.map(segmentBytes);
      if (!segments.every((segment) => segment !== null)) return null;
      return leaf.pattern.caseless
        ? { kind: TEXT_TEST.like, flags: TEXT_TEST_FLAG.caseless, constants: [foldBytes(leaf.pattern), ...segments] }
        : { kind: TEXT_TEST.like, flags: 0, constants: segments };
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

/** Null where it has half a character, or what bytes that are no text would be. */
function segmentBytes(segment: LikePattern['segments'][number]): Uint8Array | null {
  const isText = segment.every((unit) => unit === null || (isWellFormed(unit) && unit !== REPLACEMENT));
  return isText ? joined(segment.map((unit) => (unit === null ? ANY : bytesOf(unit)))) : null;
}

function foldBytes(pattern: LikePattern): Uint8Array {
  const letters = likeFolds(pattern).flat();
  const bytes = new Uint8Array(FOLD_BYTES * letters.length);
  for (const [index, letter] of letters.entries()) bytes.set(bytesOf(letter), FOLD_BYTES * index);
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** In the order that native/src/pages/texts/text_test.h gives. */
function packed({ kind, flags, constants }: TextTest): Uint8Array {
  const words = new Uint32Array(3 + constants.length);
  words.set([kind, flags, constants.length]);
  for (const [index, { length }] of constants.entries()) words[3 + index] = length;
  return joined([new Uint8Array(words.buffer), ...constants]);
}
