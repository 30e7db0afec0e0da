// All arrays of one item as views, as fast as it goes, for files of the current form, whose items all have the same keys.
import type { BlobIndex } from '../layout/array-index.ts';
import type { StoredDType, SyrahArray } from '../layout/dtype.ts';
import type { KeyField } from '../layout/metadata.ts';
import type { PhaseWindows } from './phase-windows.ts';
import { viewAt } from './read-steps.ts';

export class ItemViewer {
  readonly #index: BlobIndex;
  readonly #windows: PhaseWindows;
  readonly #names: readonly string[];
  readonly #dtypes: readonly StoredDType[];

  constructor(index: BlobIndex, fields: readonly KeyField[], windows: PhaseWindows) {
    this.#index = index;
    this.#windows = windows;
    this.#names = fields.map(({ name }) => name);
    this.#dtypes = fields.map(({ dtype }) => dtype as StoredDType);
  }

  /** Puts the views into `views`. False where the index is not ready for the item: nothing was done then. @throws CannotViewError: see viewAt. */
  view(item: number, views: Record<string, SyrahArray>): boolean {
    const numbers = this.#index.rowsOf(item);
    if (numbers === undefined) return false;
    for (let k = 0, place = this.#index.rowStart(item); k < this.#names.length; k += 1, place += 2) {
      const name = this.#names[k] as string;
      views[name] = viewAt(this.#windows, this.#dtypes[k] as StoredDType, numbers[place] as number, numbers[place + 1] as number, item, name);
    }
    return true;
  }
}
