// What of durable.ts browsers have: writing in one go.
export { openOutput, writeFile } from './writer/output.ts';
export type { Output, OutputSettings, WriteTarget } from './writer/sink-output.ts';
