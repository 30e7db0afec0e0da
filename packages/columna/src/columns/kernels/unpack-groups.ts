// Whole groups of 32 values of a bit stream, by unrolled kernels: one for each width.
import { UNPACK_1_TO_8 } from './unpack-1-8.ts';
import { UNPACK_9_TO_16 } from './unpack-9-16.ts';
import { UNPACK_17_TO_24 } from './unpack-17-24.ts';
import { UNPACK_25_TO_32 } from './unpack-25-32.ts';

type Kernel = (words: Uint32Array, at: number, groups: number, out: Uint32Array, to: number, more: number) => void;

/** Index: bit width minus one. */
const KERNELS: readonly Kernel[] = [...UNPACK_1_TO_8, ...UNPACK_9_TO_16, ...UNPACK_17_TO_24, ...UNPACK_25_TO_32];

/** 32 * `groups` values of `width` (1 to 32) bits from word `at` on, to out[to …], each plus `more` modulo 2^32. */
export function unpackGroups(
  words: Uint32Array,
  at: number,
  width: number,
  groups: number,
  out: Uint32Array,
  to: number,
  more: number,
): void {
  (KERNELS[width - 1] as Kernel)(words, at, groups, out, to, more);
}
