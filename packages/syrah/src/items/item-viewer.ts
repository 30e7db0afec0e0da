// All arrays of one item as views, as fast as it goes, for files of the current form, whose items all have the same
// keys.
import type { PhaseWindows } from '@colkit/io';
import type { BlobIndex } from '../layout/array-index.ts';
import { elementBytesOf, isText } from '../layout/dtype.ts';
import type { StoredDType, SyrahArray, SyrahDType } from '../layout/dtype.ts';
import type { KeyField } from '../layout/metadata.ts';
import { arrayOver } from './array-values.ts';
import { viewAt } from './read-items.ts';

export class ItemViewer {
  readonly #index: BlobIndex;
  readonly #windows: PhaseWindows;
  readonly #names: readonly string[];
  readonly #dtypes: readonly StoredDType[];
  /** What the windows are asked for; 0 for text, which has no views. */
  readonly #alignments: Int32Array;

  constructor(index: BlobIndex, fields: readonly KeyField[], windows: PhaseWindows) {
    this.#index = index;
    this.#windows = windows;
    this.#names = fields.map(({ name }) => name);
    this.#dtypes = fields.map(({ dtype }) => dtype as StoredDType);
    this.#alignments = Int32Array.from(this.#dtypes, (dtype) => (isText(dtype) ? 0 : elementBytesOf(dtype)));
  }

  /**
   * Puts the views into `views`. False where the index is not ready for the item: nothing was done then.
   * @throws CannotViewError: see viewAt.
   */
  view(item: number, views: Record<string, SyrahArray>): boolean {
    const numbers = this.#index.rowsOf(item);
    if (numbers === undefined) return false;
    const [windows, names, dtypes, alignments] = [this.#windows, this.#names, this.#dtypes, this.#alignments];
    for (let k = 0, at = this.#index.rowStart(item); k < names.length; k += 1, at += 2) {
      const name = names[k] as string;
      const dtype = dtypes[k] as Exclude<SyrahDType, 'str'>;
      const byteOffset = numbers[at] as number;
      const byteLength = numbers[at + 1] as number;
      const alignment = alignments[k] as number;
      if (alignment === 0 || byteLength === 0) views[name] = viewAt(windows, dtype, byteOffset, byteLength, item, name);
      else {
        const { bytes, start } = windows.at(byteOffset, byteLength, alignment);
        views[name] = arrayOver(dtype, bytes.buffer, byteOffset - start, byteLength);
      }
    }
    return true;
  }
}
