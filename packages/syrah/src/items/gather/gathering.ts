// What stacks arrays of many items, and tells files apart: where that is. In builds for browsers it is loaded while a
// file is opened.
import type { Operation } from '@colkit/io/effects';

export { fingerprint, gatherMany, gatherOne, itemCopier } from './gather-items.ts';

/** What there is to load before items are gathered. */
export const GATHERING: readonly Operation<unknown>[] = [];
