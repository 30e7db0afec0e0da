// What goes into a text form beside the text.

/**
 * Values of `@name` in a text: constants, and arrays, typed arrays or Sets for `in @name`; a Map, or an object of any
 * type (that of an interface has no index signature).
 */
export type QueryParams = object;
