// Bytes of many small records -> few writes to the file. Nothing that is in it was promised to anybody.
import type { GrowingFile } from '@colkit/io/durable';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';

/** About as many bytes as one write takes without being slower for each. */
const BUFFER_BYTES = 256 * 1024;

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

  /** Takes over the bytes by copying them; those that do not fit are written first, large ones at once. */
  *add(bytes: Uint8Array): Work<void> {
    if (bytes.length > BUFFER_BYTES - this.#used) yield* this.flush();
    if (bytes.length >= BUFFER_BYTES) yield* perform(this.#file.append([bytes]));
    else this.put(bytes);
  }

  /** Whether so many bytes fit without a write. */
  hasRoom(byteLength: number): boolean {
    return byteLength <= BUFFER_BYTES - this.#used;
  }

  /** Bytes for which there is room. */
  put(bytes: Uint8Array): void {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(BUFFER_BYTES);
    this.#bytes.set(bytes, this.#used);
    this.#used += bytes.length;
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
}
