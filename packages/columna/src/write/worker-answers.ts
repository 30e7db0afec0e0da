// The other end of `WorkerLanes`: what a worker thread does with its questions.
import { parentPort } from 'node:worker_threads';
import { packError } from './encode-wire.ts';
import type { WorkerAnswer, WorkerQuestion } from './worker-lanes.ts';

/** A result, and the memory that goes with it. */
export interface Answered<A> {
  readonly result: A;
  readonly buffers: ArrayBuffer[];
}

export function answerQuestions<A>(answer: (question: unknown) => Answered<A>): void {
  parentPort?.on('message', ({ number, question }: WorkerQuestion<unknown>) => {
    let reply: WorkerAnswer<A>;
    let buffers: ArrayBuffer[] = [];
    try {
      const answered = answer(question);
      reply = { number, result: answered.result };
      buffers = answered.buffers;
    } catch (error) {
      reply = { number, error: packError(error) };
    }
    parentPort?.postMessage(reply, buffers);
  });
}
