// What the sizing half of an encoding needs from its caller: the rules of the mode, and the smallest node for its own
// children.
import type { SizedNode } from './node.ts';
import type { Narrow, Wide } from './vector.ts';

/**
 * Integers to be stored. A narrow one is in its normal form: smallest value 0, no common divisor, `below` one more than
 * the largest.
 */
export type Source = Narrow | Wide;

/**
 * What a decoder pays for more than bytes must earn: the share of the cheaper-to-decode alternative that it has to
 * save.
 */
export interface Rules {
  /** Base-3 and base-5 digits against whole bits, of a BITPACK node. */
  readonly digitsGain: number;
  /** ENTROPY against everything else. */
  readonly entropyGain: number;
  /** DEFLATE on a page whose root is not PLAIN. */
  readonly deflateGain: number;
  readonly deflateLevel: number;
  /** A joint dictionary against its columns stored alone: reading one of them then reads the codes of all. */
  readonly jointGain: number;
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
  /** The smallest node for integers below the root. */
  integers(source: Source, role: Role): SizedNode;
}
