// What reads rows out of pages: where that is. In builds for browsers it is loaded while the footer is fetched.
import type { Operation } from '@colkit/io/effects';

export { readRows, viewPage } from './page-readers.ts';

/** What there is to load before pages are read. */
export const PAGE_READING: readonly Operation<unknown>[] = [];
