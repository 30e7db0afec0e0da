// The metadata of a file being written: 16 bytes for each array, kept as the blobs that they will be, so that closing
// copies nothing twice, and the document's size is known before every item. (The `bson` package's serializer wants the
// whole document at once, stops at 17 MiB, and above 2 GiB writes a negative length.)
import { BSON_BINARY, BSON_DOCUMENT, BSON_STRING } from '../layout/constants.ts';
import type { KeySpec } from './item-encoder.ts';

/**
 * First chunk of a column of int64, doubled up to the last: small files with many keys stay small, large ones do not
 * copy.
 */
const FIRST_CHUNK_VALUES = 64;
const LARGEST_CHUNK_VALUES = 8192;

export class MetadataBuilder {
  readonly #keys: readonly {
    readonly spec: KeySpec;
    readonly name: Uint8Array;
    readonly offsets: Int64Column;
    readonly sizes: Int64Column;
  }[];
  readonly #fixedBytes: number;
  #itemCount = 0;

  constructor(keys: readonly KeySpec[]) {
    this.#keys = keys.map((spec) => ({
      spec,
      name: utf8(spec.name),
      offsets: new Int64Column(),
      sizes: new Int64Column(),
    }));
    this.#fixedBytes = this.#keys.reduce((sum, { spec, name }) => sum + 2 + name.length + keyDocumentBytes(spec, 0), 5);
  }

  get itemCount(): number {
    return this.#itemCount;
  }

  /** Bytes of the document with `itemCount` items. */
  byteLengthWith(itemCount: number): number {
    return this.#fixedBytes + 16 * this.#keys.length * itemCount;
  }

  /** One array of the item that `endItem` completes. */
  add(key: number, byteOffset: number, byteLength: number): void {
    this.#keys[key]?.offsets.push(byteOffset);
    this.#keys[key]?.sizes.push(byteLength);
  }

  endItem(): void {
    this.#itemCount += 1;
  }

  /** The document, in blocks, in order. A file without items still says its keys, each with no offsets and no sizes. */
  *blocks(): Generator<Uint8Array> {
    yield int32(this.byteLengthWith(this.#itemCount));
    for (const { spec, name, offsets, sizes } of this.#keys) {
      yield concat(
        Uint8Array.of(BSON_DOCUMENT),
        name,
        Uint8Array.of(0),
        int32(keyDocumentBytes(spec, this.#itemCount)),
      );
      yield* binaryPieces('offset', offsets);
      yield* binaryPieces('size', sizes);
      const dtype = utf8(spec.dtype);
      yield concat(Uint8Array.of(BSON_STRING), utf8('dtype\0'), int32(dtype.length + 1), dtype, Uint8Array.of(0, 0));
    }
    yield Uint8Array.of(0);
  }
}

/** { offset: Binary, size: Binary, dtype: string } */
function keyDocumentBytes({ dtype }: KeySpec, itemCount: number): number {
  return (
    4 +
    (1 + 'offset\0'.length + 5 + 8 * itemCount) +
    (1 + 'size\0'.length + 5 + 8 * itemCount) +
    (1 + 'dtype\0'.length + 4 + dtype.length + 1) +
    1
  );
}

function* binaryPieces(name: string, column: Int64Column): Generator<Uint8Array> {
  yield concat(Uint8Array.of(BSON_BINARY), utf8(`${name}\0`), int32(8 * column.length), Uint8Array.of(0));
  yield* column.blocks();
}

/** A growing column of little-endian int64. */
class Int64Column {
  length = 0;
  readonly #chunks: Uint8Array[] = [];
  #view = new DataView(new ArrayBuffer(0));
  #used = 0;

  push(value: number): void {
    if (this.#used === this.#view.byteLength) {
      const values = Math.min(Math.max(FIRST_CHUNK_VALUES, this.#view.byteLength / 4), LARGEST_CHUNK_VALUES);
      const chunk = new Uint8Array(8 * values);
      this.#chunks.push(chunk);
      this.#view = new DataView(chunk.buffer);
      this.#used = 0;
    }
    this.#view.setUint32(this.#used, value % 2 ** 32, true);
    this.#view.setUint32(this.#used + 4, Math.floor(value / 2 ** 32), true);
    this.#used += 8;
    this.length += 1;
  }

  *blocks(): Generator<Uint8Array> {
    for (const [k, chunk] of this.#chunks.entries())
      yield k === this.#chunks.length - 1 ? chunk.subarray(0, this.#used) : chunk;
  }
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function int32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value, true);
  return bytes;
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
