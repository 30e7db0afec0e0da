// An output whose unfinished file has a known name (PATH.partial) and is kept when its writer dies or fails: what a
// journal needs. Without a journal, io's atomic file is used.
import { operationOf } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { GrowingFile, Output, Reservation } from '@colkit/io/durable';

export class KeptFile implements Output {
  readonly #reserved: Reservation;
  readonly #file: GrowingFile;

  constructor(reserved: Reservation, file: GrowingFile) {
    this.#reserved = reserved;
    this.#file = file;
  }

  get position(): number {
    return this.#file.position;
  }

  write(bytes: Uint8Array): Operation<void> {
    return this.#file.append([bytes]);
  }

  writeAt(byteOffset: number, bytes: Uint8Array): Operation<void> {
    return this.#file.writeAt(byteOffset, bytes);
  }

  finish(): Operation<void> {
    return operationOf(() => this.#finishing());
  }

  /** Takes the file away. */
  abort(): Operation<void> {
    return operationOf(() => this.#aborting());
  }

  *#finishing(): Work<void> {
    yield this.#file.barrier();
    yield this.#file.close();
    yield this.#reserved.publish();
  }

  *#aborting(): Work<void> {
    yield this.#file.close();
    yield this.#reserved.remove('.partial');
  }
}
