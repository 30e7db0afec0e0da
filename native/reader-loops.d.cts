// What readers ask of the addon: loops over numbers, texts and groups that run on the calling thread. Part of
// `NativeBinding` in index.d.ts.

export interface ReaderLoops {
  /**
   * Indices of the numbers with first <= number <= first + above (modulo 2^32), ascending, to `indices`, which has room
   * for as many as there are numbers. Returns how many there are.
   */
  selectWithin(numbers: Uint32Array, first: number, above: number, indices: Uint32Array): number;
  /**
   * Adds the numbers of each code to sums[code] and how many they are to counts[code]: exact. At most 65,536 numbers,
   * and `PageLimits.sumCodes` sums; every code is below the number of sums.
   */
  sumByCode(numbers: Uint32Array, codes: Uint32Array, sums: Float64Array, counts: Float64Array): void;

  /**
   * Texts by code to rows: text i is bytes[ends[i - 1] …, ends[i]), the first one from `start` on. Writes where each
   * row ends in `out` to `outEnds`, the first one beginning at `at`, and the bytes. Where the end that is returned is
   * beyond `out`, these had no room, and only ends are right; where it is beyond 32 bits, not even those. A code of
   * 4,294,967,295 stands for a row without bytes. Bytes of `out` behind the last row may be written over.
   */
  spreadTexts(
    bytes: Uint8Array,
    start: number,
    ends: Uint32Array,
    codes: Uint32Array,
    out: Uint8Array,
    at: number,
    outEnds: Uint32Array,
  ): number;

  /**
   * Texts as of spreadTexts, by code -> the code of the least text of each group (`most` 0) or of the largest one (1),
   * by their bytes, to `best`: 4,294,967,295 where there is none, which is also the code of a row without a text.
   * Without codes the texts are the rows; without groups all rows are of group 0. Of equal texts any may be told.
   */
  bestTexts(
    bytes: Uint8Array,
    start: number,
    ends: Uint32Array,
    codes: Uint32Array | null,
    groups: Uint32Array | null,
    most: number,
    best: Uint32Array,
  ): void;
  /**
   * Texts back to back -> the numbers of distinct ones, in the order in which they were met, in this call and in those
   * before: from text `first` on, until a new one has no room. Returns how many texts are done. New texts go to `known`
   * and `knownEnds`. `facts`: how many are known, and 64 bits that the hash begins with. `slots`: all zeros at first,
   * two words for each slot, a power of two; half of them at most are taken.
   */
  numberTexts(
    bytes: Uint8Array,
    start: number,
    ends: Uint32Array,
    first: number,
    numbers: Uint32Array,
    slots: Uint32Array,
    known: Uint8Array,
    knownEnds: Uint32Array,
    facts: Uint32Array,
  ): number;
  /**
   * Pairs of words -> the numbers of distinct ones, in the order in which they were met, in this call and in those
   * before: from pair `first` on, until a new one has no room. Without `right` pairs lie one behind the other in
   * `left`. Those whose bit in `validity` is 0 get 4,294,967,295. Returns how many are done. `facts`: how many are
   * known. `slots`: all zeros at first, a power of two, at most half taken: one more than the number of the pair whose
   * hash (packages/table/src/aggregate/codes/pair-codes.ts) leads there.
   */
  numberPairs(
    left: Uint32Array,
    right: Uint32Array | null,
    validity: Uint8Array | null,
    first: number,
    numbers: Uint32Array,
    slots: Uint32Array,
    knownLeft: Uint32Array,
    knownRight: Uint32Array,
    facts: Uint32Array,
  ): number;
  /**
   * Rows by group -> up to three doubles that are kept for each, in arrays of their own: from row `first` on, but for
   * those whose bit in `validity` is 0. Returns how many are done: all, or those before one that it cannot take.
   *
   * | fold | values: one a row       | states                                                              |
   * |-----:|-------------------------|---------------------------------------------------------------------|
   * |    0 | null                    | how many                                                            |
   * |    1 | Float64Array            | how many, their sum                                                 |
   * |    2 | Float64Array            | how many, nearly their sum, what it misses (else it ends)           |
   * |    3 | Uint32Array, two words  | how many, sums of the lower and of the upper words                  |
   * |    4 | Float64Array            | the extreme, NaN at first; 1 where there was a row                  |
   * |    5 | Uint32Array, two words  | upper and lower word of the extreme; 0 no row, 1 only NaT, 2 a value |
   *
   * `flags`, added: 1 the largest is wanted, 2 words are unsigned, 4 the least of them is NaT. States that are not
   * named are arrays of the same length, and are not used.
   */
  foldByGroup(
    fold: number,
    flags: number,
    groups: Uint32Array,
    values: Float64Array | Uint32Array | null,
    validity: Uint8Array | null,
    first: number,
    states: Float64Array,
    second: Float64Array,
    third: Float64Array,
  ): number;
  /** Moves slots of numberTexts to more of them, whatever these hold. */
  moveSlots(slots: Uint32Array, larger: Uint32Array): void;
}
