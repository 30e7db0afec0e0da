// Texts as UTF-8 -> the numbers of distinct ones, in the order in which they are met: by the addon, which keeps them in
// a table of their bytes.
import { allocateOutputs } from '@colkit/io';
import type { NumberKernels } from '@colkit/io';
import { offsetsFor, roomForTexts, usedBytes } from './utf8-texts.ts';
import type { Utf8Texts } from './utf8-texts.ts';

/** Texts back to back: text i is bytes [ends[i - 1], ends[i]), the first one from `start` on. */
export interface ByteTexts {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly ends: Uint32Array;
}

/** Room at first: texts, and bytes of each. */
const FIRST_TEXTS = 512;
const FIRST_BYTES = 16;
const WORDS_PER_SLOT = 2;
/** As far as these there are four times as many each time, then twice as many. */
const MANY_SLOT_WORDS = 1 << 20;

export class KnownTexts {
  readonly #kernels: NumberKernels;
  readonly #transferable: boolean;
  /** How many texts are known, and what their hashes begin with: nobody can make a file that fills one slot. */
  readonly #facts = Uint32Array.of(0, Math.random() * 2 ** 32, Math.random() * 2 ** 32);
  #slots: Uint32Array = new Uint32Array(2 * FIRST_TEXTS * WORDS_PER_SLOT);
  #bytes: Uint8Array = new Uint8Array(FIRST_TEXTS * FIRST_BYTES);
  #offsets: Uint32Array;
  #ends: Uint32Array;

  /** @param transferable whether memory must be ordinary ArrayBuffers. */
  constructor(kernels: NumberKernels, transferable = false) {
    this.#kernels = kernels;
    this.#transferable = transferable;
    this.#offsets = offsetsFor(FIRST_TEXTS, transferable);
    this.#ends = this.#offsets.subarray(1);
  }

  get count(): number {
    return this.#facts[0] as number;
  }

  /** Writes the numbers of all of them, which must be as they are said to be. @throws LimitError. */
  number({ bytes, start, ends }: ByteTexts, numbers: Uint32Array): void {
    for (let done = 0; ; ) {
      const [slots, known, knownEnds] = [this.#slots, this.#bytes, this.#ends];
      done = this.#kernels.numberTexts(bytes, start, ends, done, numbers, slots, known, knownEnds, this.#facts);
      if (done >= ends.length) return;
      this.#makeRoom((ends[done] as number) - (done === 0 ? start : (ends[done - 1] as number)));
    }
  }

  /** Those from `first` on: no copy. */
  from(first: number): ByteTexts {
    const start = this.#offsets[first] as number;
    return { bytes: this.#bytes, start, ends: this.#ends.subarray(first, this.count) };
  }

  /** All of them: the memory is handed out, and no more texts are to be numbered. */
  finish(): Utf8Texts {
    const { count } = this;
    this.#ends.fill(0, count);
    return {
      bytes: usedBytes(this.#bytes, this.#offsets[count] as number),
      ends: this.#ends.subarray(0, count),
      offsets: this.#offsets.subarray(0, count + 1),
    };
  }

  /** For one more text. @throws LimitError. */
  #makeRoom(byteLength: number): void {
    const { count } = this;
    const used = this.#offsets[count] as number;
    const room = roomForTexts(used + byteLength, 2 * this.#bytes.length);
    if (2 * WORDS_PER_SLOT * (count + 1) > this.#slots.length) {
      const { length } = this.#slots;
      const [words = new Uint8Array(0)] = allocateOutputs([4 * length * (length < MANY_SLOT_WORDS ? 4 : 2)]);
      const more = new Uint32Array(words.buffer, words.byteOffset, words.length / 4);
      this.#kernels.moveSlots(this.#slots, more);
      this.#slots = more;
    }
    if (count === this.#ends.length) {
      const more = offsetsFor(2 * count, this.#transferable);
      more.set(this.#offsets);
      this.#offsets = more;
      this.#ends = more.subarray(1);
    }
    if (used + byteLength > this.#bytes.length) {
      const [more = new Uint8Array(0)] = allocateOutputs([room], { transferable: this.#transferable });
      more.set(this.#bytes.subarray(0, used));
      this.#bytes = more;
    }
  }
}
