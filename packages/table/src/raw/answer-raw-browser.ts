// The same name as in answer-raw.ts for browsers, which have no addon that looks at raw columns.

/** Never called: no source of a browser gives raw columns. */
export function answerRaw(): never {
  throw new TypeError('raw columns are looked at by the addon');
}
