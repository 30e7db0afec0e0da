// Bounds-checked little-endian reads over bytes in memory, moving forward. It knows which file and which part of it the
// bytes are, so that every failure says where.
import { CorruptFileError } from '../errors/errors.ts';
import { readI64, readU64 } from './integers.ts';

export type CorruptCode = ConstructorParameters<typeof CorruptFileError>[0];

export interface CursorContext {
  /** The source's path, for messages. */
  readonly path: string;
  /** Which part of the file: 'header', 'footer', … */
  readonly region: string;
  /** Where byte 0 of the bytes stands in the file. Default 0. */
  readonly byteOffset?: number;
  /** The code of `fail` where none is given. Default ERR_LAYOUT. */
  readonly code?: CorruptCode;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads forward; every read checks the end first and throws CorruptFileError ERR_TRUNCATED beyond it. Nothing is copied
 * unless the name says so.
 */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #context: CursorContext;
  readonly #origin: number;
  #position = 0;

  constructor(bytes: Uint8Array, context: CursorContext) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#context = context;
    this.#origin = context.byteOffset ?? 0;
  }

  /** Bytes read so far. */
  get position(): number {
    return this.#position;
  }

  /** Where the next byte stands in the file. */
  get fileOffset(): number {
    return this.#origin + this.#position;
  }

  get remaining(): number {
    return this.bytes.byteLength - this.#position;
  }

  /** Moves to a position of the bytes, from their start. */
  seek(position: number): void {
    if (!(Number.isSafeInteger(position) && position >= 0 && position <= this.bytes.byteLength)) {
      throw this.fail(`an offset of at most ${String(this.bytes.byteLength)}`, String(position), 'ERR_TRUNCATED');
    }
    this.#position = position;
  }

  skip(byteLength: number): void {
    this.#take(byteLength);
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  i8(): number {
    return this.#view.getInt8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  i16(): number {
    return this.#view.getInt16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  f32(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  bigU64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  bigI64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  /** An unsigned 64-bit integer as a number; beyond 2^53 - 1 the file is corrupt. */
  u64(): number {
    return this.#safe(readU64, this.#take(8));
  }

  /** A signed 64-bit integer as a number; beyond +-(2^53 - 1) the file is corrupt. */
  i64(): number {
    return this.#safe(readI64, this.#take(8));
  }

  /** The next bytes, not a copy. */
  take(byteLength: number): Uint8Array {
    const at = this.#take(byteLength);
    return this.bytes.subarray(at, at + byteLength);
  }

  /** The next bytes as UTF-8 text; a byte order mark is kept, bad UTF-8 is a CorruptFileError. */
  utf8(byteLength: number): string {
    const at = this.#take(byteLength);
    try {
      return UTF8.decode(this.bytes.subarray(at, at + byteLength));
    } catch {
      this.#position = at;
      throw this.fail('UTF-8 text', 'other bytes');
    }
  }

  /** The error for what stands at the current position (or `at` bytes from the start): to be thrown by the caller. */
  fail(
    expected: string,
    found: string,
    code: CorruptCode = this.#context.code ?? 'ERR_LAYOUT',
    at: number = this.#position,
  ): CorruptFileError {
    return new CorruptFileError(code, {
      path: this.#context.path,
      region: this.#context.region,
      byteOffset: this.#origin + at,
      expected,
      found,
    });
  }

  /** Checks that `byteLength` bytes are left, moves past them and tells where they start. */
  #take(byteLength: number): number {
    const at = this.#position;
    if (!(byteLength >= 0 && byteLength <= this.bytes.byteLength - at) || !Number.isInteger(byteLength)) {
      throw this.fail(`${String(byteLength)} bytes`, `${String(this.bytes.byteLength - at)} left`, 'ERR_TRUNCATED');
    }
    this.#position = at + byteLength;
    return at;
  }

  #safe(read: (view: DataView, byteOffset: number) => number, at: number): number {
    try {
      return read(this.#view, at);
    } catch {
      this.#position = at;
      throw this.fail('an integer within 2^53', String(this.#view.getBigUint64(at, true)));
    }
  }
}
