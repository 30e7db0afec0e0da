// What writers ask of the addon: loops over numbers, texts and CSV that run on the calling thread. Part of
// `NativeBinding` in index.d.ts.

export interface WriterLoops {
  // Numbers and texts that are to be written
  // -----------------------------------------------------------------------------------------------
  /**
   * Numbers as facts[0] + facts[2] * normal[i], with 0 the least of `normal` and no common divisor; facts[1] is the
   * largest. False, and nothing of use in `normal`, where they are not all whole numbers within ±2^53 (64-bit
   * integers: below 2^53), or (facts[1] - facts[0]) / facts[2] needs more than 32 bits. Not of float16 and float32.
   * Without `normal` only the facts are told.
   */
  normalizeItems(items: ArrayBufferView, normal: Uint32Array | null, facts: Float64Array): boolean;
  /** The same of values[i] - values[i - 1], where the first repeats the second. */
  normalizeGaps(values: Uint32Array, normal: Uint32Array, facts: Float64Array): boolean;
  /** Least and largest of each 2^log2 numbers. */
  blockRanges(values: Uint32Array, log2: number, least: Uint32Array, most: Uint32Array): void;
  /** Adds 1 to counts[value >>> shift] for each value. */
  countBuckets(values: Uint32Array, shift: number, counts: Uint32Array): void;
  /** Where each run of equal numbers starts. Returns how many there are; starts.length + 1 where there are more. */
  runStarts(values: Uint32Array, starts: Uint32Array): number;
  /**
   * Texts back to back, the first from `start` on -> for each its code, in the order in which distinct ones first
   * occur, and for each code the index of its first text. Texts whose bit in `validity` is 0 are passed over, with code
   * 0. Returns how many codes there are; firsts.length + 1 where there is no room for all.
   */
  codeTexts(
    bytes: Uint8Array,
    start: number,
    ends: Uint32Array,
    validity: Uint8Array | null,
    codes: Uint32Array,
    firsts: Uint32Array,
  ): number;
  /** Texts back to back -> the highest `bits` bits, 1 to 8, of the hash of each (FNV-1a of 32 bits). */
  printTexts(bytes: Uint8Array, start: number, ends: Uint32Array, bits: number, prints: Uint32Array): void;
  /**
   * Two columns of codes -> for each row the number of its pair, in the order in which pairs first occur; null: they
   * are counted only. Returns how many there are; `most` + 1 where there are more.
   */
  joinCodes(first: Uint32Array, second: Uint32Array, most: number, codes: Uint32Array | null): number;
  /** The lowest `width` bits, 1 to 32, of each number minus `less` (modulo 2^32), back to back, to `words`. */
  packBits(values: Uint32Array, width: number, less: number, words: Uint32Array): void;
  /**
   * Texts back to back -> up to 4,096 symbols of one to 32 bytes that spell them in few codes, the 256 single
   * bytes first: 32 bytes for each in `symbols`, and how many of these it has. Room for 4,096 is wanted. They are
   * looked for in `rounds`, up to 6. Returns how many there are.
   */
  trainSymbols(
    bytes: Uint8Array,
    start: number,
    ends: Uint32Array,
    rounds: number,
    symbols: Uint8Array,
    lengths: Uint8Array,
  ): number;
  /**
   * Texts back to back -> their codes, one for the longest symbol that fits each time: one for each byte is what there
   * is room for. `counts` gets how many each text has, `ranks` which of the symbols that are used each symbol is, in
   * their order, or 4,294,967,295: codes are these. Returns how many there are. By as many threads as `setMaxWorkers`
   * says, as is `deflateBlocks`.
   */
  spellTexts(
    bytes: Uint8Array,
    start: number,
    ends: Uint32Array,
    symbols: Uint8Array,
    lengths: Uint8Array,
    codes: Uint32Array,
    counts: Uint32Array,
    ranks: Uint32Array,
  ): number;
  /**
   * Blocks of 2^log2 bytes -> each deflated by itself behind `history`, with which it is at most 32 KiB, or as it is:
   * back to back in `out`, which has room for all bytes; `sizes` gets what each takes. Returns the bytes written.
   */
  deflateBlocks(
    bytes: Uint8Array,
    log2: number,
    history: Uint8Array | null,
    out: Uint8Array,
    sizes: Uint32Array,
  ): number;

  // What is asked while encodings are sized
  // -----------------------------------------------------------------------------------------------
  /**
   * integers[i] / power is values[i], bit for bit, but for those whose numbers `exceptions` gets: they have the integer
   * before them, 0 at first. Returns how many these are; exceptions.length + 1 where there is no room for all.
   */
  splitDecimals(
    values: Float32Array | Float64Array,
    power: number,
    integers: Float64Array,
    exceptions: Uint32Array,
  ): number;
  /** Least and largest of the values that are not NaN (Infinity and -Infinity where there are none); how many are. */
  floatRange(values: Float32Array | Float64Array, facts: Float64Array): void;
  /**
   * The distinct values, ascending, and for each value the index of its own. Returns how many there are; entries.length
   * + 1 where there is no room for all.
   */
  distinctNumbers(values: Uint32Array, entries: Uint32Array, codes: Uint32Array): number;
  /** The same of pairs of numbers, the low one first, in the order in which they first occur. */
  distinctWords(words: Uint32Array, entries: Uint32Array, codes: Uint32Array): number;
  /**
   * Buckets of 2^shift numbers, each with how often it is met -> the bits that no bins can do without: those of the
   * bucket that a number is in, and of where it is in it. `logs`: of 0, 1, 2, … to the base 2, up to the sum of all
   * counts.
   */
  entropyBits(counts: Uint32Array, shift: number, logs: Float64Array): number;
  /**
   * The same buckets -> the bins of the fewest bits among joins of about `most` quantiles, at most 4,096: the least
   * number, the bits of an offset and the weight of each, with room for 2 * most + 2. facts[0] gets the bits of
   * everything. Returns how many bins there are.
   */
  joinBuckets(
    counts: Uint32Array,
    shift: number,
    most: number,
    logs: Float64Array,
    lows: Uint32Array,
    widths: Uint32Array,
    weights: Uint32Array,
    facts: Float64Array,
  ): number;
  /**
   * The bin of each value, told by its bucket, as rANS of four lanes: words of 16 bits to `stream`, with room for as
   * many as there are values, and the states that reading begins with. Frequencies are at least 1, and 4,096 together.
   * Returns how many words there are.
   */
  codeBins(
    values: Uint32Array,
    shift: number,
    lows: Uint32Array,
    frequencies: Uint32Array,
    stream: Uint16Array,
    states: Uint32Array,
  ): number;
  /** How far each value is above the low of its bin, in the bits of the bin, back to back to zeroed words. */
  packBinOffsets(values: Uint32Array, shift: number, lows: Uint32Array, widths: Uint32Array, words: Uint32Array): void;
  /**
   * The range of values that is cheapest when those outside of it are patched, in buckets of 2^shift numbers, of which
   * there are 2^log2 and which hold all values. `fullBits`: what a value takes with the range of all of them; `logs`:
   * of 0, 1, 2, … to the base 2, up to the number of buckets. `range` gets the first bucket and the one behind the
   * last. False where no such range is cheaper than that of all values.
   */
  cheapestRange(
    values: Uint32Array,
    shift: number,
    log2: number,
    fullBits: number,
    logs: Float64Array,
    range: Uint32Array,
  ): boolean;
  /**
   * Least and largest of each 2^log2 numbers, as of `blockRanges`, and the layouts of the fewest bytes among blocks of
   * that length, four times that, … up to 2^mostLog2, behind so many bytes of a header. `plans` has four numbers for
   * each: below which it holds numbers (ascending, the last one 2^32), low bits, digits of base 3 and of base 5. The
   * facts are the bytes, the logarithm of a block's length, and 1 where all blocks have one plan: in whole bits, and
   * in any plans.
   */
  blockLayouts(
    values: Uint32Array,
    log2: number,
    mostLog2: number,
    header: number,
    plans: Float64Array,
    least: Uint32Array,
    most: Uint32Array,
    facts: Float64Array,
  ): void;
  /**
   * Blocks of 2^log2 numbers, each less its reference and by its plan (low bits, digits of base 3 << 8, digits of base
   * 5 << 12), one behind the other to zeroed words. Returns how many words that takes.
   */
  packBlocks(
    values: Uint32Array,
    log2: number,
    references: Uint32Array,
    plans: Uint32Array,
    words: Uint32Array,
  ): number;
  /**
   * The normal form, as of `normalizeItems`, of the values with `first` in place of those outside of [first, first +
   * above]; `normal` may be the values. Returns how many are outside; where none is, it is no normal form.
   */
  packInside(values: Uint32Array, first: number, above: number, normal: Uint32Array, facts: Float64Array): number;
  /** Positions of the values that are not first + factor * normal[i]; room for all. Returns how many they are. */
  findOthers(values: Uint32Array, normal: Uint32Array, first: number, factor: number, positions: Uint32Array): number;
  /** Codes of the rows that are not null -> a code for each row, `nullCode` for those whose bit is 0. */
  spreadCodes(codes: Uint32Array, validity: Uint8Array, nullCode: number, rows: Uint32Array): void;
  /**
   * Items of `width` bytes, 1, 2, 4 or 8, of the rows whose bit is 1, one after another. Returns how many they are;
   * more than there is room for where they do not fit.
   */
  packPresent(items: Uint8Array, width: number, validity: Uint8Array, to: Uint8Array): number;
  /**
   * ranks[codes[row]], or ranks[row] where there are no codes, of the rows whose bit is 1, or of all where there is no
   * validity, one after another. Returns how many they are; more than there is room for where they do not fit.
   */
  mapPresent(
    codes: Uint16Array | Uint32Array | null,
    rows: number,
    validity: Uint8Array | null,
    ranks: Uint32Array,
    to: Uint32Array,
  ): number;
  /** to[codes[i]] = values[i]. */
  scatterCodes(codes: Uint32Array, values: Uint32Array, to: Uint32Array): void;
  /** to[i] = ranks[codes[i]]. */
  mapCodes(codes: Uint32Array, ranks: Uint32Array, to: Uint32Array): void;

  // CSV that is read in
  // -----------------------------------------------------------------------------------------------
  /**
   * Finds the cells of whole rows, each of as many cells as `settings` says, quoted or not: cell i, without its quotes,
   * is bytes [starts[i], ends[i]), written as flags[i] says (0 plain, 1 quoted, 2 with doubled quotes in it), row k
   * begins on line rowLines[k].
   * @param settings the separator, the quote (-1: none), the columns, whether nothing follows the bytes, whether rows
   * of one empty cell are passed over.
   * @param facts gets the bytes of the whole rows, how many rows and line breaks they are, and 1 where all bytes are
   * ASCII.
   * @returns 0; 1 where there is too little room for cells or rows; 2 where a row is another one or its quotes are
   * broken: what was written then is of no use.
   */
  findCsvCells(
    bytes: Uint8Array,
    settings: Int32Array,
    starts: Int32Array,
    ends: Int32Array,
    flags: Uint8Array,
    rowLines: Int32Array,
    facts: Int32Array,
  ): number;
  /**
   * Parses the cells of rows, column by column, as the kinds that `plan` says: 1 text, 2 bool, 3 int64, 4 float64, 5
   * days, 6 microseconds; 0 leaves a column.
   * @param plan the rows, the columns, the quote, how many words stand for null; for each column its kind, and where in
   * `out`, which is zeroed, its values go (of texts a code of 16 bits a row) and its validity, a bit a row; then each
   * word: its length, and a number for each byte.
   * @param texts gets the texts of a column: the ends, 32 bits each, and then the bytes.
   * @param results gets seven numbers a column: 0 done, 1 left to the caller, as where a cell is of another kind; the
   * types that all cells could have (1 bool, 2 int64, 4 float64, 8 date, 16 datetime); nulls; texts, their bytes, 1
   * where rows have codes, else each row has a text, and where in `texts` they begin. Then the column and the row of
   * each cell that is left to the caller, as many as there is room for.
   * @returns how many cells are left.
   */
  parseCsvColumns(
    bytes: Uint8Array,
    starts: Int32Array,
    ends: Int32Array,
    flags: Uint8Array,
    plan: Uint32Array,
    out: Uint8Array,
    texts: Uint8Array,
    results: Uint32Array,
  ): number;
  /**
   * Scans records of JSON into rows of cells, up to one that is left: which holds anything but plain values (numbers,
   * texts, true, false, null; lists and objects as `settings` says) of names that are known, each once, or is no JSON.
   * A cell is bytes [starts[i], ends[i]), without its quotes, in which escapes are resolved; flags[i] is 1 where it had
   * quotes. One that is null is empty, and one that its record does not have is empty at 0.
   * @param bytes UTF-8. @param bounds for each record its first byte and the one behind its last.
   * @param settings the first record, the one behind the last, the row of the first, cells of a row, columns, whether
   * names that are not known are passed over, what lists and objects are (0 left, 1 text, 2 the one plain value of a
   * list), how many names there are, and slots.
   * @param names their bytes. @param numbers a power of two of slots, with the number of a name + 1 at its hash
   * (FNV-1a) or behind it, 0: free; and for each name its first byte, the one behind its last, and its column.
   * @param facts adds two numbers for each column: the cells that are not null, and the bits of their forms: 1 null, 2
   * bool, 4 an integer of at most 15 digits, 8 such a one below zero, 16 a number with digits behind its point, or -0,
   * 32 another number, 64 text that begins like a number, a moment or a word for a number, 128 other text.
   * @returns the record that is left, or the one behind the last.
   */
  findJsonMembers(
    bytes: Uint8Array,
    bounds: Int32Array,
    settings: Int32Array,
    names: Uint8Array,
    numbers: Int32Array,
    starts: Int32Array,
    ends: Int32Array,
    flags: Uint8Array,
    facts: Uint32Array,
  ): number;
}
