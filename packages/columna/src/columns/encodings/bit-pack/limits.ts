// What the header of a BITPACK node may say.
export const SMALLEST_BLOCK_LOG2 = 5;
export const LARGEST_BLOCK_LOG2 = 16;
/** The parameter where all blocks have one plan. */
export const ONE_PLAN = 1;
