// Pairs of 32-bit words -> numbers from 0 on, in the order in which the pairs are first met: a hash table in typed
// arrays, since a Map of bigints or of joined texts costs ten times as much a row.
import { LimitError } from '@colkit/io';

const FIRST_SLOTS = 64;

export class PairCodes {
  readonly #what: string;
  readonly #most: number;
  /** 1 + the pair's number; 0: free. */
  #slots = new Int32Array(FIRST_SLOTS);
  #left = new Int32Array(FIRST_SLOTS / 2);
  #right = new Int32Array(FIRST_SLOTS / 2);
  #count = 0;

  /** @param what for the message, in the plural: 'groups'. */
  constructor(what: string, most: number) {
    this.#what = what;
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  leftOf(code: number): number {
    return this.#left[code] as number;
  }

  rightOf(code: number): number {
    return this.#right[code] as number;
  }

  /** The number of a pair; a new one where it was not met before. @throws LimitError. */
  codeOf(left: number, right: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash(left, right) & mask;
    for (let taken = slots[slot] as number; taken !== 0; taken = slots[slot] as number) {
      if (this.#left[taken - 1] === left && this.#right[taken - 1] === right) return taken - 1;
      slot = (slot + 1) & mask;
    }
    return this.#meet(left, right, slot);
  }

  #meet(left: number, right: number, slot: number): number {
    const code = this.#count;
    if (code === this.#most) throw new LimitError('ERR_LIMIT', this.#what, this.#most, this.#most + 1);
    this.#left[code] = left;
    this.#right[code] = right;
    this.#slots[slot] = code + 1;
    this.#count = code + 1;
    if (2 * this.#count >= this.#slots.length) this.#grow();
    return code;
  }

  #grow(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let code = 0; code < this.#count; code += 1) {
      let slot = hash(this.#left[code] as number, this.#right[code] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = code + 1;
    }
    this.#slots = slots;
    this.#left = longer(this.#left, slots.length / 2);
    this.#right = longer(this.#right, slots.length / 2);
  }
}

function hash(left: number, right: number): number {
  let mixed = Math.imul(left, 0x85eb_ca6b) ^ Math.imul(right, 0xc2b2_ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb_352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846c_a68b);
  return mixed ^ (mixed >>> 16);
}

function longer(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const out = new Int32Array(length);
  out.set(array);
  return out;
}
