// The footer of a file without its pages, as a source of the file's length: enough to open the file and to tell what a
// scan skips. Reading a page of it is an error.
import { CannotViewError, IoError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { MAGIC, MAGIC_BYTES } from '../../layout/constants.ts';

export class FooterSource implements RandomAccessSource {
  readonly isSync = true;
  readonly canView = false;
  readonly concurrency = 1;
  readonly gapBytes = 0;
  readonly path: string;
  readonly byteLength: number;
  readonly closed = false;
  readonly #footer: Uint8Array;
  readonly #footerOffset: number;

  /** `footer`: the footer and its trailer, which start at `footerOffset` of the file. */
  constructor(path: string, footer: Uint8Array, footerOffset: number) {
    this.path = path;
    this.byteLength = footerOffset + footer.length;
    this.#footer = footer;
    this.#footerOffset = footerOffset;
  }

  /** Bytes of the footer, not copied; null for others. */
  bytesAt(byteOffset: number, byteLength: number): Uint8Array | null {
    const start = byteOffset - this.#footerOffset;
    return start >= 0 && start + byteLength <= this.#footer.length
      ? this.#footer.subarray(start, start + byteLength)
      : null;
  }

  readSync(byteOffset: number, out: Uint8Array): void {
    const bytes = this.bytesAt(byteOffset, out.length);
    if (bytes !== null) out.set(bytes);
    else if (byteOffset === 0 && out.length === MAGIC_BYTES)
      new DataView(out.buffer, out.byteOffset).setUint32(0, MAGIC, true);
    else
      throw new IoError(
        'ERR_READ',
        'read',
        this.path,
        `only the footer is here, not the ${out.length} bytes at ${byteOffset}`,
      );
  }

  read(byteOffset: number, out: Uint8Array): Promise<void> {
    this.readSync(byteOffset, out);
    return Promise.resolve();
  }

  view(): Uint8Array {
    throw new CannotViewError('ERR_NOT_MAPPED', `${this.path}: only the footer is here`, 'open the file');
  }

  reopen(): null {
    return null;
  }

  close(): void {
    // There is nothing to close.
  }
}
