export { countOf, crash } from './crash.ts';
export type { Counts, CrashOptions, Death, Outcome } from './crash.ts';
export { killWholeFile } from './whole-file.ts';
export type { WholeFileOptions } from './whole-file.ts';
export { killWriter, runLimited, runWriter } from './writer-process.ts';
export type { Kill } from './writer-process.ts';
