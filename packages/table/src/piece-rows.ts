/** Rows that a long conversion works on between two turns: a millisecond or so. */
export const PIECE_ROWS = 16_384;

/**
 * An array that is begun with more elements is a hash table in V8, five times as slow to fill; one that grows stays an
 * array.
 */
export const MOST_BEGUN = 2 ** 25;
