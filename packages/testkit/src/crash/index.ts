// The harness's side of a crash test: a writer is started, killed, and what it left is looked at.
export { countOf, crash } from './crash.ts';
export type { Death, Outcome } from './crash.ts';
export { killWholeFile } from './whole-file.ts';
export { killWriter, runLimited, runWriter } from './writer-process.ts';
export type { Kill } from './writer-process.ts';
