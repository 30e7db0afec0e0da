/** Rows that a long conversion works on between two turns: a millisecond or so. */
export const PIECE_ROWS = 16_384;
