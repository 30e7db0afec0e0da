// Values of one column for consecutive rows, in memory: what sources give, predicates and aggregates look at, writers
// take, CSV is parsed to, and threads send each other. Whoever has values has chunks; nothing else is passed on.
import { ArgumentError, floatsOfHalves, isFloat, typedArrayOver } from '@colkit/io';
import type { DTypeInfo, FixedArray, GatherOutput } from '@colkit/io';
import { arrayFor } from '../array-for.ts';
import { isValid } from '../validity.ts';
import { decodeUtf8 } from '../values/utf8-texts.ts';
import type { Utf8Texts } from '../values/utf8-texts.ts';

interface ChunkRows {
  readonly rowCount: number;
  /**
   * One bit a row, least significant first, 1 = not null; null where no row is null. Null rows may hold anything, where
   * it is not said otherwise.
   */
  readonly validity: Uint8Array | null;
}

/** Fixed width: packed little-endian items as stored, of which `arrayOf` is the array. */
export interface FixedChunk extends ChunkRows {
  readonly kind: 'fixed';
  readonly bytes: Uint8Array;
  /**
   * Writes the same integers or floats as doubles, one a row and 0 for a null, where they lie so in memory that `bytes`
   * makes items of them when it is looked at. Returns what no value's size exceeds: of integers below 2^53, of floats
   * Infinity; null, where a value is no exact double.
   */
  readonly writeDoubles?: (out: Float64Array) => number | null;
}

/** Variable width, one by one: well-formed text, or bytes. */
export interface ValuesChunk extends ChunkRows {
  readonly kind: 'values';
  readonly values: readonly (string | Uint8Array)[];
}

/** Text as codes into texts, which need not all be met. A code outside of them is null. */
export interface DictionaryChunk extends ChunkRows {
  readonly kind: 'dictionary';
  readonly codes: Int32Array;
  readonly dictionary: readonly string[];
  /** The same texts, where they lie so in memory: `dictionary` makes texts of them when it is looked at. */
  readonly utf8?: Utf8Texts;
}

/**
 * Text as UTF-8, the texts back to back with their ends. Where `codes` is null a text for every row, null ones too;
 * else distinct ones, and for every row which of them it has.
 */
export interface Utf8Chunk extends ChunkRows, Utf8Texts {
  readonly kind: 'utf8';
  readonly codes: Uint16Array | Uint32Array | null;
}

/** A zero and the ends: where each text begins, and the last one ends. */
export function textOffsets(ends: Uint32Array): Uint32Array {
  const offsets = new Uint32Array(ends.length + 1);
  offsets.set(ends, 1);
  return offsets;
}

/** Not the receiver's to change; what gives it says how long it is good. Chunks of several columns may share memory. */
export type Chunk = FixedChunk | ValuesChunk | DictionaryChunk | Utf8Chunk;

/** Items that a source wrote where it was told to: of a packed output, packed; of a strided one, in its stride. */
export function writtenChunk(
  { bytes, byteOffset }: GatherOutput,
  rowCount: number,
  validity: Uint8Array | null,
): FixedChunk {
  return { kind: 'fixed', rowCount, bytes: byteOffset === 0 ? bytes : bytes.subarray(byteOffset), validity };
}

/** The packed items of a column of fixed width. @throws ArgumentError for other values. */
export function itemsOf(chunk: Chunk): Uint8Array {
  if (chunk.kind === 'fixed') return chunk.bytes;
  throw new ArgumentError('ERR_ARGUMENT', 'source', 'items of fixed width', `values of the form '${chunk.kind}'`);
}

/**
 * The items of a dtype that has an array, as numbers: no copy, but float16 becomes float32, because the half-precision
 * array of older runtimes is slow to index.
 */
export function arrayOf(info: DTypeInfo, bytes: Uint8Array): FixedArray {
  return isFloat(info) && info.itemBytes === 2 ? floatsOfHalves(bytes) : typedArrayOver(info, bytes);
}

/** The values of a column of variable width, one by one: a null as ''. No copy where it has them so. */
export function valuesOf(chunk: Chunk): readonly (string | Uint8Array)[] {
  switch (chunk.kind) {
    case 'values':
      return chunk.values;
    case 'dictionary': {
      const { codes, dictionary, validity, rowCount } = chunk;
      const values = arrayFor<string>(rowCount);
      for (let row = 0; row < rowCount; row += 1)
        values[row] = isValid(validity, row) ? (dictionary[codes[row] as number] ?? '') : '';
      return values;
    }
    case 'utf8': {
      const texts = decodeUtf8(chunk);
      const { codes, validity, rowCount } = chunk;
      if (codes === null && validity === null) return texts;
      const values = arrayFor<string>(rowCount);
      for (let row = 0; row < rowCount; row += 1)
        values[row] = isValid(validity, row) ? (texts[codes === null ? row : (codes[row] as number)] as string) : '';
      return values;
    }
    case 'fixed':
      throw new ArgumentError('ERR_ARGUMENT', 'source', 'values of a variable-width column', 'fixed-width items');
  }
}
