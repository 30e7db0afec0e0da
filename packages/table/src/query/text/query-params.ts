// What goes into a text form beside the text.

/** Values of `@name` in a text: constants, and arrays, typed arrays or Sets for `in @name`. */
export type QueryParams = Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>;
