// What the threads of the pool's tests run. It starts with `fails`: the preparation does.
import { threadId } from 'node:worker_threads';
import { ArgumentError } from '../../src/index.ts';
import { answerTasks } from '../../src/threads/index.ts';

const given: Uint8Array[] = [];

answerTasks<string | undefined, unknown>({
  async prepare(start) {
    if (start === 'fails') throw new RangeError('nothing can be prepared');
    return async (task) => {
      if (task === 'exit') process.exit(3);
      if (task === 'never') return new Promise(() => undefined);
      if (task === 'throw') throw new ArgumentError('ERR_VALUE', 'task', 'a number', 'a text');
      if (task === 'wait') await new Promise((resolve) => setTimeout(resolve, 50));
      if (task === 'give') {
        const bytes = new Uint8Array(8).fill(7);
        given.push(bytes);
        return { value: bytes, transfer: [bytes.buffer] };
      }
      if (task === 'given') return { value: given.map(({ byteLength }) => byteLength) };
      return { value: task instanceof Uint8Array ? task.byteLength : threadId };
    };
  },
});
