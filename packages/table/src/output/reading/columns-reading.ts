// What makes arrays of whole columns: where that is. Apart from reading.ts, which knows views and all that is asked of
// them: who only reads columns does not ship it. In builds for browsers it is loaded when a file is opened.
import type { Operation } from '@colkit/io/effects';

export { columnsOfSource } from './read-source.ts';

/** What there is to load before `columnsOfSource`. */
export const COLUMN_READING: readonly Operation<unknown>[] = [];
