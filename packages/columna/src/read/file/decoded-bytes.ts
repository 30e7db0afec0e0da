// How much one read may decode. A few bytes of a file stand for any number of rows, and a compressed page for a
// thousand times its size: what they become is counted before memory is taken.
import { LimitError } from '@colkit/io';
import type { ColumnType } from '../../layout/column-type.ts';
import type { StoredFile } from './stored-file.ts';

/** What a row of texts or of byte arrays takes besides its value. */
const REFERENCE_BYTES = 8;

export class DecodedBytes {
  readonly #path: string;
  readonly #limit: number;
  #bytes = 0;

  /** @param most of the read, where it has a limit of its own. */
  constructor({ path, options }: StoredFile, most = Infinity) {
    this.#path = path;
    this.#limit = Math.min(most, options.limits.maxDecodedBytes);
  }

  /** @throws LimitError ERR_LIMIT where these are too many together with those before. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#limit) return;
    const remedy = 'open it with { limits: { maxDecodedBytes } } to raise it, or read by batches() or fewer columns';
    throw new LimitError(
      'ERR_LIMIT',
      `${this.#path}: bytes decoded in one read (limits.maxDecodedBytes; ${remedy})`,
      this.#limit,
      this.#bytes,
    );
  }

  /** The same for rows of a column, without their texts. */
  addRows({ itemBytes }: ColumnType, rowCount: number): void {
    this.add(rowCount * (itemBytes === 0 ? REFERENCE_BYTES : itemBytes));
  }
}
