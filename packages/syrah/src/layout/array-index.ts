// Where every array of a file lies. `ArrayIndex` is what the rest of the package asks; the two forms of metadata fill
// it: one pair of blobs a key (read and checked in blocks, when an item of the block is first used), or documents item
// by item (checked when the file is opened).
import { CorruptFileError } from '@colkit/io';
import { ReadRange } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { DATA_OFFSET, INDEX_BLOCK_ITEMS } from './constants.ts';
import type { StoredDType, SyrahDType } from './dtype.ts';
import { itemBytesOf } from './dtype.ts';
import type { MetadataBytes } from './metadata-bytes.ts';

/** One array in the file. The range is within the array bytes, and its length is a multiple of the element's. */
export interface StoredArray {
  readonly dtype: StoredDType;
  readonly byteOffset: number;
  readonly byteLength: number;
}

/**
 * Item numbers are in [0, itemCount): callers check them. `arrayOf` and `arraysOf` need what `prepare` reads; `isReady`
 * tells whether there is anything to read.
 */
export interface ArrayIndex {
  readonly itemCount: number;
  /** The keys of one item, in file order. */
  keysOf(item: number): readonly string[];
  /** `key` null: all keys. */
  isReady(item: number, key: string | null): boolean;
  /**
   * @throws CorruptFileError ERR_METADATA where an offset or size of the item's block is not within the array bytes.
   */
  prepare(item: number, key: string | null): Work<void>;
  /** Null where the item has no such key. */
  arrayOf(item: number, key: string): StoredArray | null;
  /** In the order of `keysOf`. */
  arraysOf(item: number): readonly StoredArray[];
}

/** One key of the current form: its blobs in the metadata, as positions there. */
export interface KeyBlobs {
  readonly name: string;
  readonly dtype: SyrahDType;
  readonly offsetsAt: number;
  readonly sizesAt: number;
}

/** @throws CorruptFileError unless the array lies within [DATA_OFFSET, dataEnd) and holds whole elements. */
export function checkStoredArray(
  array: StoredArray,
  dataEnd: number,
  path: string,
  item: string,
  key: string,
  byteOffset: number,
): void {
  const { dtype, byteOffset: offset, byteLength } = array;
  if (
    offset >= DATA_OFFSET &&
    byteLength >= 0 &&
    offset + byteLength <= dataEnd &&
    byteLength % itemBytesOf(dtype) === 0
  )
    return;
  const expected = `an array of whole ${dtype} elements within [${String(DATA_OFFSET)}, ${String(dataEnd)})`;
  const found = `${String(byteLength)} bytes from byte ${String(offset)} on`;
  throw new CorruptFileError('ERR_METADATA', {
    path,
    region: `metadata of item ${item}`,
    column: key,
    byteOffset,
    expected,
    found,
  });
}

/** The index of the current form. */
export class BlobIndex implements ArrayIndex {
  readonly itemCount: number;
  readonly #names: readonly string[];
  readonly #keys: readonly KeyTable[];
  readonly #byName: ReadonlyMap<string, KeyTable>;
  /**
   * Blocks that hold all keys, item after item, so that what one item needs is in one place. Filled where whole items
   * are asked for.
   */
  readonly #rows: (Float64Array | undefined)[] = [];
  readonly #hasRows: boolean;

  constructor(metadata: MetadataBytes, keys: readonly KeyBlobs[], itemCount: number) {
    this.itemCount = itemCount;
    this.#names = Object.freeze(keys.map(({ name }) => name));
    this.#keys = keys.map((key) => new KeyTable(metadata, key, itemCount));
    this.#byName = new Map(this.#keys.map((key) => [key.name, key]));
    this.#hasRows = keys.length <= WIDEST_ROW_KEYS;
  }

  keysOf(): readonly string[] {
    return this.#names;
  }

  isReady(item: number, key: string | null): boolean {
    if (key !== null) return this.#byName.get(key)?.isReady(item) ?? true;
    if (this.#hasRows) return this.#rows[item >> BLOCK_SHIFT] !== undefined;
    return this.#keys.every((table) => table.isReady(item));
  }

  *prepare(item: number, key: string | null): Work<void> {
    if (key !== null) {
      const table = this.#byName.get(key);
      if (table?.isReady(item) === false) yield* table.load(item, null);
      return;
    }
    if (this.isReady(item, null)) return;
    if (!this.#hasRows) {
      for (const table of this.#keys) if (!table.isReady(item)) yield* table.load(item, null);
      return;
    }
    const stride = 2 * this.#keys.length;
    const block = item >> BLOCK_SHIFT;
    const numbers = new Float64Array(stride * Math.min(INDEX_BLOCK_ITEMS, this.itemCount - block * INDEX_BLOCK_ITEMS));
    for (const [k, table] of this.#keys.entries()) yield* table.load(item, { numbers, stride, first: 2 * k });
    setBlock(this.#rows, block, numbers);
  }

  arrayOf(item: number, key: string): StoredArray | null {
    return this.#byName.get(key)?.arrayOf(item) ?? null;
  }

  arraysOf(item: number): readonly StoredArray[] {
    const arrays: StoredArray[] = [];
    for (const table of this.#keys) arrays.push(table.arrayOf(item));
    return arrays;
  }

  /**
   * What `placesOf` tells, as numbers: from `rowStart(item)` on, where key 0's array starts, its bytes, where key 1's
   * starts, and so on. Undefined unless they are loaded like that.
   */
  rowsOf(item: number): Float64Array | undefined {
    return this.#rows[item >> BLOCK_SHIFT];
  }

  rowStart(item: number): number {
    return (item & BLOCK_MASK) * 2 * this.#keys.length;
  }
}

/** Item numbers fit 32 bits: metadata of 2 GiB has 134 million entries. */
const BLOCK_SHIFT = Math.log2(INDEX_BLOCK_ITEMS);
const BLOCK_MASK = INDEX_BLOCK_ITEMS - 1;
/** Items of more keys have a block for each key: 64 MiB at once are enough. */
const WIDEST_ROW_KEYS = 1024;

/**
 * One key's numbers of a block of items: item i of it starts at `numbers[first + stride * i]`, and has so many bytes as
 * the next number says.
 */
interface KeyBlock {
  readonly numbers: Float64Array;
  readonly stride: number;
  readonly first: number;
}

/** Blocks are loaded in any order: an array with holes would be slow for ever. */
function setBlock<T>(blocks: (T | undefined)[], block: number, value: T): void {
  while (blocks.length <= block) blocks.push(undefined);
  blocks[block] = value;
}

/**
 * One key's offsets and sizes as numbers, block by block: what is not used costs no memory, and opening allocates
 * nothing by the number of items.
 */
class KeyTable {
  readonly name: string;
  readonly #metadata: MetadataBytes;
  readonly #blobs: KeyBlobs;
  readonly #itemCount: number;
  readonly #blocks: (KeyBlock | undefined)[] = [];

  constructor(metadata: MetadataBytes, blobs: KeyBlobs, itemCount: number) {
    this.name = blobs.name;
    this.#metadata = metadata;
    this.#blobs = blobs;
    this.#itemCount = itemCount;
  }

  isReady(item: number): boolean {
    return this.#blocks[item >> BLOCK_SHIFT] !== undefined;
  }

  arrayOf(item: number): StoredArray {
    const block = this.#blocks[item >> BLOCK_SHIFT];
    const at = block === undefined ? 0 : block.first + block.stride * (item & BLOCK_MASK);
    return { dtype: this.#blobs.dtype, byteOffset: block?.numbers[at] ?? 0, byteLength: block?.numbers[at + 1] ?? 0 };
  }

  /** Reads and checks the block of an item, into `target` (its zeros) or memory of its own. */
  *load(item: number, target: KeyBlock | null): Work<void> {
    const block = item >> BLOCK_SHIFT;
    const first = block * INDEX_BLOCK_ITEMS;
    const count = Math.min(INDEX_BLOCK_ITEMS, this.#itemCount - first);
    const offsets = yield* this.#read(this.#blobs.offsetsAt + 8 * first, count);
    const sizes = yield* this.#read(this.#blobs.sizesAt + 8 * first, count);
    const into = target ?? { numbers: new Float64Array(2 * count), stride: 2, first: 0 };
    this.#check(offsets, sizes, first, count, into);
    setBlock(this.#blocks, block, into);
  }

  *#read(position: number, count: number): Work<DataView> {
    const metadata = this.#metadata;
    if (metadata.complete) return new DataView(metadata.bytes.buffer, position, 8 * count);
    const out = new Uint8Array(8 * count);
    yield new ReadRange(metadata.source, metadata.fileOffset + position, out);
    return new DataView(out.buffer);
  }

  /** Every offset and size of the block as numbers. All element sizes are powers of two. */
  #check(offsets: DataView, sizes: DataView, first: number, count: number, into: KeyBlock): void {
    const dataEnd = this.#metadata.fileOffset;
    const partMask = itemBytesOf(this.#blobs.dtype) - 1;
    const { numbers, stride } = into;
    for (let i = 0, at = into.first; i < count; i += 1, at += stride) {
      const offset = offsets.getInt32(8 * i + 4, true) * 4294967296 + offsets.getUint32(8 * i, true);
      const sizeLow = sizes.getUint32(8 * i, true);
      const size = sizes.getInt32(8 * i + 4, true) * 4294967296 + sizeLow;
      if (!(offset >= DATA_OFFSET && size >= 0 && offset + size <= dataEnd && (sizeLow & partMask) === 0))
        this.#refuse(first + i, offset, size);
      numbers[at] = offset;
      numbers[at + 1] = size;
    }
  }

  #refuse(item: number, byteOffset: number, byteLength: number): void {
    const { fileOffset, path } = this.#metadata;
    checkStoredArray(
      { dtype: this.#blobs.dtype, byteOffset, byteLength },
      fileOffset,
      path,
      String(item),
      this.name,
      fileOffset + this.#blobs.offsetsAt + 8 * item,
    );
  }
}
