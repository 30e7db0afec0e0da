// One item after the other, copied out as fast as it goes: the general way (copy-plan.ts) without its objects, for
// files of the current form, whose items all have the same keys and mostly lie in one piece.
import type { RandomAccessSource } from '@colkit/io';
import type { BlobIndex } from '../layout/array-index.ts';
import { elementBytesOf, isText } from '../layout/dtype.ts';
import type { SyrahDType, SyrahValue } from '../layout/dtype.ts';
import type { KeyField } from '../layout/metadata.ts';
import { arrayOver, decodeText } from './array-values.ts';
import { badText } from './item-errors.ts';
import { ItemMemory } from './item-memory.ts';
import { CommonRange } from './common-range.ts';

export function itemCopier(...given: ConstructorParameters<typeof ItemCopier>): ItemCopier {
  return new ItemCopier(...given);
}

export class ItemCopier {
  readonly #path: string;
  readonly #index: BlobIndex;
  readonly #source: RandomAccessSource;
  readonly #names: readonly string[];
  readonly #dtypes: readonly SyrahDType[];
  readonly #alignments: Int32Array;
  readonly #memory = new ItemMemory();
  readonly #span = new CommonRange();

  constructor(path: string, index: BlobIndex, fields: readonly KeyField[], source: RandomAccessSource) {
    this.#path = path;
    this.#index = index;
    this.#source = source;
    this.#names = fields.map(({ name }) => name);
    this.#dtypes = fields.map(({ dtype }) => dtype as SyrahDType);
    this.#alignments = Int32Array.from(this.#dtypes, elementBytesOf);
  }

  /**
   * Puts the arrays of an item into `record`, which are all cut from one piece of memory. False where they do not lie
   * in one piece that one shift aligns, or the index is not ready for the item: nothing was done then. @throws what the
   * source's read throws; CorruptFileError for text that is none.
   */
  copy(item: number, record: Record<string, SyrahValue>): boolean {
    const numbers = this.#index.rowsOf(item);
    if (numbers === undefined) return false;
    const row = this.#index.rowStart(item);
    if (!this.#locate(numbers, row)) return false;
    const { start, end, shift } = this.#span;
    const byteLength = end - start;
    this.#memory.take(shift + byteLength);
    const { buffer, byteOffset } = this.#memory;
    if (byteLength > 0) this.#source.readSync(start, new Uint8Array(buffer, byteOffset + shift, byteLength));
    const base = byteOffset + shift - start;
    for (let k = 0, word = row; k < this.#dtypes.length; k += 1, word += 2) {
      const dtype = this.#dtypes[k] as SyrahDType;
      const offset = numbers[word] as number;
      const length = numbers[word + 1] as number;
      const at = length === 0 ? byteOffset : base + offset;
      record[this.#names[k] as string] = isText(dtype)
        ? this.#text(item, k, offset, new Uint8Array(buffer, at, length))
        : arrayOver(dtype, buffer, at, length);
    }
    return true;
  }

  #locate(numbers: Float64Array, row: number): boolean {
    const [alignments, range] = [this.#alignments, this.#span];
    range.reset();
    for (let k = 0, at = row; k < alignments.length; k += 1, at += 2)
      if (!range.add(numbers[at] as number, numbers[at + 1] as number, alignments[k] as number)) return false;
    return true;
  }

  #text(item: number, k: number, offset: number, bytes: Uint8Array): string {
    const text = decodeText('str', bytes);
    if (text === null) throw badText(this.#path, item, this.#names[k] as string, offset);
    return text;
  }
}
