// What of durable.ts browsers have: writing to sinks and handles of files.
export { openOutput, writeFile } from './writer/output.ts';
export type { Output, OutputSettings, WriteTarget } from './writer/sink-output.ts';
export { targetName } from './writer/sink-output.ts';
export { WriterCalls, breaking } from './writer/writer-calls.ts';
/** For the types of writers that work in Node only. */
export type { GrowingFile } from './durable/growing-file.ts';
export type { Reservation } from './durable/reservation.ts';
