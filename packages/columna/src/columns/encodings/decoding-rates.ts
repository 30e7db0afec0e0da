// Written by `pnpm bench rates --clock cpu --save`: how long the addon takes to decode, on one core of
// one machine. What the writer chooses depends on it, so that a new table changes the bytes of files.

/** Nanoseconds. */
export const DECODING_RATES = {
  /** Of a value. */
  plain: 0.5,
  /** Of a value. */
  affine: 0.34,
  /** Of a value. */
  packed: 0.18,
  /** Of a value. */
  packedWide: 0.8,
  /** Of a value, for each digit beyond packed bits. */
  digits: 0.35,
  /** Of a value, beyond its run. */
  repeated: 0,
  /** Of a run, beyond its value and length. */
  run: 2.53,
  /** Of a value, beyond its gap. */
  summed: 0.45,
  /** Of a value, beyond its code. */
  lookedUp: 0.97,
  /** Of a value, beyond the one that may be replaced. */
  patched: 0.2,
  /** Of a value. */
  entropy: 2.4,
  /** Of a value, beyond its integer. */
  decimal: 0.26,
  /** Of a value, beyond its byte. */
  bits: 0.56,
  /** Of a string of symbols, beyond its codes. */
  spelledString: 4.2,
  /** Of a code of a symbol, beyond its number. */
  spelledCode: 1.4,
  /** Of a match, beyond its run, length and code. */
  match: 3.32,
  /** Of a byte of literals and matches. */
  matched: 0.09,
  /** Of a string that shares bytes with the one before, beyond the number of these and its own bytes. */
  joinedString: 1.3,
  /** Of a byte that DEFLATE gives. */
  inflated: 0.08,
  /** Of a byte that DEFLATE took it to. */
  deflated: 4.32,
} as const;
