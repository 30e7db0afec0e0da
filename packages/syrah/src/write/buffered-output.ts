// Few bytes at a time -> few large writes: what goes to an output is gathered in one buffer; what is larger than the
// buffer goes there directly, without a copy.
import { attached } from '@colkit/io';
import type { Output } from '@colkit/io/durable';
import type { Work } from '@colkit/io/effects';

/** Large enough that a system call costs nothing beside it, small enough to stay in a core's cache. */
const BUFFER_BYTES = 1024 * 1024;

export class BufferedOutput {
  readonly #output: Output;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  /** The same memory as arrays of other types: to set one from another of its type needs no view of its bytes. */
  readonly #typed = typedOver(this.#buffer.buffer);
  #used = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Where the next byte goes. */
  get position(): number {
    return this.#output.position + this.#used;
  }

  /** Whether so many bytes can be taken without an action. */
  hasRoom(byteLength: number): boolean {
    return byteLength <= BUFFER_BYTES - this.#used && byteLength < BUFFER_BYTES;
  }

  /** Takes an array that there is room for. */
  putArray(array: ArrayBufferView): void {
    const typed = this.#typed.get(Object.getPrototypeOf(array) as object);
    const used = this.#used;
    if (typed !== undefined && used % typed.BYTES_PER_ELEMENT === 0)
      typed.set(array as never, used / typed.BYTES_PER_ELEMENT);
    else this.#buffer.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), used);
    this.#used = used + array.byteLength;
  }

  /** Takes the bytes if that needs no action. */
  tryPut(bytes: Uint8Array): boolean {
    if (!this.hasRoom(bytes.length)) return false;
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
    return true;
  }

  *put(bytes: Uint8Array): Work<void> {
    if (bytes.length > BUFFER_BYTES - this.#used) {
      yield* this.flush();
      attached(bytes, 'write', 'an array');
    }
    if (bytes.length >= BUFFER_BYTES) {
      yield this.#output.write(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Hands everything to the output. */
  *flush(): Work<void> {
    if (this.#used === 0) return;
    const bytes = this.#buffer.subarray(0, this.#used);
    yield this.#output.write(bytes);
    this.#used = 0;
  }
}

type PlainArray =
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** Arrays over one piece of memory, by what arrays of their type inherit from. */
function typedOver(memory: ArrayBuffer): ReadonlyMap<object, PlainArray> {
  const arrays = [
    new Uint8Array(memory),
    new Int16Array(memory),
    new Uint16Array(memory),
    new Int32Array(memory),
    new Uint32Array(memory),
    new Float32Array(memory),
    new Float64Array(memory),
    new BigInt64Array(memory),
    new BigUint64Array(memory),
  ];
  return new Map(arrays.map((array) => [Object.getPrototypeOf(array) as object, array]));
}
