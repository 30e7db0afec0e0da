// An opened page -> its tree of encodings in words, as the writer names them: `RLE(DELTA(BITPACK), BITPACK)`. Reads the
// headers of nodes, no values.
import { ENCODING_NAMES, Encoding } from '../layout/constants.ts';
import { NodeReader } from '../columns/node.ts';
import type { Body, Node } from '../columns/node.ts';

/** @throws CorruptFileError ERR_LAYOUT where a child does not fit into its node. */
export function nodeLabel(node: Node, body: Body): string {
  const name = encodingName(node.encoding);
  const reader = new NodeReader(body, node);
  // Counts of children do not matter to their headers.
  const child = () => reader.child(1, node.domain);
  switch (node.encoding) {
    case Encoding.DELTA: {
      reader.take(8, 'a block length');
      child();
      return `DELTA(${nodeLabel(child(), body)})`;
    }
    case Encoding.DICTIONARY:
    case Encoding.RLE: {
      reader.take(8, 'a count');
      const first = nodeLabel(child(), body);
      return `${name}(${first}, ${nodeLabel(child(), body)})`;
    }
    case Encoding.PATCHED:
    case Encoding.DECIMAL:
      reader.take(8, 'a count or an exponent');
      return `${name}(${nodeLabel(child(), body)})`;
    case Encoding.BITS:
      return `BITS(${nodeLabel(child(), body)})`;
    // The writer's word for codes of the chunk's dictionary page.
    case Encoding.CODES:
      return `DICTIONARY(${nodeLabel(child(), body)})`;
    default:
      return name;
  }
}

export function encodingName(encoding: number): (typeof ENCODING_NAMES)[number] | `encoding ${number}` {
  return ENCODING_NAMES[encoding] ?? `encoding ${encoding}`;
}
