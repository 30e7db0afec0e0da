// Answers of quick tasks go together, in order, and none of them waits for what is slow, cannot be sent or fails.
import { expect, it } from 'vitest';
import { answerOn } from '../../src/threads/task-answers.ts';
import type { Answer } from '../../src/threads/task-answers.ts';

type Message = readonly { readonly number: number; readonly value?: unknown; readonly error?: unknown }[];

interface Run {
  readonly sent: Message[];
  readonly transferred: number[];
  /** Runs the turns that were asked for, and those that they ask for. */
  turns(most?: number): Promise<void>;
  take(tasks: readonly unknown[]): void;
}

async function started(answer: (task: unknown) => Answer | Promise<Answer>): Promise<Run> {
  const [sent, transferred, turns]: [Message[], number[], (() => void)[]] = [[], [], []];
  const port = {
    postMessage(message: unknown, transfer: readonly ArrayBuffer[] = []): void {
      if (message === 'ready') return;
      sent.push(structuredClone(message, { transfer: [...transfer] }) as Message);
      transferred.push(transfer.length);
    },
  };
  const take = answerOn(port, undefined, { prepare: () => Promise.resolve(answer) }, (run) => void turns.push(run));
  await Promise.resolve();
  let number = 0;
  return {
    sent,
    transferred,
    take: (tasks) => take(tasks.map((task) => ({ number: number++, task }))),
    async turns(most = Infinity) {
      for (let count = 0; turns.length > 0 && count < most; count += 1) {
        turns.shift()?.();
        for (let k = 0; k < 10; k += 1) await Promise.resolve();
      }
    },
  };
}

const numbersOf = (sent: readonly Message[]): number[][] => sent.map((message) => message.map(({ number }) => number));
function slow(): void {
  const end = performance.now() + 2;
  while (performance.now() < end);
}

it('those that may wait go together with their memory, as long as a task is there; others at once', async () => {
  const run = await started((task) => {
    const bytes = new Uint8Array(4);
    return { value: bytes, transfer: [bytes.buffer], mayWait: task === 'quick' };
  });
  run.take(['quick', 'quick']);
  run.take(['quick']);
  await run.turns();
  expect(numbersOf(run.sent).flat()).toEqual([0, 1, 2]);
  run.take(['at once', 'at once']);
  await run.turns();
  expect(numbersOf(run.sent).slice(-2)).toEqual([[3], [4]]);
  expect(run.transferred.reduce((sum, count) => sum + count)).toBe(5);
});

it('wait no longer than a quarter of a millisecond for many, and not at all where a task is slow', async () => {
  const many = await started(() => ({ value: 0, mayWait: true }));
  many.take(Array.from({ length: 5000 }, () => null));
  await many.turns();
  expect(numbersOf(many.sent).flat()).toEqual(Array.from({ length: 5000 }, (_, k) => k));
  expect(many.sent.length).toBeGreaterThan(1);
  expect(many.sent.length).toBeLessThan(2500);
  const run = await started(() => {
    slow();
    return { value: 0, mayWait: true };
  });
  run.take([1, 2, 3]);
  await run.turns();
  expect(numbersOf(run.sent)).toEqual([[0], [1], [2]]);
});

it('do not wait for a task that waits itself', async () => {
  const run = await started((task) =>
    task === 'never' ? new Promise<Answer>(() => undefined) : { value: task, mayWait: true },
  );
  run.take(['quick', 'never', 'never']);
  await run.turns();
  expect(numbersOf(run.sent)).toEqual([[0]]);
});

it('an error goes at once, with those that waited; what cannot be sent is an error of its own', async () => {
  const run = await started((task) => {
    if (task === 'throw') throw new RangeError('no');
    return { value: task === 'function' ? slow : task, mayWait: true };
  });
  run.take(['a', 'throw', 'b']);
  await run.turns();
  expect(numbersOf(run.sent).flat()).toEqual([0, 1, 2]);
  expect(run.sent.flat()[1]?.error).toMatchObject({ name: 'RangeError', message: 'no' });
  run.take(['a', 'function', 'b']);
  await run.turns();
  expect(run.sent.flat().slice(3)).toEqual([
    { number: 3, value: 'a' },
    { number: 4, error: expect.objectContaining({ name: 'DataCloneError' }) as unknown },
    { number: 5, value: 'b' },
  ]);
});
