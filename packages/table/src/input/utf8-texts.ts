// The texts of a column as UTF-8, in pieces as they lie in memory: what columns of text of Arrow are, without a string
// of the language for any of them.
import { ChunkJoiner } from '../chunk/chunk-joiner.ts';
import type { Utf8Chunk } from '../chunk/chunk.ts';

/** Consecutive rows whose texts lie back to back. */
export interface TextPiece {
  readonly rowCount: number;
  readonly bytes: Uint8Array;
  /** Where each text begins, and where the last one ends. */
  readonly offsets: Uint32Array;
  /** Null: a text for every row; else for every row which of the texts it has. */
  readonly codes: Uint32Array | null;
}

export class Utf8Texts {
  readonly rowCount: number;
  readonly validity: Uint8Array | null;
  readonly #pieces: readonly TextPiece[];

  constructor(pieces: readonly TextPiece[], validity: Uint8Array | null) {
    this.rowCount = pieces.reduce((sum, { rowCount }) => sum + rowCount, 0);
    this.validity = validity;
    this.#pieces = pieces;
  }

  /**
   * Rows [start, end), without their validity. No copy of bytes within a piece.
   * @throws ArgumentError ERR_VALUE beyond 4 GiB over several pieces.
   */
  slice(start: number, end: number): Utf8Chunk {
    const parts: Utf8Chunk[] = [];
    let first = 0;
    for (const piece of this.#pieces) {
      const [from, to] = [Math.max(0, start - first), Math.min(piece.rowCount, end - first)];
      if (to > from) parts.push(rowsOf(piece, from, to));
      first += piece.rowCount;
    }
    const [only] = parts;
    if (only !== undefined && parts.length === 1) return only;
    const joiner = new ChunkJoiner(0, end - start);
    for (const part of parts) joiner.add(part);
    return parts.length === 0 ? NO_TEXTS : (joiner.take() as Utf8Chunk);
  }
}

const NO_TEXTS: Utf8Chunk = Object.freeze({
  kind: 'utf8',
  rowCount: 0,
  bytes: new Uint8Array(0),
  ends: new Uint32Array(0),
  codes: null,
  validity: null,
});

function rowsOf({ bytes, offsets, codes }: TextPiece, start: number, end: number): Utf8Chunk {
  const rowCount = end - start;
  if (codes === null) return { kind: 'utf8', rowCount, ...textsOf(bytes, offsets, start, end), codes, validity: null };
  const textCount = offsets.length - 1;
  const own = codes.subarray(start, end);
  // More texts than rows would be copied with every few rows of them.
  return textCount <= rowCount
    ? { kind: 'utf8', rowCount, ...textsOf(bytes, offsets, 0, textCount), codes: own, validity: null }
    : { kind: 'utf8', rowCount, ...pickTexts(bytes, offsets, own), codes: null, validity: null };
}

function textsOf(bytes: Uint8Array, offsets: Uint32Array, from: number, to: number): Pick<Utf8Chunk, 'bytes' | 'ends'> {
  const base = offsets[from] as number;
  const ends = offsets.subarray(from + 1, to + 1);
  return { bytes: bytes.subarray(base, offsets[to]), ends: base === 0 ? ends : ends.map((end) => end - base) };
}

function pickTexts(bytes: Uint8Array, offsets: Uint32Array, codes: Uint32Array): Pick<Utf8Chunk, 'bytes' | 'ends'> {
  const builder = new TextPieceBuilder();
  for (const code of codes) builder.add(bytes, offsets[code] ?? 0, offsets[code + 1] ?? 0);
  const piece = builder.finish();
  return { bytes: piece.bytes, ends: piece.offsets.subarray(1) };
}

const FIRST_TEXTS = 1024;
const FIRST_BYTES = 1 << 14;

/** Texts that come one by one. */
export class TextPieceBuilder {
  #bytes = new Uint8Array(FIRST_BYTES);
  #offsets = new Uint32Array(FIRST_TEXTS);
  #used = 0;
  #count = 0;

  get byteLength(): number {
    return this.#used;
  }

  /** Copies bytes [start, end). */
  add(bytes: Uint8Array, start: number, end: number): void {
    const used = this.#used + end - start;
    if (used > this.#bytes.length) {
      const more = new Uint8Array(Math.max(used, 2 * this.#bytes.length));
      more.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = more;
    }
    this.#bytes.set(bytes.subarray(start, end), this.#used);
    if (this.#count + 2 > this.#offsets.length) {
      const more = new Uint32Array(2 * this.#offsets.length);
      more.set(this.#offsets);
      this.#offsets = more;
    }
    this.#used = used;
    this.#offsets[++this.#count] = used;
  }

  finish(): TextPiece {
    const offsets = this.#offsets.subarray(0, this.#count + 1);
    return { rowCount: this.#count, bytes: this.#bytes.subarray(0, this.#used), offsets, codes: null };
  }
}
