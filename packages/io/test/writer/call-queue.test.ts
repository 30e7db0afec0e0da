// Calls of one writer: in order, one at a time, also after one that failed.
import { expect, test } from 'vitest';
import { CallQueue } from '../../src/writer/call-queue.ts';

test('calls run one after another, in the order in which they were made', async () => {
  const queue = new CallQueue();
  const seen: string[] = [];
  const call = (name: string) => async (): Promise<void> => {
    seen.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${name} ends`);
  };
  const both = [queue.run(call('a')), queue.run(call('b'))];
  expect(seen).toEqual(['a begins']);
  await Promise.all(both);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('a call that fails tells its own caller, and the next one runs', async () => {
  const queue = new CallQueue();
  let ran = false;
  const failed = queue.run(() => Promise.reject(new Error('mine'))).catch((error: unknown) => error);
  const next = queue.run(() => {
    ran = true;
    return Promise.resolve();
  });
  await queue.settled();
  expect([await failed, ran]).toEqual([new Error('mine'), true]);
  await next;
});

test('a Sync twin is refused while a call is under way', async () => {
  const queue = new CallQueue();
  const call = queue.run(() => new Promise((resolve) => setImmediate(resolve)));
  expect(() => {
    queue.requireIdle('closeSync');
  }).toThrow(
    expect.objectContaining({
      name: 'ArgumentError',
      code: 'ERR_ARGUMENT',
      message: expect.stringContaining('closeSync') as unknown,
    }),
  );
  await call;
  queue.requireIdle('closeSync');
});
