// A sink whose unfinished file has a known name (PATH.partial) and is kept when its writer dies or fails: what a journal
// needs. Without a journal, io's atomic file is used.
import type { Sink } from '@colkit/io';
import type { FileAction, GrowingFile, Reservation } from '@colkit/io/durable';

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

  async finish(): Promise<void> {
    for (const action of this.#finishing()) await action.run();
  }

  finishSync(): void {
    for (const action of this.#finishing()) action.runSync();
  }

  /** Takes the file away. */
  async abort(): Promise<void> {
    for (const action of this.#aborting()) await action.run();
  }

  abortSync(): void {
    for (const action of this.#aborting()) action.runSync();
  }

  #finishing(): FileAction<void>[] {
    return [this.#file.barrier(), this.#file.close(), this.#reserved.publish()];
  }

  #aborting(): FileAction<void>[] {
    return [this.#file.close(), this.#reserved.remove('.partial')];
  }
}
