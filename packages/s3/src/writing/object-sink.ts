// Bytes of a new object, from front to back. What fits one part is one request at the end; more goes out part by part,
// with the first one last: until then headers at the beginning of a file can be written.
import { ClosedError, UnsupportedError } from '@colkit/io';
import type { Sink } from '@colkit/io';
import type { Client } from '../requests/client.ts';
import { putIfAbsent } from './put.ts';
import { Upload, existsError } from './upload.ts';

export interface SinkSettings {
  readonly partBytes: number;
  readonly concurrentParts: number;
  readonly signal: AbortSignal | undefined;
}

const SMALLEST_BYTES = 64 << 10;
const NO_BYTES = new Uint8Array(0);

export class ObjectSink implements Sink {
  readonly #client: Client;
  readonly #key: string;
  readonly #settings: SinkSettings;
  readonly #upload: Upload;
  #position = 0;
  #state: 'open' | 'failed' | 'finished' | 'aborted' = 'open';
  /** The first part, once it is full. */
  #first: Uint8Array<ArrayBuffer> | null = null;
  /** The part that is filled, in memory that grows up to its size. */
  #part = NO_BYTES;
  #filled = 0;
  /** Calls that were made together are done one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(client: Client, key: string, settings: SinkSettings) {
    this.#client = client;
    this.#key = key;
    this.#settings = settings;
    this.#upload = new Upload(client, key, settings.concurrentParts, settings.signal);
    abandoned.register(this, this.#upload, this);
  }

  get position(): number {
    return this.#position;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#inTurn('write', async () => {
      for (let at = 0; at < bytes.byteLength; ) {
        if (this.#filled === this.#settings.partBytes) await this.#next();
        const count = Math.min(bytes.byteLength - at, this.#settings.partBytes - this.#filled);
        this.#reserve(this.#filled + count);
        this.#part.set(bytes.subarray(at, at + count), this.#filled);
        this.#filled += count;
        this.#position += count;
        at += count;
      }
    });
  }

  /**
   * In the first part, and in the one that is filled.
   * @throws UnsupportedError ERR_FEATURE for others, which are on their way.
   */
  writeAt(byteOffset: number, bytes: Uint8Array): Promise<void> {
    return this.#inTurn('writeAt', () => {
      const end = byteOffset + bytes.byteLength;
      const partStart = this.#position - this.#filled;
      if (!Number.isSafeInteger(byteOffset) || byteOffset < 0 || end > this.#position)
        throw new RangeError(`writeAt: bytes within the ${String(this.#position)} written`);
      const first = this.#first ?? NO_BYTES;
      const known = Math.max(0, Math.min(end, first.byteLength) - byteOffset);
      if (byteOffset + known < partStart && known < bytes.byteLength) throw this.#gone();
      first.set(bytes.subarray(0, known), known === 0 ? 0 : byteOffset);
      if (known < bytes.byteLength) this.#part.set(bytes.subarray(known), byteOffset + known - partStart);
      return Promise.resolve();
    });
  }

  finish(): Promise<void> {
    return this.#inTurn('finish', async () => {
      if (this.#first === null) await this.#put();
      else await this.#complete(this.#first);
      this.#state = 'finished';
      this.#forget();
    });
  }

  async abort(): Promise<void> {
    if (this.#state === 'finished' || this.#state === 'aborted') return;
    this.#state = 'aborted';
    this.#forget();
    await this.#upload.abort();
  }

  writeSync(): void {
    throw this.#noSync();
  }

  writeAtSync(): void {
    throw this.#noSync();
  }

  finishSync(): void {
    throw this.#noSync();
  }

  abortSync(): void {
    if (this.#state === 'open' || this.#state === 'failed') void this.abort();
  }

  async #put(): Promise<void> {
    const { signal } = this.#settings;
    const purpose = { operation: 'create', path: this.#client.nameOf(this.#key), key: this.#key } as const;
    const bytes = this.#part.subarray(0, this.#filled);
    if (!(await putIfAbsent(this.#client, purpose, bytes, signal === undefined ? {} : { signal })))
      throw existsError(purpose);
  }

  async #complete(first: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#upload.send(this.#partNumber, this.#part.subarray(0, this.#filled));
    await this.#upload.send(1, first);
    await this.#upload.complete();
  }

  /** Of the one that is filled. */
  get #partNumber(): number {
    return Math.ceil(this.#position / this.#settings.partBytes);
  }

  async #next(): Promise<void> {
    if (this.#first === null) this.#first = this.#part;
    else await this.#upload.send(this.#partNumber, this.#part);
    this.#part = new Uint8Array(this.#settings.partBytes);
    this.#filled = 0;
  }

  #reserve(byteLength: number): void {
    if (byteLength <= this.#part.byteLength) return;
    const grown = new Uint8Array(
      Math.min(this.#settings.partBytes, Math.max(byteLength, 2 * this.#part.byteLength, SMALLEST_BYTES)),
    );
    grown.set(this.#part.subarray(0, this.#filled));
    this.#part = grown;
  }

  #inTurn(operation: string, step: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(async () => {
      if (this.#state !== 'open') throw new ClosedError(operation, this.#client.nameOf(this.#key));
      try {
        this.#settings.signal?.throwIfAborted();
        await step();
      } catch (error) {
        // A patch that is refused changes nothing.
        const isRefused = error instanceof UnsupportedError || error instanceof RangeError;
        if (!isRefused && this.#stillOpen()) await this.#fail();
        throw error;
      }
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** The state may be another one after a step. */
  #stillOpen(): boolean {
    return this.#state === 'open';
  }

  async #fail(): Promise<void> {
    this.#state = 'failed';
    this.#forget();
    await this.#upload.abort();
  }

  #forget(): void {
    abandoned.unregister(this);
    this.#first = null;
    this.#part = NO_BYTES;
    this.#filled = 0;
  }

  #gone(): UnsupportedError {
    return new UnsupportedError(
      'ERR_FEATURE',
      'writeAt',
      `${this.#client.nameOf(this.#key)}: bytes between the first part and the last are sent already; write a file, ` +
        'and send that (writeThroughFile of @colkit/io/durable)',
    );
  }

  #noSync(): UnsupportedError {
    return new UnsupportedError(
      'ERR_FEATURE',
      'writeSync',
      `${this.#client.nameOf(this.#key)}: a store is written to by awaited calls`,
    );
  }
}

/** Of sinks that nobody has any more: their parts would be stored, and paid for. */
const abandoned = new FinalizationRegistry<Upload>((upload) => void upload.abort());
