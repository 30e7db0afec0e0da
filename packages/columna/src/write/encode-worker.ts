// What a worker thread runs: one row group for every message. Its own entry of the build.
import { parentPort } from 'node:worker_threads';
import { encodeRowGroup } from './encode-row-group.ts';
import { buffersOfChunks, packError } from './encode-wire.ts';
import type { EncodeAnswer, EncodeTask } from './encode-wire.ts';

parentPort?.on('message', ({ number, columns, options }: EncodeTask) => {
  let answer: EncodeAnswer;
  let buffers: ArrayBuffer[] = [];
  try {
    const chunks = encodeRowGroup(columns, options);
    answer = { number, chunks };
    buffers = buffersOfChunks(chunks);
  } catch (error) {
    answer = { number, error: packError(error) };
  }
  parentPort?.postMessage(answer, buffers);
});
