// A processing module: exports named after keys, run wherever items are read.
import { threadId } from 'node:worker_threads';

/** Doubles the values. */
export function x(value) {
  return value.map((element) => 2 * element);
}

/** The thread that it runs on, and a random number of the sample. */
export async function label(value, context) {
  await null;
  return Float64Array.of(value[0], threadId, context.random(), context.index, context.epoch);
}

const kept = new Float32Array(4).fill(1);
/** Memory that the module keeps and returns again and again. */
export function half() {
  return kept;
}

export const unrelated = 'not a function';
