// What one encoding is: everything that this package knows of it stands in its folder under `encodings/`, in two halves
// that are registered there in one line each, so that a program that only reads need not hold what writes. The addon's
// half is native/src/decode.
import type { EncodingName } from '../layout/constants.ts';
import type { Candidate, Chooser, Role, Source } from './chooser.ts';
import type { Decoder, Node, NodeReader, SizedNode } from './node.ts';
import type { Strings, Vector } from './vector.ts';

/** From bytes to values. */
export interface EncodingReader {
  readonly name: EncodingName;

  /** Values [start, end) of integers or floats; absent: it has none. */
  decode?(node: Node, start: number, end: number, decoder: Decoder): Vector;
  /** The same of byte strings. */
  decodeStrings?(node: Node, start: number, end: number, decoder: Decoder): Strings;
  /** The values at `rows` alone, in any order; null, or absent, where all values between them are decoded for that. */
  pick?(node: Node, rows: Uint32Array, decoder: Decoder): Vector | null;
  pickStrings?(node: Node, rows: Uint32Array, decoder: Decoder): Strings | null;
  /**
   * The values at `rows` alone, in any order, asked for where a value between them was refused, for encodings of which
   * nothing is gained by picking; absent: `pick`.
   */
  salvage?(node: Node, rows: Uint32Array, decoder: Decoder): Vector | null;
  salvageStrings?(node: Node, rows: Uint32Array, decoder: Decoder): Strings | null;
  /** A test of values on what is encoded; absent: the values are decoded for it. One byte a value, scratch memory. */
  test?(node: Node, decoder: Decoder, test: ValueTest): Uint8Array;
}

/** From values to bytes, and its name in reports. */
export interface EncodingWriter {
  /** Largest parameter, of a node whose tree is put in words; absent: 0. */
  readonly mostParameter?: number;
  /** The tree in words, as `SizedNode.label` has it, from a node's body. `child` reads the next child's. */
  label?(reader: NodeReader, child: () => string): string;

  /** For which integers it is worth sizing; absent: for none, others ask for it. */
  readonly roles?: readonly Role[];
  /** Integers as a node of it; null where it does not apply, or cannot win. */
  readonly offer?: (source: Source, offers: Offers) => SizedNode | null;
  /** Where it applies nothing else is smaller. */
  readonly isSmallest?: boolean;
}

export type EncodingSlice = EncodingReader & EncodingWriter;

/** What is asked of values. */
interface ValueTest {
  /** One byte a value of a node: 1 where it passes. Scratch memory. */
  node(node: Node): Uint8Array;
  /** Sets the bytes of values that pass to 1. */
  vector(vector: Vector, mask: Uint8Array): void;
}

/** What an encoding that is to be sized may know. */
export interface Offers {
  readonly chooser: Chooser;
  /** Nothing else is wanted: it is sized also where it hardly pays. */
  readonly forced: boolean;
  /** Bytes that PLAIN takes for an item; null: the fewest. */
  readonly itemBytes: number | null;
  /** What was sized before. */
  readonly rivals: readonly SizedNode[];
  /** Reports what it would take, where that alone says that it cannot win. */
  readonly estimate: (candidate: Candidate) => void;
}
