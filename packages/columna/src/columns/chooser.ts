// What the sizing half of an encoding needs from its caller: the rules of the mode, and the cheapest node for its own
// children.
import type { SizedNode } from './node.ts';
import type { Narrow, Wide } from './vector.ts';

/**
 * Integers to be stored. A narrow one is in its normal form: smallest value 0, no common divisor, `below` one more than
 * the largest.
 */
export type Source = Narrow | Wide;

/** What a mode asks for. The cheapest node wins: its bytes, and its decoding time at this price. */
export interface Rules {
  /** Bytes that a nanosecond of decoding is worth. */
  readonly bytesPerNanosecond: number;
  readonly deflateLevel: number;
  /** Rounds in which symbols of texts are looked for; after all six of them once more. */
  readonly symbolRounds: number;
  /** Of DELTA: a row needs up to so many gaps, as a power of 2. */
  readonly gapsLog2: number;
  /** Of FRONT: a row needs up to so many strings, as a power of 2. */
  readonly sharingLog2: number;
  /** How often the time of inflating blocks counts: of rows at random each needs a whole block. */
  readonly inflatedTimes: number;
}

/** Bytes, and decoding time as bytes. */
export function costOf({ byteLength, time }: Pick<SizedNode, 'byteLength' | 'time'>, rules: Rules): number {
  return byteLength + time * rules.bytesPerNanosecond;
}

/**
 * What integers are: the values of a page, what a child is for, or, deeper in the tree, anything that only flat
 * encodings are tried for. It says which encodings are worth sizing.
 */
export type Role = 'root' | 'gaps' | 'lengths' | 'values' | 'codes' | 'octets' | 'small' | 'deep';

export const ALL_ROLES: readonly Role[] = ['root', 'gaps', 'lengths', 'values', 'codes', 'octets', 'small', 'deep'];

/** What one encoding would take for a page's values, before DEFLATE. */
export interface Candidate {
  /** The tree in words. */
  readonly encoding: string;
  readonly bytes: number;
  /** The bytes are an estimate: the encoding could not win any more. */
  readonly estimated: boolean;
}

export interface Chooser {
  readonly rules: Rules;
  /** The cheapest node for integers below the root. */
  integers(source: Source, role: Role): SizedNode;
}
