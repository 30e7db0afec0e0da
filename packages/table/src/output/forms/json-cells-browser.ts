// The same names as json-cells.ts, loaded when they are first asked for.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { jsonCells as made } from './json.ts';

const part = new LazyPart(() => import('./json.ts'));

export function jsonCells(...given: Parameters<typeof made>): ReturnType<typeof made> {
  return part.loaded.jsonCells(...given);
}

export function* loadJson(): Work<void> {
  yield* part.use();
}
