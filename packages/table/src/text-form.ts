// What is asked of a source for texts.

/** How texts of variable width come back. Whoever does not have them as UTF-8 gives values where that is wanted. */
export type TextForm = 'values' | 'dictionary' | 'utf8';
