// Texts of pages -> the numbers of distinct ones, in the order in which they are met: in the addon by their bytes, so
// that no text is made before all are known.
import { allocateOutputs, numberKernels } from '@colkit/io';
import type { NumberKernels } from '@colkit/io';
import type { DictionaryChunk } from '@colkit/table';
import { decodeUtf8 } from '@colkit/table';
import type { ByteStrings } from '../../../columns/vector.ts';
import type { FileLocation } from '../../../layout/location.ts';
import type { DecodedBytes } from '../../file/decoded-bytes.ts';
import { checkByteCount, checkTexts, dataOf, offsetsFor, usedBytes } from './text-memory.ts';
import { decodeTexts } from './texts.ts';

/** Rows of which each has the number of its text, -1 for a null. */
type NumberedRows = Pick<DictionaryChunk, 'rowCount' | 'codes' | 'validity'>;

export interface TextNumbers {
  /**
   * Good until the next call.
   * @throws CorruptFileError ERR_LAYOUT where one of them is not well-formed UTF-8; LimitError.
   */
  numbersOf(strings: ByteStrings, location: FileLocation): Uint32Array;
  finish(rows: NumberedRows): DictionaryChunk;
}

/** The addon's table is not worth it for fewer rows. */
const WORTH_A_TABLE = 256;
/** Room at first: texts, and bytes of each. */
const FIRST_TEXTS = 512;
const FIRST_BYTES = 16;
const WORDS_PER_SLOT = 2;
/** As far as these there are four times as many each time, then twice as many. */
const MANY_SLOT_WORDS = 1 << 20;

/** @param rowCount how many rows there will be. @param transferable whether memory must be ordinary ArrayBuffers. */
export function textNumbers(rowCount: number, transferable: boolean, decoded: DecodedBytes | null): TextNumbers {
  const kernels = rowCount < WORTH_A_TABLE ? null : numberKernels();
  return kernels === null ? new MappedNumbers(decoded) : new HashedNumbers(kernels, transferable, decoded);
}

class MappedNumbers implements TextNumbers {
  readonly #dictionary: string[] = [];
  readonly #known = new Map<string, number>();
  readonly #decoded: DecodedBytes | null;

  constructor(decoded: DecodedBytes | null) {
    this.#decoded = decoded;
  }

  numbersOf(strings: ByteStrings, location: FileLocation): Uint32Array {
    const numbers = new Uint32Array(strings.count);
    for (const [i, text] of decodeTexts(strings, location, this.#decoded).entries()) {
      let number = this.#known.get(text);
      if (number === undefined) {
        number = this.#dictionary.push(text) - 1;
        this.#known.set(text, number);
      }
      numbers[i] = number;
    }
    return numbers;
  }

  finish(rows: NumberedRows): DictionaryChunk {
    return { kind: 'dictionary', ...rows, dictionary: this.#dictionary };
  }
}

class HashedNumbers implements TextNumbers {
  readonly #kernels: NumberKernels;
  readonly #transferable: boolean;
  readonly #decoded: DecodedBytes | null;
  /** How many texts are known, and what their hashes begin with: nobody can make a file that fills one slot. */
  readonly #facts = Uint32Array.of(0, Math.random() * 2 ** 32, Math.random() * 2 ** 32);
  #slots: Uint32Array = new Uint32Array(2 * FIRST_TEXTS * WORDS_PER_SLOT);
  #bytes: Uint8Array = new Uint8Array(FIRST_TEXTS * FIRST_BYTES);
  #offsets: Uint32Array;
  #ends: Uint32Array;
  #numbers = new Uint32Array(0);

  constructor(kernels: NumberKernels, transferable: boolean, decoded: DecodedBytes | null) {
    this.#kernels = kernels;
    this.#transferable = transferable;
    this.#decoded = decoded;
    this.#offsets = offsetsFor(FIRST_TEXTS, transferable);
    this.#ends = this.#offsets.subarray(1);
  }

  numbersOf(strings: ByteStrings, location: FileLocation): Uint32Array {
    const { bytes, start, ends, count } = strings;
    const data = dataOf(strings);
    this.#decoded?.add(data.length);
    checkTexts(strings, data, location);
    if (this.#numbers.length < count) this.#numbers = new Uint32Array(count);
    const numbers = this.#numbers.subarray(0, count);
    for (let done = 0; ; ) {
      const [slots, known, knownEnds] = [this.#slots, this.#bytes, this.#ends];
      done = this.#kernels.numberTexts(bytes, start, ends, done, numbers, slots, known, knownEnds, this.#facts);
      if (done >= count) return numbers;
      this.#makeRoom((ends[done] as number) - (done === 0 ? start : (ends[done - 1] as number)));
    }
  }

  finish(rows: NumberedRows): DictionaryChunk {
    const count = this.#facts[0] as number;
    const bytes = usedBytes(this.#bytes, this.#used);
    this.#ends.fill(0, count);
    const utf8 = { bytes, ends: this.#ends.subarray(0, count), offsets: this.#offsets.subarray(0, count + 1) };
    let dictionary: readonly string[] | null = null;
    return {
      kind: 'dictionary',
      ...rows,
      utf8,
      get dictionary() {
        return (dictionary ??= decodeUtf8(utf8));
      },
    };
  }

  get #used(): number {
    return this.#offsets[this.#facts[0] as number] as number;
  }

  /** For one more text. @throws LimitError. */
  #makeRoom(byteLength: number): void {
    const [count, used] = [this.#facts[0] as number, this.#used];
    checkByteCount(used + byteLength);
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
      const room = Math.max(used + byteLength, 2 * this.#bytes.length);
      const [more = new Uint8Array(0)] = allocateOutputs([room], { transferable: this.#transferable });
      more.set(this.#bytes.subarray(0, used));
      this.#bytes = more;
    }
  }
}
