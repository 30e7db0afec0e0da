// What every test suite may use; what needs Node alone, or a process of its own, has entry points of its own (see
// package.json).
export { codeAndText, codeOf } from './code-of.ts';
export { byteFlips, damageStep, outcomeOf, truncations } from './data/corrupt.ts';
export type { Damage, Outcome } from './data/corrupt.ts';
export { bytesOfHex, loadGoldenTables } from './data/golden.ts';
export type { GoldenTable } from './data/golden.ts';
export {
  ALL_DTYPES,
  FIXED_DTYPES,
  chainArbitrary,
  clusterArbitrary,
  float32Arbitrary,
  float64Arbitrary,
  integerArbitrary,
  tableArbitrary,
} from './data/arbitraries.ts';
export { characterArbitrary } from './data/characters.ts';
export {
  CLUSTERS,
  FLOAT16_EDGES,
  FLOAT16_PATTERNS,
  FLOAT32_EDGES,
  FLOAT32_PATTERNS,
  FLOAT64_EDGES,
  FLOAT64_PATTERNS,
  INTEGER_EDGES,
  integerEdges,
} from './data/edges.ts';
export { CountingSource } from './counting-source.ts';
export { applyAction, columnOf, pythonSlice } from './data/oracle.ts';
export type { Action, OracleColumn, OracleTable } from './data/oracle.ts';
export { sumFault } from './data/exact-sums.ts';
export { createRandom, shuffled } from './data/prng.ts';
export type { Random } from './data/prng.ts';
