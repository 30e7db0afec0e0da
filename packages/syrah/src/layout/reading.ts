// What reads headers and metadata: where that is. In builds for browsers it is loaded while the source is opened.
import type { Operation } from '@colkit/io/effects';

export { readLayout } from './read-layout.ts';

/** What there is to load before a layout is read. */
export const LAYOUT_READING: readonly Operation<unknown>[] = [];
