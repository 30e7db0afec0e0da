// Single nodes in tests: values -> sized node -> bytes -> values, without a page around them.
import { columnType } from '../../src/layout/column-type.ts';
import type { ColumnTypeName } from '../../src/layout/column-type.ts';
import { decoderOf } from '../../src/columns/decoder.ts';
import { encodingOf } from '../../src/columns/encodings/readers.ts';
import { NodeWriter } from '../../src/columns/node.ts';
import type { ChunkDictionary, Decoder, Node, SizedNode } from '../../src/columns/node.ts';
import { Scratch } from '../../src/columns/scratch.ts';
import { emit, itemTarget } from '../../src/columns/emit.ts';
import type { Vector } from '../../src/columns/vector.ts';

export function encodeNode(node: SizedNode): Uint8Array {
  const out = new NodeWriter(node.byteLength);
  node.encode(out);
  if (out.position !== node.byteLength)
    throw new Error(`${node.label}: sized ${node.byteLength}, wrote ${out.position}`);
  return out.bytes;
}

/** A decoder over a body, as a page of this type would have it. */
export function decoderFor(
  body: Uint8Array,
  typeName: ColumnTypeName,
  dictionary: ChunkDictionary | null = null,
): Decoder {
  const bytes = body.byteOffset % 8 === 0 ? body : body.slice();
  return decoderOf({
    bytes,
    words: new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2),
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    location: { path: '<test>', region: 'page', byteOffset: 0 },
    scratch: new Scratch(),
    itemBytes: columnType(typeName).itemBytes,
    dictionary,
    maxBodyBytes: 1 << 28,
  });
}

export function rootNode(
  body: Uint8Array,
  encoding: number,
  parameter: number,
  count: number,
  typeName: ColumnTypeName,
): Node {
  return { encoding, parameter, start: 0, end: body.length, count, domain: columnType(typeName).domain, depth: 1 };
}

export function decodeNode(node: SizedNode, count: number, typeName: ColumnTypeName, start = 0, end = count): Vector {
  const body = encodeNode(node);
  return decoderFor(body, typeName).vector(rootNode(body, node.encoding, node.parameter, count, typeName), start, end);
}

/** The patterns of a vector's items: words of 64 bits, or bytes of narrower items. */
function patternsOf(vector: Vector, typeName: ColumnTypeName): BigUint64Array | Uint8Array {
  const type = columnType(typeName);
  const bytes = new Uint8Array(vector.count * type.itemBytes);
  emit(vector, itemTarget(type, bytes), 0);
  return type.itemBytes === 8 ? new BigUint64Array(bytes.buffer) : bytes;
}

/** The values of a node. */
export function nodeValues(
  node: SizedNode,
  count: number,
  typeName: ColumnTypeName,
  start = 0,
  end = count,
): BigUint64Array | Uint8Array {
  return patternsOf(decodeNode(node, count, typeName, start, end), typeName);
}

/** The same of the values at `rows`, in their order, as the encoding gives them where others are refused; else null. */
export function salvagedValues(
  node: SizedNode,
  count: number,
  typeName: ColumnTypeName,
  rows: ArrayLike<number>,
): BigUint64Array | Uint8Array | null {
  const body = encodeNode(node);
  const root = rootNode(body, node.encoding, node.parameter, count, typeName);
  const slice = encodingOf(node.encoding);
  const vector = (slice?.salvage ?? slice?.pick)?.(root, Uint32Array.from(rows), decoderFor(body, typeName)) ?? null;
  return vector === null ? null : patternsOf(vector, typeName);
}

/** The same of the values at `rows`, in their order. */
export function pickedValues(
  node: SizedNode,
  count: number,
  typeName: ColumnTypeName,
  rows: ArrayLike<number>,
): BigUint64Array | Uint8Array {
  const body = encodeNode(node);
  const root = rootNode(body, node.encoding, node.parameter, count, typeName);
  return patternsOf(decoderFor(body, typeName).pick(root, Uint32Array.from(rows)), typeName);
}

/** A body by hand: little-endian parts. */
export function bytesOf(
  ...parts: readonly (readonly ['u8' | 'u16' | 'u32', number] | readonly ['u64', bigint] | Uint8Array | string)[]
): Uint8Array {
  const out: number[] = [];
  for (const part of parts) {
    if (part instanceof Uint8Array) out.push(...part);
    else if (typeof part === 'string') out.push(...Buffer.from(part.replaceAll(' ', ''), 'hex'));
    else {
      const [kind, value] = part;
      const width = { u8: 1, u16: 2, u32: 4, u64: 8 }[kind];
      for (let i = 0; i < width; i++) out.push(Number((BigInt(value) >> BigInt(8 * i)) & 255n));
    }
  }
  return Uint8Array.from(out);
}

/** A child node's bytes with header and padding. */
export function childOf(encoding: number, parameter: number, body: Uint8Array): Uint8Array {
  return bytesOf(
    ['u8', encoding],
    ['u8', parameter],
    ['u16', 0],
    ['u32', body.length],
    body,
    new Uint8Array((8 - (body.length % 8)) % 8),
  );
}
