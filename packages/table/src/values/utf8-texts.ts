// UTF-8 -> texts: a run of them is decoded in one go and cut, since a call for each costs more than the text.
import { LimitError, allocateOutputs } from '@colkit/io';
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { arrayFor } from '../array-for.ts';
import { PIECE_ROWS } from '../piece-rows.ts';

/** Texts back to back from the first byte on, and where each ends: well-formed. */
export interface Utf8Texts {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  /** The ends behind a zero, where they lie so in memory. */
  readonly offsets?: Uint32Array;
}

/** Bytes of a run, but for a longer text: whoever keeps a text that was cut from it keeps all of it. */
const RUN_BYTES = 1 << 16;
const MOST_SPARE = 1.5;
const MOST_BYTES = 2 ** 32 - 1;

/**
 * Texts of a run that was decoded, whose bytes are `data`, to `texts` from `at` on.
 * @param start where the first one begins, as `ends` count.
 * @returns false where one of them starts inside a character.
 */
export function cutTexts(
  text: string,
  data: Uint8Array,
  start: number,
  ends: Uint32Array,
  texts: string[],
  at: number,
): boolean {
  if (text.length === data.length) {
    for (let i = 0, first = 0; i < ends.length; i += 1) {
      const end = (ends[i] as number) - start;
      texts[at + i] = text.slice(first, end);
      first = end;
    }
    return true;
  }
  let unit = 0;
  for (let i = 0, byte = 0; i < ends.length; i += 1) {
    const first = unit;
    const end = (ends[i] as number) - start;
    if (byte < end && ((data[byte] as number) & 0xc0) === 0x80) return false;
    for (; byte < end; byte += 1) {
      const lead = data[byte] as number;
      if ((lead & 0xc0) !== 0x80) unit += lead >= 0xf0 ? 2 : 1;
    }
    texts[at + i] = text.slice(first, unit);
  }
  return true;
}

/** Copies. */
export function decodeUtf8(from: Utf8Texts): string[] {
  const { length } = from.ends;
  const texts = arrayFor<string>(length);
  for (let done = 0; done < length; ) done = decodeRun(from, done, texts);
  return texts;
}

/** The same, letting others have a turn. */
export function* decodingUtf8(from: Utf8Texts): Work<string[]> {
  const { length } = from.ends;
  const texts = arrayFor<string>(length);
  for (let done = 0; done < length; ) {
    done = decodeRun(from, done, texts);
    yield TURN;
  }
  return texts;
}

/** Decodes some texts from one on; tells which comes next. */
function decodeRun({ bytes, ends }: Utf8Texts, from: number, texts: string[]): number {
  const start = from === 0 ? 0 : (ends[from - 1] as number);
  let to = from + 1;
  const last = Math.min(ends.length, from + PIECE_ROWS);
  while (to < last && (ends[to] as number) - start <= RUN_BYTES) to += 1;
  const data = bytes.subarray(start, ends[to - 1]);
  // Decoders refuse shared memory.
  const own = data.buffer instanceof ArrayBuffer ? data : data.slice();
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(own);
  cutTexts(text, own, start, ends.subarray(from, to), texts, from);
  return to;
}

/** A zero, and room for where so many texts end. */
export function offsetsFor(count: number, transferable: boolean): Uint32Array {
  const [bytes = new Uint8Array(4)] = allocateOutputs([4 * (count + 1)], { transferable });
  const offsets = new Uint32Array(bytes.buffer, bytes.byteOffset, count + 1);
  offsets[0] = 0;
  return offsets;
}

/** Memory with any content is not handed out part-filled; it is kept where it is not far more than what is used. */
export function usedBytes(bytes: Uint8Array, used: number): Uint8Array {
  const isSpare = used * MOST_SPARE < bytes.length;
  if (!isSpare) bytes.fill(0, used);
  return isSpare ? bytes.slice(0, used) : bytes.subarray(0, used);
}

/**
 * Bytes to reserve for texts: as many as are wished for, no more than there may be at all, and what is needed.
 * @throws LimitError where 32 bits do not tell where texts end.
 */
export function roomForTexts(needed: number, wished: number): number {
  if (needed > MOST_BYTES)
    throw new LimitError('ERR_LIMIT', 'bytes of texts of a column in one read', MOST_BYTES, needed);
  return Math.max(needed, Math.min(wished, MOST_BYTES));
}
