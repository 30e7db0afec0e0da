// What sinks have in common that are written by awaited calls, from the beginning to the end.
import { ClosedError, UnsupportedError } from '@colkit/io';
import type { Sink } from '@colkit/io';

export abstract class ForwardSink implements Sink {
  readonly #name: string;
  #position = 0;
  #isOpen = true;

  /** @param name for messages. */
  protected constructor(name: string) {
    this.#name = name;
  }

  get position(): number {
    return this.#position;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#requireOpen('write');
    if (bytes.byteLength === 0) return;
    // The writer may use its memory again.
    await this.put(bytes.slice());
    this.#position += bytes.byteLength;
  }

  async finish(): Promise<void> {
    this.#requireOpen('finish');
    this.#isOpen = false;
    await this.end();
  }

  async abort(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.drop();
  }

  writeAt(): Promise<void> {
    return Promise.reject(this.#no('writeAt', 'it is written from its beginning to its end'));
  }

  writeSync(): void {
    throw this.#no('writeSync', 'it is written by awaited calls');
  }

  writeAtSync(): void {
    this.writeSync();
  }

  finishSync(): void {
    this.writeSync();
  }

  abortSync(): void {
    this.writeSync();
  }

  /** Takes bytes of its own. */
  protected abstract put(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  protected abstract end(): Promise<void>;
  protected abstract drop(): Promise<void>;

  #no(feature: string, why: string): UnsupportedError {
    return new UnsupportedError('ERR_FEATURE', feature, `${this.#name}: ${why}`);
  }

  #requireOpen(operation: string): void {
    if (!this.#isOpen) throw new ClosedError(operation, this.#name);
  }
}
