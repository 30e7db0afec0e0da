// What every test suite may use; what needs Node alone, or a process of its own, has entry points of its own (see
// package.json).
export { codeAndText, codeOf } from './code-of.ts';
export { byteFlips, outcomeOf, truncations } from './corrupt.ts';
export type { Damage, Outcome } from './corrupt.ts';
export { bytesOfHex, loadGoldenTables } from './golden.ts';
export type { GoldenTable } from './golden.ts';
export {
  ALL_DTYPES,
  FIXED_DTYPES,
  chainArbitrary,
  clusterArbitrary,
  float32Arbitrary,
  float64Arbitrary,
  integerArbitrary,
  tableArbitrary,
} from './arbitraries.ts';
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
} from './edges.ts';
export { CountingSource } from './counting-source.ts';
export { applyAction, columnOf, pythonSlice } from './oracle.ts';
export type { Action, OracleColumn, OracleTable } from './oracle.ts';
export { createRandom, shuffled } from './prng.ts';
export type { Random } from './prng.ts';
