// The same name as reading.ts, loaded with the first file that needs it.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Metadata } from '../fields.ts';
import type { MetadataBytes } from '../metadata-bytes.ts';
import type * as reading from './read-item-by-item.ts';

export const part = new LazyPart<typeof reading>(() => import('./read-item-by-item.ts'));

export function* readItemByItem(metadata: MetadataBytes): Work<Metadata> {
  return yield* (yield* part.use()).readItemByItem(metadata);
}
