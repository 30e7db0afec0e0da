// Values at which representations change: where doubles stop to tell integers apart, where a word or half of it is
// full, where floats turn subnormal, infinite or into another NaN. Every generator of tests draws from these beside
// what it draws at random: bounds of random numbers are met once in 2^32 draws, faults live there.

const P31 = 2n ** 31n;
const P32 = 2n ** 32n;
const P53 = 2n ** 53n;
const P63 = 2n ** 63n;
const P64 = 2n ** 64n;
const around = (value: bigint, reach: bigint): bigint[] =>
  Array.from({ length: Number(2n * reach + 1n) }, (_, index) => value - reach + BigInt(index));

/** Integers of which a few add up to beyond 2^53 or 2^63, or just not: three times the first is 2^53 + 1. */
const ADDENDS = [
  3_002_399_751_580_331n,
  P53 / 2n,
  P53 / 2n + 1n,
  P53 / 4n + 1n,
  P53 / 65_536n,
  P63 / 2n,
  P63 / 2n + 1n,
  P63 / 3n + 1n,
];

/** Of any size, both signs. */
export const INTEGER_EDGES: readonly bigint[] = [
  ...new Set(
    [
      0n,
      1n,
      2n,
      127n,
      128n,
      255n,
      256n,
      32_767n,
      32_768n,
      65_535n,
      65_536n,
      ...around(P31, 1n),
      ...around(P32, 1n),
      ...around(P53, 3n),
      ...around(P63, 2n),
      ...around(P64, 1n),
      ...ADDENDS,
    ].flatMap((value) => [value, -value]),
  ),
];

/** Those of [min, max], and the two. */
export function integerEdges(min: bigint, max: bigint): bigint[] {
  return [...new Set([min, min + 1n, ...INTEGER_EDGES.filter((value) => value >= min && value <= max), max - 1n, max])];
}

/** What constants and neighbours are drawn around: far enough from everything else that a mistake shows. */
export const CLUSTERS: readonly bigint[] = [
  P53,
  -P53,
  P31,
  -P31,
  P32,
  -P32,
  P63 - 40n,
  -P63 + 40n,
  P63 / 2n,
  3_002_399_751_580_331n,
];

/**
 * Bit patterns of float64: zeros, subnormals, the edges of finite and of whole numbers, and NaNs quiet and signalling,
 * of both signs, with and without a payload.
 */
export const FLOAT64_PATTERNS: readonly bigint[] = [
  0n,
  1n,
  2n,
  0x000f_ffff_ffff_ffffn,
  0x0010_0000_0000_0000n,
  0x3ff0_0000_0000_0000n,
  0x3ff0_0000_0000_0001n,
  0x41df_ffff_ffc0_0000n,
  0x41e0_0000_0000_0000n,
  0x41ef_ffff_ffe0_0000n,
  0x41f0_0000_0000_0000n,
  0x433f_ffff_ffff_ffffn,
  0x4340_0000_0000_0000n,
  0x4340_0000_0000_0001n,
  0x43e0_0000_0000_0000n,
  0x43f0_0000_0000_0000n,
  0x7fef_ffff_ffff_ffffn,
  0x7ff0_0000_0000_0000n,
  0x7ff0_0000_0000_0001n,
  0x7ff7_ffff_ffff_ffffn,
  0x7ff8_0000_0000_0000n,
  0x7ff8_0000_0000_0001n,
  0x7ff8_dead_beef_0001n,
  0x7fff_ffff_ffff_ffffn,
].flatMap((bits) => [bits, bits | P63]);

export const FLOAT32_PATTERNS: readonly number[] = [
  0, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x3f80_0001, 0x4b7f_ffff, 0x4b80_0000, 0x4b80_0001, 0x4eff_ffff,
  0x4f00_0000, 0x4f80_0000, 0x5a00_0000, 0x5f00_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001, 0x7fbf_ffff, 0x7fc0_0000,
  0x7fc0_0001, 0x7fff_ffff,
].flatMap((bits) => [bits, (bits | 0x8000_0000) >>> 0]);

export const FLOAT16_PATTERNS: readonly number[] = [
  0, 1, 0x03ff, 0x0400, 0x3c00, 0x3c01, 0x67ff, 0x6800, 0x7bff, 0x7c00, 0x7c01, 0x7dff, 0x7e00, 0x7e01, 0x7fff,
].flatMap((bits) => [bits, bits | 0x8000]);

/** The values of the patterns; the NaNs are one here, since JavaScript may lose what they carry. */
export const FLOAT64_EDGES: readonly number[] = unique(
  Float64Array.from(new Float64Array(BigUint64Array.from(FLOAT64_PATTERNS).buffer)),
  [0.1, 0.5, -0.5, 1e300, 2 ** 53 + 2, 1e22, 1e23],
);
export const FLOAT32_EDGES: readonly number[] = unique(
  Float32Array.from(new Float32Array(Uint32Array.from(FLOAT32_PATTERNS).buffer)),
  [0.5, -0.5, Math.fround(0.1)],
);
/** Halves that a Float64Array and a Float16Array agree on. */
export const FLOAT16_EDGES: readonly number[] = [
  0,
  1,
  0.5,
  65_504,
  65_472,
  2048,
  2 ** -14,
  2 ** -24,
  3 * 2 ** -24,
  1 / 1024,
  Infinity,
]
  .flatMap((value) => [value, -value])
  .concat(NaN);

function unique(values: ArrayLike<number>, more: readonly number[]): number[] {
  const kept: number[] = [];
  for (const value of [...Array.from(values), ...more])
    if (!kept.some((own) => Object.is(own, value))) kept.push(value);
  return kept;
}
