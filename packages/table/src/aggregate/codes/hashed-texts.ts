// Texts by number in the addon's table of their bytes.
import type { NumberKernels } from '@colkit/io';
import { KnownTexts } from '../../values/known-texts.ts';
import type { ByteTexts } from '../../values/known-texts.ts';
import { cutTexts } from '../../values/utf8-texts.ts';

/** Texts by number. */
export interface Texts {
  readonly count: number;
  numberOf(text: string): number;
  textOf(number: number): string;
}

/** Begins the bytes of a text that is not well-formed, whose units follow: no UTF-8 has it. */
const UNITS = 0xff;
const BYTES_AT_ONCE = 1 << 20;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

export class HashedTexts implements Texts {
  readonly #known: KnownTexts;
  readonly #number = new Uint32Array(1);
  /** Those that were asked for, and all before them. */
  readonly #texts: string[] = [];

  /** @param texts those that have numbers already. */
  constructor(kernels: NumberKernels, texts: Texts) {
    this.#known = new KnownTexts(kernels);
    for (let number = 0; number < texts.count; number += 1) this.numberOf(texts.textOf(number));
  }

  get count(): number {
    return this.#known.count;
  }

  numberAll(texts: ByteTexts, numbers: Uint32Array): void {
    this.#known.number(texts, numbers);
  }

  numberOf(text: string): number {
    const bytes = /\p{Surrogate}/u.test(text) ? bytesOfUnits(text) : ENCODER.encode(text);
    this.#known.number({ bytes, start: 0, ends: Uint32Array.of(bytes.length) }, this.#number);
    return this.#number[0] as number;
  }

  textOf(number: number): string {
    while (this.#texts.length <= number && this.#texts.length < this.count) this.#decode();
    return this.#texts[number] ?? '';
  }

  /** The next texts: many in one go, since a call of the decoder costs more than a text. */
  #decode(): void {
    const texts = this.#texts;
    const { bytes, start, ends } = this.#known.from(texts.length);
    // Decoders refuse shared memory.
    if (bytes[start] === UNITS && ends[0] !== start) texts.push(textOfUtf16(bytes.slice(start + 1, ends[0])));
    else {
      const own = ends.subarray(0, decodableRun(bytes, start, ends));
      const data = bytes.slice(start, own.at(-1));
      cutTexts(DECODER.decode(data), data, start, own, texts, texts.length);
    }
  }
}

/** How many of the texts, of which the first one is well-formed, are decoded together. */
function decodableRun(bytes: Uint8Array, start: number, ends: Uint32Array): number {
  let count = 1;
  for (let from = ends[0] as number; count < ends.length && from - start < BYTES_AT_ONCE; count += 1) {
    const end = ends[count] as number;
    if (from < end && bytes[from] === UNITS) break;
    from = end;
  }
  return count;
}

function textOfUtf16(bytes: Uint8Array<ArrayBuffer>): string {
  let text = '';
  for (const unit of new Uint16Array(bytes.buffer)) text += String.fromCharCode(unit);
  return text;
}

function bytesOfUnits(text: string): Uint8Array {
  const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  const bytes = new Uint8Array(1 + units.byteLength);
  bytes[0] = UNITS;
  bytes.set(new Uint8Array(units.buffer), 1);
  return bytes;
}

/** Those of some codes, as a copy. */
export function pickTexts(kernels: NumberKernels, { bytes, start, ends }: ByteTexts, order: Uint32Array): ByteTexts {
  let byteLength = 0;
  for (const code of order) byteLength += (ends[code] as number) - (code === 0 ? start : (ends[code - 1] as number));
  const [picked, pickedEnds] = [new Uint8Array(byteLength), new Uint32Array(order.length)];
  kernels.spreadTexts(bytes, start, ends, order, picked, 0, pickedEnds);
  return { bytes: picked, start: 0, ends: pickedEnds };
}
