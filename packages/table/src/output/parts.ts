// What a table does for those who ask for it: where that is. In builds for browsers it is loaded when it is asked for.
export { aggregatesOfView, columnAnswer, countView, groupsOfView } from './answers.ts';
export type { Groups } from './answers.ts';
export { toArrowTable } from './arrow/arrow.ts';
export { readRecords } from './records.ts';
export { explainView } from './text/explain.ts';
export { previewText } from './text/preview.ts';
