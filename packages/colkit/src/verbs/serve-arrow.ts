// serve-arrow: what other programs read tables through, Python's colkit for one: requests on standard input, Arrow on
// standard output (docs/formats/serve-arrow.md).
import { serveProcess } from '../serve/process.ts';
import type { Verb } from '../terminal/verb.ts';

export const serveArrowVerb: Verb = {
  name: 'serve-arrow',
  summary: 'answers requests of other programs on standard input with Arrow on standard output, until it ends',
  arguments: [],
  options: [],
  examples: ['colkit serve-arrow'],
  run: () => serveProcess(),
};
