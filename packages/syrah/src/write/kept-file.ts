// A sink whose unfinished file has a known name (PATH.partial) and is kept when its writer dies or fails: what a
// journal needs. Without a journal, io's atomic file is used.
import type { Sink } from '@colkit/io';
import { run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { GrowingFile, Reservation } from '@colkit/io/durable';

export class KeptFile implements Sink {
  readonly #reserved: Reservation;
  readonly #file: GrowingFile;

  constructor(reserved: Reservation, file: GrowingFile) {
    this.#reserved = reserved;
    this.#file = file;
  }

  get position(): number {
    return this.#file.position;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#file.append([bytes]).run();
  }

  writeSync(bytes: Uint8Array): void {
    this.#file.append([bytes]).runSync();
  }

  writeAt(byteOffset: number, bytes: Uint8Array): Promise<void> {
    return this.#file.writeAt(byteOffset, bytes).run();
  }

  writeAtSync(byteOffset: number, bytes: Uint8Array): void {
    this.#file.writeAt(byteOffset, bytes).runSync();
  }

  finish(): Promise<void> {
    return run(this.#finishing());
  }

  finishSync(): void {
    runSync(this.#finishing());
  }

  /** Takes the file away. */
  abort(): Promise<void> {
    return run(this.#aborting());
  }

  abortSync(): void {
    runSync(this.#aborting());
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
