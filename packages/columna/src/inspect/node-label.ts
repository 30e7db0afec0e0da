// An opened page -> its tree of encodings in words, as the writer names them: `RLE(DELTA(BITPACK), BITPACK)`. Reads the
// headers of nodes, no values.
import { sliceOf } from '../columns/encodings/index.ts';
import { NodeReader } from '../columns/node.ts';
import type { Body, Node } from '../columns/node.ts';
import { ENCODING_NAMES } from '../layout/constants.ts';

/** @throws CorruptFileError ERR_LAYOUT where a child does not fit into its node. */
export function nodeLabel(node: Node, body: Body): string {
  const slice = sliceOf(encodingName(node.encoding));
  const reader = new NodeReader(body, node, slice?.mostParameter);
  // Counts of children do not matter to their headers.
  const child = (): string => nodeLabel(reader.child(1, node.domain), body);
  return slice?.label?.(reader, child) ?? encodingName(node.encoding);
}

export function encodingName(encoding: number): (typeof ENCODING_NAMES)[number] | `encoding ${number}` {
  return ENCODING_NAMES[encoding] ?? `encoding ${encoding}`;
}
