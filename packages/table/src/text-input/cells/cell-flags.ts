// How a cell of text was written.
export const PLAIN = 0;
export const QUOTED = 1;
/** Quoted, with doubled quotes in it. */
export const ESCAPED = 2;
/** Something follows the closing quote, or there is none. */
export const MALFORMED = 3;
