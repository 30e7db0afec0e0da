// Small pieces -> few large writes: what goes to a sink is gathered in one buffer; what is larger than the buffer goes there directly, without a copy.
import type { Sink } from '@colkit/io';
import type { Actions } from '@colkit/table';

/** Large enough that a system call costs nothing beside it, small enough to stay in a core's cache. */
const BUFFER_BYTES = 1024 * 1024;

export class BufferedOutput {
  readonly #sink: Sink;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #used = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Where the next byte goes. */
  get position(): number {
    return this.#sink.position + this.#used;
  }

  /** Takes the bytes if that needs no action. */
  tryPut(bytes: Uint8Array): boolean {
    if (bytes.length > BUFFER_BYTES - this.#used || bytes.length === BUFFER_BYTES) return false;
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
    return true;
  }

  *put(bytes: Uint8Array): Actions {
    if (bytes.length > BUFFER_BYTES - this.#used) yield* this.flush();
    if (bytes.length >= BUFFER_BYTES) {
      yield { run: () => this.#sink.write(bytes), runSync: () => this.#sink.writeSync(bytes) };
      return;
    }
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Hands everything to the sink. */
  *flush(): Actions {
    if (this.#used === 0) return;
    const bytes = this.#buffer.subarray(0, this.#used);
    yield { run: () => this.#sink.write(bytes), runSync: () => this.#sink.writeSync(bytes) };
    this.#used = 0;
  }
}
