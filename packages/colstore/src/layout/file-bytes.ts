// A layout is read piece by piece: a work asks for bytes, and each piece is checked before the next is asked for. The
// head of the file is asked for once; what lies within the last block is not asked for again.
import { CorruptFileError, Cursor } from '@colkit/io';
import { ReadRange, readBytes } from '@colkit/io/effects';
import type { RangeSource, Work } from '@colkit/io/effects';

/**
 * The bytes of one file as its layout sees them: every range is checked against the file's size before it is asked for.
 */
export class FileBytes {
  readonly path: string;
  readonly byteLength: number;
  readonly #source: RangeSource;
  #block: Uint8Array = new Uint8Array(0);
  #blockOffset = 0;

  constructor(source: RangeSource) {
    this.path = source.path;
    this.byteLength = source.byteLength;
    this.#source = source;
  }

  /**
   * `byteLength` bytes at `byteOffset`, which is up to 2^53; `ahead` is how much to fetch at once where they are not at
   * hand.
   * @throws CorruptFileError ERR_TRUNCATED where the file ends before them.
   */
  *take(byteOffset: number, byteLength: number, region: string, ahead = byteLength): Work<Uint8Array> {
    const found = this.#atHand(byteOffset, byteLength, region);
    if (found !== null) return found.subarray(0, byteLength);
    const most = Math.min(Math.max(byteLength, ahead), this.byteLength - byteOffset);
    this.#block = yield* readBytes(this.#source, byteOffset, most);
    this.#blockOffset = byteOffset;
    return this.#block.subarray(0, byteLength);
  }

  /**
   * At least `byteLength` bytes at `byteOffset`: all that are at hand, or as many as `room` takes, which are read into
   * it. @throws as `take`.
   */
  *takeAll(byteOffset: number, byteLength: number, region: string, room: Uint8Array): Work<Uint8Array> {
    const found = this.#atHand(byteOffset, byteLength, region);
    if (found !== null) return found;
    const bytes = room.subarray(0, this.byteLength - byteOffset);
    yield new ReadRange(this.#source, byteOffset, bytes);
    return bytes;
  }

  #atHand(byteOffset: number, byteLength: number, region: string): Uint8Array | null {
    this.require(byteOffset, byteLength, region);
    const start = byteOffset - this.#blockOffset;
    return start >= 0 && start + byteLength <= this.#block.length ? this.#block.subarray(start) : null;
  }

  /** @throws CorruptFileError ERR_TRUNCATED unless [byteOffset, byteOffset + byteLength) is within the file. */
  require(byteOffset: number, byteLength: number, region: string): void {
    if (byteLength <= this.byteLength - byteOffset) return;
    throw this.corrupt(
      'ERR_TRUNCATED',
      region,
      byteOffset,
      `${String(byteLength)} bytes`,
      `${String(Math.max(0, this.byteLength - byteOffset))} before the end of the file`,
    );
  }

  /** A reader over bytes that stand at `byteOffset` of the file. */
  cursor(bytes: Uint8Array, region: string, byteOffset: number): Cursor {
    return new Cursor(bytes, { path: this.path, region, byteOffset });
  }

  corrupt(
    code: ConstructorParameters<typeof CorruptFileError>[0],
    region: string,
    byteOffset: number,
    expected: string,
    found: string,
  ): CorruptFileError {
    return new CorruptFileError(code, { path: this.path, region, byteOffset, expected, found });
  }
}
