// Frames of the protocol of `colkit serve-arrow` (docs/formats/serve-arrow.md), in both directions:
//
//   0   4  magic 'CKA1': the last letter is the version
//   4   4  length of the head in bytes, uint32
//   8   8  length of the body in bytes, uint64
//  16      head: an object as JSON in UTF-8
//          body: bytes of Arrow; requests have none
//
// Lengths are little-endian and checked before anything is kept for them.
import { ArgumentError, LimitError } from '@colkit/io';

export const PROTOCOL_VERSION = 1;
export const FRAME_BYTES = 16;
/** 'CKA1' */
const MAGIC = 0x31_41_4b_43;
export const MOST_HEAD_BYTES = 1 << 26;

export type Head = Readonly<Record<string, unknown>>;

/** What stands before a body. */
export function frameHead(head: Head, bodyBytes: number): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(head));
  if (text.length > MOST_HEAD_BYTES)
    throw new LimitError('ERR_LIMIT', 'bytes of the head of a frame', MOST_HEAD_BYTES, text.length);
  const frame = new Uint8Array(FRAME_BYTES + text.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, text.length, true);
  view.setBigUint64(8, BigInt(bodyBytes), true);
  frame.set(text, FRAME_BYTES);
  return frame;
}

/** Requests, out of the pieces in which their bytes come. */
export class RequestReader {
  #pieces: Uint8Array[] = [];
  #byteLength = 0;

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#byteLength += piece.length;
  }

  /** Whether bytes of a frame are there that has not ended. */
  get isInside(): boolean {
    return this.#byteLength > 0;
  }

  /**
   * The text of the next head, or null where more bytes are needed. What is thrown ends the connection: where the next
   * frame begins is not known.
   * @throws ArgumentError for what is no frame; LimitError.
   */
  next(): string | null {
    if (this.#byteLength < FRAME_BYTES) return null;
    const start = this.#first(FRAME_BYTES);
    const view = new DataView(start.buffer, start.byteOffset, FRAME_BYTES);
    const magic = view.getUint32(0, true);
    if (magic !== MAGIC)
      throw new ArgumentError('ERR_ARGUMENT', 'frame', 'the magic CKA1', `0x${magic.toString(16).padStart(8, '0')}`);
    const headBytes = view.getUint32(4, true);
    if (headBytes > MOST_HEAD_BYTES)
      throw new LimitError('ERR_LIMIT', 'bytes of the head of a frame', MOST_HEAD_BYTES, headBytes);
    const bodyBytes = view.getBigUint64(8, true);
    if (bodyBytes !== 0n)
      throw new ArgumentError('ERR_ARGUMENT', 'frame', 'a request without body', `${bodyBytes} bytes`);
    const frameBytes = FRAME_BYTES + headBytes;
    if (this.#byteLength < frameBytes) return null;
    const frame = this.#first(frameBytes);
    this.#byteLength -= frameBytes;
    const rest = frame.subarray(frameBytes);
    this.#pieces = [...(rest.length === 0 ? [] : [rest]), ...this.#pieces.slice(1)];
    return new TextDecoder('utf-8', { ignoreBOM: false }).decode(frame.subarray(FRAME_BYTES, frameBytes));
  }

  /** The first piece, made of as many as have so many bytes. */
  #first(byteLength: number): Uint8Array {
    const [first = new Uint8Array(0)] = this.#pieces;
    if (first.length >= byteLength) return first;
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }
}
