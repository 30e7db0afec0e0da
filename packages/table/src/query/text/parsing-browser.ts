// The same name as in parsing.ts; the parser is loaded with the first text.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Syntax } from './syntax.ts';

const part = new LazyPart(() => import('./parse.ts'));

/** @throws QueryError ERR_QUERY_SYNTAX. */
export function* parsedPredicate(text: string): Work<Syntax> {
  return (yield* part.use()).parsePredicate(text);
}
