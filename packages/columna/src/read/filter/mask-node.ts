// A node of a page -> which of its values are looked for, without making the values where the encoding allows that:
// run by run, entry by entry, and through patches; packed numbers are compared as they are.
import { encodingOf } from '../../columns/encodings/readers.ts';
import type { Decoder, Node } from '../../columns/node.ts';
import type { Vector } from '../../columns/vector.ts';

/** One byte a value: 1 where `vector` marks it. Scratch memory. */
export function maskNode(node: Node, decoder: Decoder, vector: (values: Vector, mask: Uint8Array) => void): Uint8Array {
  const ofNode = (each: Node): Uint8Array => {
    const masked = encodingOf(each.encoding)?.test?.(each, decoder, { node: ofNode, vector });
    if (masked !== undefined) return masked;
    const mask = decoder.scratch.zeros(each.count);
    vector(decoder.vector(each, 0, each.count), mask);
    return mask;
  };
  return ofNode(node);
}
