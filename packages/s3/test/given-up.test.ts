// What is given up: nothing of it stays, in the bucket or at the signals.
import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { all, bytesOf, storeOf, strictServer } from './support.ts';

const PART = 5 << 20;

it('leaves no upload behind that was given up while the server began it', async () => {
  const server = await strictServer();
  let answer = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.misbehave = ({ query }) => (query.has('uploads') ? { kind: 'wait', until } : null);
  const store = storeOf(server, { partBytes: PART });
  const abort = new AbortController();
  const stopped = await store.create('stopped', { signal: abort.signal });
  await stopped.write(bytesOf(3 * PART));
  const finished = stopped.finish();
  abort.abort(new Error('enough'));
  // Whoever gives it up does not wait for the server.
  await expect(finished).rejects.toThrow('enough');
  const aborted = await store.create('aborted');
  await aborted.write(bytesOf(3 * PART));
  await aborted.abort();
  expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  answer();
  const removals = (): number => server.log.filter((line) => line.startsWith('DELETE')).length;
  await expect.poll(removals, { timeout: 20_000 }).toBe(2);
  expect(server.bucket.uploads.size).toBe(0);
});

it('leaves nothing at a signal that lives on', async () => {
  const store = storeOf(await strictServer(), { partBytes: PART });
  const { signal } = new AbortController();
  // What `AbortSignal.any` makes of a signal is kept there by Node.
  const kept = (): number => {
    const symbol = Object.getOwnPropertySymbols(signal).find(({ description }) => description === 'kDependantSignals');
    return symbol === undefined ? 0 : ((Reflect.get(signal, symbol) as Set<unknown> | undefined)?.size ?? 0);
  };
  await store.putIfAbsent('small', bytesOf(10), { signal });
  for (const [key, byteLength] of [
    ['one', 10],
    ['parts', 2 * PART],
  ] as const) {
    const sink = await store.create(key, { signal });
    await sink.write(bytesOf(byteLength));
    await sink.finish();
    expect((await store.read(key, { signal })).byteLength).toBe(byteLength);
  }
  expect((await all(store.list('', { signal }))).length).toBe(3);
  await store.delete('small', { signal });
  await new Promise((resolve) => setImmediate(resolve));
  expect([kept(), getEventListeners(signal, 'abort')]).toEqual([0, []]);
});
