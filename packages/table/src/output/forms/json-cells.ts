// JSON's values of columns: where they are made. In builds for browsers that is loaded when they are asked for.
import type { Work } from '@colkit/io/effects';

export { jsonCells } from './json.ts';

/** Before `jsonCells` is called. */
export function* loadJson(): Work<void> {
  // It is here.
}
