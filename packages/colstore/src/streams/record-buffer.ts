// Bytes of many small records -> few writes to the file. Nothing that is in it was promised to anybody.
import type { GrowingFile } from '@colkit/io/durable';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';

/**
 * Writes end at multiples of it, as far as checkpoints let them: Linux caches a write in pages of 2 MiB only where it
 * covers them whole, and random rows of a file that lies in such pages take two thirds of the time.
 */
const WRITTEN_BYTES = 2 * 1024 * 1024;
/** What a writer of little takes. */
const FIRST_BYTES = 256 * 1024;

export class RecordBuffer {
  readonly #file: GrowingFile;
  #bytes: Uint8Array = new Uint8Array(0);
  #used = 0;

  constructor(file: GrowingFile) {
    this.#file = file;
  }

  /** Where the next byte will stand in the file. */
  get position(): number {
    return this.#file.position + this.#used;
  }

  /** Takes over the bytes by copying or writing them. */
  *add(bytes: Uint8Array): Work<void> {
    for (let rest = bytes; rest.length > 0; ) {
      const room = this.#room;
      const isWhole = this.#used === 0 && rest.length >= room;
      const taken = isWhole
        ? rest.length - ((this.position + rest.length) % WRITTEN_BYTES)
        : Math.min(room, rest.length);
      const piece = rest.subarray(0, taken);
      rest = rest.subarray(taken);
      if (isWhole) yield* perform(this.#file.append([piece]));
      else this.put(piece);
      if (this.#room === 0) yield* this.flush();
    }
  }

  /** Whether so many bytes fit without a write. */
  hasRoom(byteLength: number): boolean {
    return byteLength < this.#room;
  }

  /** Bytes for which there is room. */
  put(bytes: Uint8Array): void {
    const used = this.#used + bytes.length;
    if (used > this.#bytes.length) {
      const grown = new Uint8Array(Math.min(WRITTEN_BYTES, Math.max(FIRST_BYTES, 2 * used)));
      grown.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#used);
    this.#used = used;
  }

  *flush(): Work<void> {
    if (this.#used === 0) return;
    const bytes = this.#bytes.subarray(0, this.#used);
    yield* perform(this.#file.append([bytes]));
    this.#used = 0;
  }

  /** Takes back everything from `position` on, wherever it is. */
  *cutTo(position: number): Work<void> {
    const inFile = this.#file.position;
    if (position < inFile) {
      this.#used = 0;
      yield* perform(this.#file.cut(position));
    } else this.#used = position - inFile;
  }

  /** Bytes up to where the next write ends. */
  get #room(): number {
    return WRITTEN_BYTES - (this.#file.position % WRITTEN_BYTES) - this.#used;
  }
}
