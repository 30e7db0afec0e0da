// What writing a .cstore file takes, in a module of its own, which is loaded when one is written.
export { editTable } from '@colkit/table';
export { write as writeColstore } from 'colstore';
export { fixedTextTypes } from '../tables/fixed-text.ts';
export { missingTimes } from '../tables/columns/missing-times.ts';
export { READ_ONLY } from '../tables/columns/read-only.ts';
