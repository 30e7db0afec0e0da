// One text for each group, as its bytes: no string is made of a text whose place another one takes.
import type { ByteTexts } from '../../values/known-texts.ts';
import { roomForTexts } from '../../values/utf8-texts.ts';
import { grown } from '../column-values.ts';

const FIRST_BYTES = 1024;
/** Fewer bytes are copied by a loop. */
const WORTH_A_CALL = 48;
const NO_TEXT = -1;
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

export class GroupTexts {
  #bytes = new Uint8Array(FIRST_BYTES);
  #used = 0;
  /** Bytes of the texts that are kept. */
  #kept = 0;
  #starts = new Float64Array(0);
  #lengths = new Float64Array(0);

  /** Makes room for more groups, which have no text yet. */
  grow(groupCount: number): void {
    this.#starts = grown(this.#starts, groupCount);
    this.#lengths = grown(this.#lengths, groupCount, NO_TEXT);
  }

  /** @throws LimitError for too many bytes. */
  set(group: number, { bytes, start, ends }: ByteTexts, index: number): void {
    const from = index === 0 ? start : (ends[index - 1] as number);
    const end = ends[index] as number;
    const length = end - from;
    const before = Math.max(0, this.#lengths[group] as number);
    if (length > before) {
      if (this.#used + length > this.#bytes.length) this.#makeRoom(length);
      this.#starts[group] = this.#used;
      this.#used += length;
    }
    this.#kept += length - before;
    this.#lengths[group] = length;
    const [own, at] = [this.#bytes, this.#starts[group] as number];
    if (length < WORTH_A_CALL) for (let i = 0; i < length; i += 1) own[at + i] = bytes[from + i] as number;
    else own.set(bytes.subarray(from, end), at);
  }

  /** Takes a text where the group has none, or one that is larger (else smaller). @throws LimitError. */
  offer(group: number, texts: ByteTexts, index: number, isMax: boolean): void {
    const length = this.#lengths[group] as number;
    const order = length === NO_TEXT ? 0 : this.#compare(group, length, texts, index);
    if (length === NO_TEXT || (isMax ? order > 0 : order < 0)) this.set(group, texts, index);
  }

  /** The text of a group; null: it has none. */
  textOf(group: number): string | null {
    const length = this.#lengths[group] ?? NO_TEXT;
    const start = this.#starts[group] as number;
    return length === NO_TEXT ? null : DECODER.decode(this.#bytes.subarray(start, start + length));
  }

  /** The text of a group, which has none afterwards. */
  take(group: number): string | null {
    const text = this.textOf(group);
    if (text !== null) {
      this.#kept -= this.#lengths[group] as number;
      this.#lengths[group] = NO_TEXT;
    }
    return text;
  }

  /** The order of one of the texts to that of the group: bytes of UTF-8 order as code points do. */
  #compare(group: number, length: number, { bytes, start, ends }: ByteTexts, index: number): number {
    const own = this.#bytes;
    const at = this.#starts[group] as number;
    const from = index === 0 ? start : (ends[index - 1] as number);
    const otherLength = (ends[index] as number) - from;
    const common = Math.min(length, otherLength);
    for (let i = 0; i < common; i += 1) {
      const difference = (bytes[from + i] as number) - (own[at + i] as number);
      if (difference !== 0) return difference;
    }
    return otherLength - length;
  }

  /** Moves the texts that are kept to memory with room for one more. */
  #makeRoom(length: number): void {
    const needed = this.#kept + length;
    const bytes = new Uint8Array(roomForTexts(needed, Math.max(2 * needed, this.#bytes.length)));
    let used = 0;
    for (let group = 0; group < this.#lengths.length; group += 1) {
      const own = this.#lengths[group] as number;
      if (own === NO_TEXT) continue;
      const start = this.#starts[group] as number;
      bytes.set(this.#bytes.subarray(start, start + own), used);
      this.#starts[group] = used;
      used += own;
    }
    this.#bytes = bytes;
    this.#used = used;
  }
}
