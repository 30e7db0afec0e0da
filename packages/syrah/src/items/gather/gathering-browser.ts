// The same names as gathering.ts, loaded when a file is opened: while its source is.
import { LazyPart } from '@colkit/io/effects';
import type { Operation } from '@colkit/io/effects';
import type * as Items from './gather-items.ts';

export const part = new LazyPart(() => import('./gather-items.ts'));

export const GATHERING: readonly Operation<unknown>[] = [part.operation];

export function* gatherOne(...given: Parameters<typeof Items.gatherOne>): ReturnType<typeof Items.gatherOne> {
  return yield* (yield* part.use()).gatherOne(...given);
}

export function* gatherMany(...given: Parameters<typeof Items.gatherMany>): ReturnType<typeof Items.gatherMany> {
  return yield* (yield* part.use()).gatherMany(...given);
}

export function* fingerprint(...given: Parameters<typeof Items.fingerprint>): ReturnType<typeof Items.fingerprint> {
  return yield* (yield* part.use()).fingerprint(...given);
}

/** Files are made once it is loaded. */
export function itemCopier(...given: Parameters<typeof Items.itemCopier>): ReturnType<typeof Items.itemCopier> {
  return part.loaded.itemCopier(...given);
}
