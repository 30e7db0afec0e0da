// The text of a predicate -> its tree, as a work: what parses may have to be loaded.
import type { Work } from '@colkit/io/effects';
import { parsePredicate } from './parse.ts';
import type { Syntax } from './syntax.ts';

/** @throws QueryError ERR_QUERY_SYNTAX. */
// eslint-disable-next-line require-yield -- here it waits for nothing; in browsers it does
export function* parsedPredicate(text: string): Work<Syntax> {
  return parsePredicate(text);
}
