// The metadata document as bytes of which only some are there: small metadata is read whole, of large metadata only the
// pages that its structure lies on, so that opening a file with 100 MB of metadata reads a few kilobytes. Reads are
// copies through the source, never a mapped window: a file that shrinks is an error here, not a signal.
import { CorruptFileError } from '@colkit/io';
import { ReadRange } from '@colkit/io/effects';
import type { RangeSource, Work } from '@colkit/io/effects';
import { METADATA_PAGE_BYTES, METADATA_WHOLE_BYTES } from './constants.ts';

export class MetadataBytes {
  /** Where the metadata starts in the file. */
  readonly fileOffset: number;
  readonly path: string;
  readonly source: RangeSource;
  #bytes: Uint8Array;
  #view: DataView;
  /** One flag a page; null once all is there. */
  #filled: Uint8Array | null;

  /**
   * @param shared whether other threads will be given the bytes. @param known all of them, where another thread read
   * them; they begin at the start of their buffer.
   */
  constructor(
    source: RangeSource,
    fileOffset: number,
    byteLength: number,
    { shared = false, known = null }: { shared?: boolean; known?: Uint8Array | null } = {},
  ) {
    this.source = source;
    this.path = source.path;
    this.fileOffset = fileOffset;
    // Of large metadata hardly a page is touched. Nobody shares it, but shared memory is what the collector does not
    // count: 100 MB that it counts are a full collection at each opening.
    // Pages of browsers have none unless they are isolated from other origins.
    const isShared = (shared || byteLength > METADATA_WHOLE_BYTES) && typeof SharedArrayBuffer === 'function';
    this.#bytes = known ?? new Uint8Array(isShared ? new SharedArrayBuffer(byteLength) : new ArrayBuffer(byteLength));
    this.#view = new DataView(this.#bytes.buffer);
    this.#filled = known === null ? new Uint8Array(Math.ceil(byteLength / METADATA_PAGE_BYTES)) : null;
  }

  /** As long as the metadata. What was not filled is zero, and costs no memory until it is touched. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get view(): DataView {
    return this.#view;
  }

  /** Lets go of the bytes where they are not all there: once the structure is known, offsets are read from the file. */
  release(): void {
    if (this.complete) return;
    this.#bytes = new Uint8Array(0);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get complete(): boolean {
    return this.#filled === null;
  }

  /** Reads everything. */
  *fillAll(): Work<void> {
    if (this.#filled === null) return;
    yield new ReadRange(this.source, this.fileOffset, this.bytes);
    this.#filled = null;
  }

  /** Reads what is missing of [start, end), by pages. */
  *fill(start: number, end: number): Work<void> {
    const filled = this.#filled;
    if (filled === null) return;
    const lastPage = Math.ceil(Math.min(end, this.bytes.length) / METADATA_PAGE_BYTES);
    for (let page = Math.floor(start / METADATA_PAGE_BYTES); page < lastPage; page += 1) {
      if (filled[page] === 1) continue;
      const from = page * METADATA_PAGE_BYTES;
      yield new ReadRange(
        this.source,
        this.fileOffset + from,
        this.bytes.subarray(from, Math.min(from + METADATA_PAGE_BYTES, this.bytes.length)),
      );
      filled[page] = 1;
    }
  }

  /** An error at a position of the metadata. */
  corrupt(position: number, expected: string, found: string, key?: string): CorruptFileError {
    const details = { path: this.path, region: 'metadata', byteOffset: this.fileOffset + position, expected, found };
    return new CorruptFileError('ERR_METADATA', key === undefined ? details : { ...details, column: key });
  }
}
