// The same name as producing.ts, loaded with the first iteration of a loader.
import { LazyPart } from '@colkit/io/effects';
import type * as producing from './producers.ts';

const part = new LazyPart<typeof producing>(() => import('./producers.ts'));

export function producers(): Promise<typeof producing> {
  return part.load();
}
