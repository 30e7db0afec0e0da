// The other end of `WorkerLanes`: what a worker thread does with its questions. Nothing of an answer is given away,
// large parts are small enough to be copied or in shared memory: a thread that gives away an array once runs slower
// from then on, because its loops must ask each array whether it is still there.
import { parentPort } from 'node:worker_threads';
import { packError } from './encode-wire.ts';
import type { WorkerAnswer, WorkerQuestion } from './worker-lanes.ts';

export function answerQuestions(answer: (question: unknown) => unknown): void {
  parentPort?.on('message', ({ number, question }: WorkerQuestion<unknown>) => {
    let reply: WorkerAnswer<unknown>;
    try {
      reply = { number, result: answer(question) };
    } catch (error) {
      reply = { number, error: packError(error) };
    }
    parentPort?.postMessage(reply);
  });
}
