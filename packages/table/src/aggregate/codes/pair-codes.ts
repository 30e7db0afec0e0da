// Pairs of 32-bit words -> numbers from 0 on, in the order in which the pairs are first met: a hash table in typed
// arrays, since a Map of bigints or of joined texts costs ten times as much a row.
import { LimitError, numberKernels } from '@colkit/io';

const FIRST_SLOTS = 64;
/** Fewer pairs are looked up here. */
const WORTH_A_CALL = 64;
/** As far as these there are four times as many slots each time, then twice as many. */
const MANY = 1 << 20;
/** The number of a pair that was passed over. */
export const NO_PAIR = -1;

export class PairCodes {
  readonly #what: string;
  readonly #most: number;
  /** 1 + the pair's number; 0: free. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #left = new Uint32Array(FIRST_SLOTS / 2);
  #right = new Uint32Array(FIRST_SLOTS / 2);
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

  /** The number of a pair of words; a new one where it was not met before. @throws LimitError. */
  codeOf(left: number, right: number): number {
    const [a, b] = [left >>> 0, right >>> 0];
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash(a, b) & mask;
    for (let taken = slots[slot] as number; taken !== 0; taken = slots[slot] as number) {
      if (this.#left[taken - 1] === a && this.#right[taken - 1] === b) return taken - 1;
      slot = (slot + 1) & mask;
    }
    return this.#meet(a, b, slot);
  }

  /**
   * The numbers of many pairs, NO_PAIR for those whose bit in `validity` is 0.
   * @param right null: pairs lie one behind the other in `left`.
   * @throws LimitError.
   */
  encode(left: Uint32Array, right: Uint32Array | null, validity: Uint8Array | null, out: Int32Array): void {
    const count = right === null ? left.length / 2 : left.length;
    const kernels = count < WORTH_A_CALL ? null : numberKernels();
    if (kernels === null) {
      for (let i = 0; i < count; i += 1) {
        const isNull = validity !== null && (((validity[i >>> 3] as number) >> (i & 7)) & 1) === 0;
        const [a, b] = right === null ? [left[2 * i], left[2 * i + 1]] : [left[i], right[i]];
        out[i] = isNull ? NO_PAIR : this.codeOf(a as number, b as number);
      }
      return;
    }
    const numbers = new Uint32Array(out.buffer, out.byteOffset, count);
    for (let done = 0; ; ) {
      FACTS[0] = this.#count;
      const [slots, lefts, rights] = [this.#slots, this.#left.subarray(0, this.#most), this.#right];
      done = kernels.numberPairs(left, right, validity, done, numbers, slots, lefts, rights, FACTS);
      this.#count = FACTS[0];
      const isDone = done >= count;
      if (!isDone && this.#count === this.#most) throw this.#tooMany();
      // There is room for one more at any time.
      if (2 * this.#count >= this.#slots.length) this.#grow();
      if (isDone) return;
    }
  }

  #meet(left: number, right: number, slot: number): number {
    const code = this.#count;
    if (code === this.#most) throw this.#tooMany();
    this.#left[code] = left;
    this.#right[code] = right;
    this.#slots[slot] = code + 1;
    this.#count = code + 1;
    if (2 * this.#count >= this.#slots.length) this.#grow();
    return code;
  }

  #tooMany(): LimitError {
    return new LimitError('ERR_LIMIT', this.#what, this.#most, this.#most + 1);
  }

  #grow(): void {
    const [count, left, right] = [this.#count, this.#left, this.#right];
    const slots = new Uint32Array((count < MANY ? 4 : 2) * this.#slots.length);
    const kernels = count < WORTH_A_CALL ? null : numberKernels();
    if (kernels === null) {
      [this.#left, this.#right] = [longer(left, slots.length / 2), longer(right, slots.length / 2)];
      const mask = slots.length - 1;
      for (let code = 0; code < count; code += 1) {
        let slot = hash(left[code] as number, right[code] as number) & mask;
        while (slots[slot] !== 0) slot = (slot + 1) & mask;
        slots[slot] = code + 1;
      }
    } else {
      // Met in their order, they get the numbers that they have; those are written where the old slots were.
      [this.#left, this.#right] = [new Uint32Array(slots.length / 2), new Uint32Array(slots.length / 2)];
      const [lefts, rights] = [left.subarray(0, count), right.subarray(0, count)];
      FACTS[0] = 0;
      kernels.numberPairs(lefts, rights, null, 0, this.#slots, slots, this.#left, this.#right, FACTS);
    }
    this.#slots = slots;
  }
}

/** How many pairs are known, for the addon and from it. */
const FACTS = new Uint32Array(1);

/** As native/src/encode/numbers/pair_numbers.cc has it. */
function hash(left: number, right: number): number {
  let mixed = Math.imul(left, 0x85eb_ca6b) ^ Math.imul(right, 0xc2b2_ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb_352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846c_a68b);
  return mixed ^ (mixed >>> 16);
}

function longer(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(length);
  out.set(array);
  return out;
}
