// The tree of nodes in a page body: reading their headers with every length checked, and writing them. What is inside a
// node is the business of its encoding.
import { CorruptFileError, UnsupportedError } from '@colkit/io';
import type { Domain } from '../layout/column-type.ts';
import { MAX_NODE_DEPTH, NODE_HEADER_BYTES } from '../layout/constants.ts';
import { corrupt } from '../layout/location.ts';
import type { FileLocation } from '../layout/location.ts';
import type { Scratch } from './scratch.ts';
import type { Integers, Strings, Vector } from './vector.ts';

/** A node that was found: where its body lies in the page body, and how many values it stands for. */
export interface Node {
  readonly encoding: number;
  readonly parameter: number;
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly domain: Domain;
  readonly depth: number;
}

/** A page body being decoded. `bytes` starts at a multiple of 4 of its buffer; `words` covers its whole words. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly view: DataView;
  /** Where the body starts in the file; positions in an inflated body are not positions of the file. */
  readonly location: FileLocation;
  readonly scratch: Scratch;
  /** Item bytes of the page's type where `node` is the root: PLAIN must use them. */
  readonly itemBytes: number;
  /** Entries of the chunk's dictionary page, for CODES. */
  readonly dictionary: ChunkDictionary | null;
  /** What is compressed inside the body may have so many bytes, as the body itself. */
  readonly maxBodyBytes: number;
}

export interface ChunkDictionary {
  readonly entryCount: number;
  readonly entries: Vector | Strings;
}

/** What encodings need of each other, without importing each other. */
export interface Decoder extends Body {
  /** Values [start, end) of a node of integers or floats. */
  vector(node: Node, start: number, end: number): Vector;
  /** Values [start, end) of a node of integers. */
  integers(node: Node, start: number, end: number): Integers;
  strings(node: Node, start: number, end: number): Strings;
  /**
   * Values at `rows` of a node of integers or floats, in any order; what lies between is not decoded where the encoding
   * allows that.
   */
  pick(node: Node, rows: Uint32Array): Vector;
  pickStrings(node: Node, rows: Uint32Array): Strings;
  /** As `numbers`, at `rows`. */
  pickNumbers(node: Node, rows: Uint32Array, limit: number, what: string): Uint32Array;
  /**
   * The values of a node of integers as numbers below `limit` (at most 2^32). Scratch memory.
   * @throws CorruptFileError for any other.
   */
  numbers(node: Node, start: number, end: number, limit: number, what: string): Uint32Array;
}

/** Reads a node's body from front to back. */
export class NodeReader {
  readonly #body: Body;
  readonly #node: Node;
  #at: number;

  /** @param mostParameter that the encoding has. */
  constructor(body: Body, node: Node, mostParameter = 0) {
    this.#body = body;
    this.#node = node;
    this.#at = node.start;
    if (node.depth > MAX_NODE_DEPTH) throw this.refuse(`nodes at most ${MAX_NODE_DEPTH} deep`, node.depth);
    if (node.parameter > mostParameter)
      throw this.refuse(mostParameter === 0 ? 'parameter 0' : `parameter 0 to ${mostParameter}`, node.parameter);
  }

  /** Where the next read starts in the page body. */
  get position(): number {
    return this.#at;
  }

  /** Steps over `byteLength` bytes and returns where they start. */
  take(byteLength: number, what: string): number {
    const start = this.#at;
    if (byteLength > this.#node.end - start)
      throw this.refuse(`${what} of ${byteLength} bytes`, `${this.#node.end - start} bytes`);
    this.#at = start + byteLength;
    return start;
  }

  uint8(what: string): number {
    return this.#body.bytes[this.take(1, what)] ?? 0;
  }

  uint16(what: string): number {
    return this.#body.view.getUint16(this.take(2, what), true);
  }

  uint32(what: string): number {
    return this.#body.view.getUint32(this.take(4, what), true);
  }

  uint64(what: string): bigint {
    return this.#body.view.getBigUint64(this.take(8, what), true);
  }

  /** Ignored bytes up to a multiple of `alignment`. */
  pad(alignment: number): void {
    const over = (this.#at - this.#node.start) % alignment;
    if (over !== 0) this.take(alignment - over, 'the padding');
  }

  /** A child node, which starts here; the next thing follows its padding. */
  child(count: number, domain: Domain = 'integers'): Node {
    const at = this.take(NODE_HEADER_BYTES, 'a node header');
    const byteLength = this.#body.view.getUint32(at + 4, true);
    const start = this.take(byteLength, 'a node body');
    this.pad(8);
    return {
      encoding: this.#body.bytes[at] ?? 0,
      parameter: this.#body.bytes[at + 1] ?? 0,
      start,
      end: start + byteLength,
      count,
      domain,
      depth: this.#node.depth + 1,
    };
  }

  /** A count that must lie in [1, most]. */
  count(most: number, what: string): number {
    const value = this.uint32(what);
    if (value < 1 || value > most) throw this.refuse(`1 to ${most} ${what}`, value);
    return value;
  }

  /** The node must end here. */
  end(): void {
    if (this.#at !== this.#node.end)
      throw this.refuse(`a node body of ${this.#at - this.#node.start} bytes`, `${this.#node.end - this.#node.start}`);
  }

  refuse(expected: string, found: string | number): Error {
    return corrupt('ERR_LAYOUT', this.#body.location, this.#node.start, expected, found);
  }
}

/**
 * What is decoded with more than was asked for, or where that is refused, what was asked for alone: a value that nobody
 * needs is no reason to refuse.
 */
export function unlessRefused<T>(among: () => T, alone: () => T | null): T {
  try {
    return among();
  } catch (error) {
    if (!(error instanceof CorruptFileError || error instanceof UnsupportedError)) throw error;
    const found = alone();
    if (found === null) throw error;
    return found;
  }
}

/** The error for an encoding that this version does not know, or that its domain does not have. */
export function unknownEncoding(node: Node, location: FileLocation): Error {
  return new UnsupportedError(
    'ERR_ENCODING',
    `encoding ${node.encoding}`,
    `${location.path}: ${location.region} at byte ${location.byteOffset}: unsupported encoding ${node.encoding} for ` +
      node.domain,
  );
}

/** A node that was sized and can be written: exactly `byteLength` bytes of body. */
export interface SizedNode {
  readonly encoding: number;
  readonly parameter: number;
  readonly byteLength: number;
  /** The tree in words, such as RLE(DELTA(BITPACK), BITPACK). */
  readonly label: string;
  /** Nanoseconds that decoding all of it takes, about, by the table of `encodings/decoding-rates.ts`. */
  readonly time: number;
  /** Most of it is compressed: DEFLATE of the page would find nothing. */
  readonly isCompressed?: boolean;
  encode(out: NodeWriter): void;
  /** Gives back what it was lent (`lentWords`): it is not encoded, and nobody else looks at that. At most once. */
  readonly release?: () => void;
}

/** Bytes that a child node takes with its header and padding. */
export function childBytes(node: SizedNode): number {
  return NODE_HEADER_BYTES + Math.ceil(node.byteLength / 8) * 8;
}

/** Writes nodes into a buffer of exactly the right size. All padding stays zero. */
export class NodeWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly words: Uint32Array;
  readonly #view: DataView;
  #at = 0;

  constructor(byteLength: number) {
    const buffer = new ArrayBuffer(Math.ceil(byteLength / 4) * 4);
    this.bytes = new Uint8Array(buffer, 0, byteLength);
    this.words = new Uint32Array(buffer);
    this.#view = new DataView(buffer);
  }

  get position(): number {
    return this.#at;
  }

  /** Leaves `byteLength` zero bytes and returns where they start. */
  skip(byteLength: number): number {
    const start = this.#at;
    this.#at += byteLength;
    return start;
  }

  pad(alignment: number): void {
    this.#at = Math.ceil(this.#at / alignment) * alignment;
  }

  uint8(value: number): void {
    this.#view.setUint8(this.skip(1), value);
  }

  uint16(value: number): void {
    this.#view.setUint16(this.skip(2), value, true);
  }

  uint32(value: number): void {
    this.#view.setUint32(this.skip(4), value, true);
  }

  uint64(value: bigint): void {
    this.#view.setBigUint64(this.skip(8), BigInt.asUintN(64, value), true);
  }

  raw(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.skip(bytes.length));
  }

  child(node: SizedNode): void {
    this.uint8(node.encoding);
    this.uint8(node.parameter);
    this.uint16(0);
    this.uint32(node.byteLength);
    const start = this.#at;
    node.encode(this);
    if (this.#at !== start + node.byteLength)
      throw new Error(`${node.label}: sized ${node.byteLength} bytes, wrote ${this.#at - start}`);
    this.pad(8);
  }
}
