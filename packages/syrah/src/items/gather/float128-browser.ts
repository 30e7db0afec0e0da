// The same name as float128.ts: few files have such arrays, and the first one that is read loads it.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type * as reading from './float128.ts';

export const part = new LazyPart<typeof reading>(() => import('./float128.ts'));

export function* readFloat128(...given: Parameters<typeof reading.readFloat128>): Work<Float64Array> {
  return yield* (yield* part.use()).readFloat128(...given);
}
