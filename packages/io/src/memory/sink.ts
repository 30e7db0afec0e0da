// Where bytes are written to: one contract for memory and files, asynchronous with a Sync twin of each method; and the
// sink that keeps them in memory.
import { newArrayBuffer } from './align.ts';
import { attached } from './attached.ts';
import { bytesOfArray } from './typed-array.ts';
import { ArgumentError, ClosedError } from '../errors/errors.ts';
import { isError } from '../errors/system-error.ts';
import { fitsWithin, isCount } from '../values/integers.ts';

/**
 * Bytes in, one after the other. Nothing is visible to others before `finish`; `abort` leaves nothing behind, and does
 * nothing after `finish`, a failure or another `abort`. Bytes that were passed must not change until the promise
 * settles. A failed sink stays failed: every later call but `abort` throws.
 */
export interface Sink {
  /** Bytes written so far: where the next `write` goes. */
  readonly position: number;
  write(bytes: Uint8Array): Promise<void>;
  writeSync(bytes: Uint8Array): void;
  /**
   * Overwrites bytes that were written before, for headers that are known last: [byteOffset, byteOffset +
   * bytes.byteLength) must lie below `position`.
   */
  writeAt(byteOffset: number, bytes: Uint8Array): Promise<void>;
  writeAtSync(byteOffset: number, bytes: Uint8Array): void;
  finish(): Promise<void>;
  finishSync(): void;
  abort(): Promise<void>;
  abortSync(): void;
}

const SMALLEST_CAPACITY = 4096;

/** Collects bytes in a growing buffer (doubling: each byte is copied about twice). */
export class MemorySink implements Sink {
  #buffer = new Uint8Array(0);
  #position = 0;
  #state: 'open' | 'finished' | 'aborted' = 'open';

  get position(): number {
    return this.#position;
  }

  writeSync(bytes: Uint8Array): void {
    this.#checkOpen('write');
    const given = givenBytes(bytes);
    this.#reserve(this.#position + given.byteLength);
    this.#buffer.set(given, this.#position);
    this.#position += given.byteLength;
  }

  writeAtSync(byteOffset: number, bytes: Uint8Array): void {
    this.#checkOpen('writeAt');
    const given = givenBytes(bytes);
    checkPatch(byteOffset, given.byteLength, this.#position);
    this.#buffer.set(given, byteOffset);
  }

  finishSync(): void {
    this.#checkOpen('finish');
    this.#state = 'finished';
  }

  abortSync(): void {
    if (this.#state === 'finished') return;
    this.#state = 'aborted';
    this.#buffer = new Uint8Array(0);
    this.#position = 0;
  }

  write(bytes: Uint8Array): Promise<void> {
    return settle(() => this.writeSync(bytes));
  }

  writeAt(byteOffset: number, bytes: Uint8Array): Promise<void> {
    return settle(() => this.writeAtSync(byteOffset, bytes));
  }

  finish(): Promise<void> {
    return settle(() => this.finishSync());
  }

  abort(): Promise<void> {
    return settle(() => this.abortSync());
  }

  /**
   * What was written so far: a view of the sink's own buffer, not a copy. Empty after `abort`.
   * @throws ClosedError ERR_DETACHED where that buffer was transferred.
   */
  bytes(): Uint8Array<ArrayBuffer> {
    return attached(this.#buffer, 'bytes', 'the memory sink').subarray(0, this.#position);
  }

  #reserve(byteLength: number): void {
    if (byteLength <= this.#buffer.byteLength) return;
    const grown = new Uint8Array(newArrayBuffer(Math.max(byteLength, 2 * this.#buffer.byteLength, SMALLEST_CAPACITY)));
    grown.set(this.bytes());
    this.#buffer = grown;
  }

  #checkOpen(operation: string): void {
    if (this.#state !== 'open') throw new ClosedError(operation, 'the memory sink');
  }
}

/**
 * What a caller writes; of other numbers their bytes.
 * @throws ArgumentError ERR_ARGUMENT for text and whatever else has no bytes; ClosedError ERR_DETACHED.
 */
export function givenBytes(bytes: Uint8Array): Uint8Array {
  return bytesOfArray(attached(bytes, 'write', 'the bytes'), 'bytes');
}

/** Refuses a patch outside of what was written. @throws ArgumentError. */
export function checkPatch(byteOffset: number, byteLength: number, position: number): void {
  if (!isCount(byteOffset) || !fitsWithin(byteOffset, byteLength, position)) {
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'byteOffset',
      `bytes within the ${String(position)} written`,
      `${String(byteLength)} bytes at ${String(byteOffset)}`,
    );
  }
}

/** A synchronous step as a promise: what it throws becomes a rejection. */
function settle(step: () => void): Promise<void> {
  try {
    step();
    return Promise.resolve();
  } catch (error) {
    return Promise.reject(isError(error) ? error : new Error(String(error)));
  }
}
