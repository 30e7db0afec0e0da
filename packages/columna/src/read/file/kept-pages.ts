// Pages that a filter read and that have matches: what is materialised next needs them again where a column is both
// asked about and asked for. Kept as they are in the file, so that they take little; a bound on their bytes, beyond
// which pages are read a second time.

/** Of one file, at most. */
const MOST_BYTES = 1 << 24;

export class KeptPages {
  /** Pages by where they start in the file. */
  readonly #pages = new Map<number, Uint8Array>();
  #byteLength = 0;
  /** Dictionaries that fetches read, of pages that may turn out to have matches in a later fetch. */
  readonly #dictionaries = new Map<number, Uint8Array>();
  #dictionaryBytes = 0;

  /** A dictionary page: a row group reads it once, for all of its fetches. */
  hold(byteOffset: number, bytes: Uint8Array): void {
    if (bytes.length > MOST_BYTES) return;
    if (this.#dictionaryBytes + bytes.length > MOST_BYTES) this.dropHeld();
    this.#dictionaries.set(byteOffset, aligned(byteOffset, bytes));
    this.#dictionaryBytes += bytes.length;
  }

  /** Keeps a page, or the dictionary page that was held, if there is room. */
  add(byteOffset: number, bytes: Uint8Array | undefined): void {
    const page = bytes ?? this.#dictionaries.get(byteOffset);
    if (page === undefined || this.#byteLength + page.length > MOST_BYTES || this.#pages.has(byteOffset)) return;
    this.#pages.set(byteOffset, bytes === undefined ? page : aligned(byteOffset, bytes));
    this.#byteLength += page.length;
  }

  /** No more pages will be added. */
  dropHeld(): void {
    this.#dictionaries.clear();
    this.#dictionaryBytes = 0;
  }

  get(byteOffset: number): Uint8Array | undefined {
    return this.#pages.get(byteOffset);
  }
}

/** A copy that lies in memory as the page lies in the file, modulo 8: bodies are aligned. */
function aligned(byteOffset: number, bytes: Uint8Array): Uint8Array {
  const shift = byteOffset & 7;
  const copy = new Uint8Array(new ArrayBuffer(shift + bytes.length), shift);
  copy.set(bytes);
  return copy;
}
