// Chunks of one column, one behind the other -> one chunk. What is joined owes nothing to the memory that it came from,
// but for byte arrays, which are passed on.
import { ArgumentError } from '@colkit/io';
import type { Chunk, DictionaryChunk, Utf8Chunk } from './chunk.ts';
import { arrayFor } from '../array-for.ts';
import { ValidityBuilder } from './validity-builder.ts';

/** Entries that have room in codes of 16 bits. */
const SMALL_CODES = 65_536;
/** UTF-8 of one chunk has ends of 32 bits. */
const MOST_TEXT_BYTES = 0xffffffff;

export class ChunkJoiner {
  readonly #itemBytes: number;
  readonly #roomFor: number;
  #kind: Chunk['kind'] | null = null;
  #rowCount = 0;
  #validity: ValidityBuilder;
  /** Packed items, or UTF-8. */
  #bytes: Uint8Array;
  #usedBytes = 0;
  #values: (string | Uint8Array)[] = [];
  #codes = new Int32Array(0);
  #dictionary = new Map<string, number>();
  /** A zero, and where texts end. */
  #offsets = new Uint32Array(1);
  #textCount = 0;
  /** Whether texts of UTF-8 have codes; until one has, every row has its own. */
  #coded = false;

  /**
   * @param itemBytes of fixed width; 0: variable width.
   * @param rowCount how many rows there will be; more make it grow.
   * @param bytes memory for packed items, that of the rows at least; absent: new memory.
   */
  constructor(itemBytes: number, rowCount = 0, bytes?: Uint8Array) {
    this.#itemBytes = itemBytes;
    this.#roomFor = rowCount;
    this.#bytes = bytes ?? new Uint8Array(itemBytes * rowCount);
    this.#validity = new ValidityBuilder(rowCount);
  }

  /** Makes room for the texts of all these, so that none of them makes it grow. */
  reserve(chunks: readonly Chunk[]): void {
    let count = this.#textCount;
    let byteLength = this.#usedBytes;
    for (const chunk of chunks) {
      if (chunk.kind !== 'utf8') continue;
      count += chunk.ends.length;
      byteLength += chunk.ends.at(-1) ?? 0;
    }
    // Beyond, adding them says what is wrong.
    if (byteLength > MOST_TEXT_BYTES) return;
    this.#bytes = grown(this.#bytes, byteLength, 0);
    this.#offsets = grown(this.#offsets, count + 1, 0);
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /**
   * Copies rows [start, end) of a chunk behind those that are there.
   * @throws ArgumentError ERR_ARGUMENT for a chunk of another form than those before it; ERR_VALUE beyond 4 GiB of
   * UTF-8.
   */
  add(chunk: Chunk, start = 0, end = chunk.rowCount): void {
    this.#kind ??= chunk.kind;
    if (chunk.kind !== this.#kind)
      throw new ArgumentError('ERR_ARGUMENT', 'chunk', `values of the form '${this.#kind}'`, `'${chunk.kind}'`);
    this.#validity.copy(chunk.validity, start, end, this.#rowCount);
    switch (chunk.kind) {
      case 'fixed': {
        const { bytes } = chunk;
        const [from, to] = [start * this.#itemBytes, end * this.#itemBytes];
        this.#append(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
        break;
      }
      case 'values':
        if (this.#rowCount === 0) this.#values = arrayFor<string | Uint8Array>(this.#roomFor);
        for (let row = start, at = this.#rowCount; row < end; row += 1, at += 1)
          this.#values[at] = chunk.values[row] as string | Uint8Array;
        break;
      case 'dictionary':
        this.#addCodes(chunk, start, end);
        break;
      case 'utf8':
        this.#addTexts(chunk, start, end);
    }
    this.#rowCount += end - start;
  }

  /** All rows, which are no longer in it. Its memory is that of what is added next, where that is as wide. */
  take(): Chunk {
    const rowCount = this.#rowCount;
    const validity = this.#validity.finish(rowCount);
    const kind = this.#kind ?? (this.#itemBytes === 0 ? 'values' : 'fixed');
    const chunk = this.#chunk(kind, rowCount, validity);
    this.#kind = null;
    this.#rowCount = 0;
    this.#validity = new ValidityBuilder(this.#roomFor);
    this.#usedBytes = 0;
    this.#values = [];
    this.#dictionary = new Map();
    this.#textCount = 0;
    this.#coded = false;
    return chunk;
  }

  #chunk(kind: Chunk['kind'], rowCount: number, validity: Uint8Array | null): Chunk {
    const bytes = this.#bytes.subarray(0, this.#usedBytes);
    switch (kind) {
      case 'fixed':
        return { kind, rowCount, bytes, validity };
      case 'values':
        this.#values.length = rowCount;
        return { kind, rowCount, values: this.#values, validity };
      case 'dictionary':
        return {
          kind,
          rowCount,
          codes: this.#codes.subarray(0, rowCount),
          dictionary: [...this.#dictionary.keys()],
          validity,
        };
      case 'utf8': {
        const all = this.#codes.subarray(0, rowCount);
        const codes = !this.#coded
          ? null
          : this.#textCount <= SMALL_CODES
            ? Uint16Array.from(all)
            : Uint32Array.from(all);
        const offsets = this.#offsets.subarray(0, this.#textCount + 1);
        return { kind, rowCount, bytes, ends: offsets.subarray(1), offsets, codes, validity };
      }
    }
  }

  #append(bytes: Uint8Array): void {
    const used = this.#usedBytes;
    this.#bytes = grown(this.#bytes, used + bytes.length, this.#itemBytes * this.#roomFor);
    this.#bytes.set(bytes, used);
    this.#usedBytes = used + bytes.length;
  }

  /** Every chunk has numbered its texts from 0. */
  #addCodes({ codes, dictionary }: DictionaryChunk, start: number, end: number): void {
    const known = this.#dictionary;
    // Behind -1, for null.
    const numbers = new Int32Array(dictionary.length + 1);
    numbers[0] = -1;
    for (const [code, text] of dictionary.entries()) {
      const number = known.get(text) ?? known.size;
      known.set(text, number);
      numbers[code + 1] = number;
    }
    const out = this.#codesFor(end - start);
    for (let row = start, at = this.#rowCount; row < end; row += 1, at += 1)
      out[at] = numbers[(codes[row] as number) + 1] ?? -1;
  }

  #addTexts({ bytes, ends, codes }: Utf8Chunk, start: number, end: number): void {
    const first = this.#textCount;
    // Of texts that rows share, all.
    const [from, to] = codes === null ? [start, end] : [0, ends.length];
    this.#copyTexts(bytes, ends, from, to);
    if (codes === null && !this.#coded) return;
    const out = this.#codesFor(end - start);
    if (!this.#coded) for (let row = 0; row < this.#rowCount; row += 1) out[row] = row;
    this.#coded = true;
    for (let row = start, at = this.#rowCount; row < end; row += 1, at += 1)
      out[at] = first + (codes === null ? row - start : (codes[row] as number));
  }

  #copyTexts(bytes: Uint8Array, ends: Uint32Array, from: number, to: number): void {
    const start = from === 0 ? 0 : (ends[from - 1] as number);
    const end = to === 0 ? 0 : (ends[to - 1] as number);
    const shift = this.#usedBytes - start;
    if (end + shift > MOST_TEXT_BYTES)
      throw new ArgumentError('ERR_VALUE', 'values', 'less than 4 GiB of strings at once', 'more');
    this.#append(bytes.subarray(start, end));
    const out = (this.#offsets = grown(this.#offsets, this.#textCount + to - from + 1, 0));
    for (let text = from, at = this.#textCount + 1; text < to; text += 1, at += 1)
      out[at] = (ends[text] as number) + shift;
    this.#textCount += to - from;
  }

  #codesFor(added: number): Int32Array {
    return (this.#codes = grown(this.#codes, this.#rowCount + added, this.#roomFor));
  }
}

/** All of them, of which there are `rowCount` rows; of one chunk a copy. The parameters are those of ChunkJoiner. */
export function joinedChunk(itemBytes: number, chunks: readonly Chunk[], rowCount: number, memory?: Uint8Array): Chunk {
  const joiner = new ChunkJoiner(itemBytes, rowCount, memory);
  joiner.reserve(chunks);
  for (const chunk of chunks) joiner.add(chunk);
  return joiner.take();
}

/** Rows [start, end), with memory of their own. */
export function sliceChunk(chunk: Chunk, itemBytes: number, start: number, end: number): Chunk {
  const joiner = new ChunkJoiner(itemBytes, end - start);
  joiner.add(chunk, start, end);
  return joiner.take();
}

type Growing = Uint8Array | Int32Array | Uint32Array;

/** The same with room for `count`: exactly as long as was reckoned, or at least twice as long as before. */
function grown<T extends Growing>(array: T, count: number, reckoned: number): T {
  if (count <= array.length) return array;
  const Kind = array.constructor as new (length: number) => T;
  const more = new Kind(count <= reckoned ? reckoned : Math.max(count, 2 * array.length));
  more.set(array);
  return more;
}
