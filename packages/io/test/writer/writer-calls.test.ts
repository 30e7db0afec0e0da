// The calls of one writer from the first to the last: their order in both forms, what breaks the writer and what does
// not, what is given up and when.
import { expect, test } from 'vitest';
import { perform } from '../../src/effects/effect.ts';
import type { Work } from '../../src/effects/effect.ts';
import { Broken, WriterCalls, breaking } from '../../src/writer/writer-calls.ts';

interface Watched {
  readonly calls: WriterCalls;
  /** What was done, in order. */
  readonly seen: string[];
}

const LEAK = { message: 'x is not whole', type: 'TestLeak', detail: 'close it' };

function watched(): Watched {
  const seen: string[] = [];
  const giveUp = function* (): Work<void> {
    yield* step(seen, 'given up');
  };
  return { seen, calls: new WriterCalls({}, { path: 'x', leak: LEAK, giveUp }) };
}

/** Takes a turn of the event loop in the awaiting form. */
function* step(seen: string[], name: string): Work<void> {
  const runSync = (): void => void seen.push(name);
  yield* perform({ run: () => new Promise<void>((resolve) => setImmediate(resolve)).then(runSync), runSync });
}

function* failing(seen: string[], reason: unknown): Work<void> {
  yield* step(seen, 'fails');
  throw reason;
}

test('calls take effect in the order in which they were made; the last one closes', async () => {
  const { calls, seen } = watched();
  const all = [
    calls.run(() => step(seen, 'a')),
    calls.run(() => step(seen, 'b')),
    calls.close(() => step(seen, 'end')),
  ];
  expect([calls.closed, calls.idle]).toEqual([true, false]);
  await Promise.all(all);
  expect(seen).toEqual(['a', 'b', 'end']);
  // A second one does nothing, in either form.
  await calls.close(() => step(seen, 'again'));
  calls.closeSync('closeSync', () => step(seen, 'again'));
  await calls.abort(() => step(seen, 'again'));
  calls.abortSync('abortSync', () => step(seen, 'again'));
  expect(seen).toEqual(['a', 'b', 'end']);
  expect(() => calls.requireOpen('write')).toThrow(expect.objectContaining({ code: 'ERR_CLOSED' }));
});

test('the Sync form is refused while a call is under way, and changes nothing', async () => {
  const { calls, seen } = watched();
  const call = calls.run(() => step(seen, 'a'));
  const busy = expect.objectContaining({ code: 'ERR_ARGUMENT' }) as unknown;
  expect(() => calls.runSync('writeSync', () => step(seen, 'no'))).toThrow(busy);
  expect(() => calls.closeSync('closeSync', () => step(seen, 'no'))).toThrow(busy);
  expect(() => calls.abortSync('abortSync', () => step(seen, 'no'))).toThrow(busy);
  expect([calls.closed, calls.failure]).toEqual([false, null]);
  await call;
  calls.runSync('writeSync', () => step(seen, 'b'));
  calls.closeSync('closeSync', () => step(seen, 'end'));
  expect(seen).toEqual(['a', 'b', 'end']);
});

test('a call that fails before it changed anything is its own affair', async () => {
  const { calls, seen } = watched();
  const mine = new Error('mine');
  await expect(calls.run(() => failing(seen, mine))).rejects.toBe(mine);
  expect(() => calls.runSync('writeSync', () => failing(seen, mine))).toThrow(mine);
  expect([calls.failure, calls.closed]).toEqual([null, false]);
  calls.requireOpen('write');
  await calls.close(() => step(seen, 'end'));
  expect(seen).toEqual(['fails', 'fails', 'end']);
});

for (const form of ['awaited', 'Sync'] as const) {
  test(`what breaks the file is the failure of the writer from then on, and is given up once (${form})`, async () => {
    const { calls, seen } = watched();
    const reason = new Error('the disk is full');
    const broken = (): Work<void> => breaking(failing(seen, reason));
    if (form === 'awaited') await expect(calls.run(broken)).rejects.toBe(reason);
    else expect(() => calls.runSync('writeSync', broken)).toThrow(reason);
    expect(seen).toEqual(['fails', 'given up']);
    expect(calls.failure).toBe(reason);
    // Every later call fails with it, and does nothing.
    await expect(calls.run(() => step(seen, 'no'))).rejects.toBe(reason);
    expect(() => calls.runSync('writeSync', () => step(seen, 'no'))).toThrow(reason);
    expect(() => calls.requireOpen('write')).toThrow(reason);
    await calls.abort(() => step(seen, 'no'));
    expect(seen).toEqual(['fails', 'given up']);
  });
}

test('calls that wait behind one that breaks the writer are not performed', async () => {
  const { calls, seen } = watched();
  const reason = new Error('the disk is full');
  const [first, second, last] = await Promise.allSettled([
    calls.run(() => breaking(failing(seen, reason))),
    calls.run(() => step(seen, 'no')),
    calls.close(() => step(seen, 'no')),
  ]);
  for (const result of [first, second, last]) expect(result).toEqual({ status: 'rejected', reason });
  expect(seen).toEqual(['fails', 'given up']);
});

test('abort waits for what is under way, then undoes it in place of the end', async () => {
  const { calls, seen } = watched();
  const call = calls.run(() => step(seen, 'a'));
  await calls.abort(() => step(seen, 'undone'));
  await call;
  expect([seen, calls.closed]).toEqual([['a', 'undone'], true]);
  await calls.close(() => step(seen, 'no'));
  expect(seen).toEqual(['a', 'undone']);
});

test('what breaks inside what breaks is told once, and a reason that is no error becomes one', async () => {
  const { calls, seen } = watched();
  const reason = new Error('inner');
  const nested = (): Work<void> => breaking(breaking(failing(seen, reason)));
  await expect(calls.run(nested)).rejects.toBe(reason);
  const other = watched();
  await expect(other.calls.run(() => breaking(failing(seen, 'a word')))).rejects.toThrow('a word');
  expect(other.calls.failure).toBeInstanceOf(Error);
  expect(new Broken(reason).cause).toBe(reason);
});

for (const form of ['awaited', 'Sync'] as const) {
  test(`what broke the file is told, where it cannot be given up either (${form})`, async () => {
    const giveUp = function* (): Work<void> {
      yield* step([], 'given up');
      throw new Error('no such upload');
    };
    const calls = new WriterCalls({}, { path: 'x', leak: LEAK, giveUp });
    const first = new Error('access denied');
    const call = (): Work<void> => breaking(failing([], first));
    if (form === 'awaited') await expect(calls.run(call)).rejects.toBe(first);
    else expect(() => calls.runSync('write', call)).toThrow(first);
    expect(calls.failure).toBe(first);
  });
}
