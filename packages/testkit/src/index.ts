export { byteFlips, outcomeOf, truncations } from './corrupt.ts';
export type { Damage, Outcome } from './corrupt.ts';
export { bytesOfHex, loadGoldenTables } from './golden.ts';
export type { GoldenColumn, GoldenTable } from './golden.ts';
