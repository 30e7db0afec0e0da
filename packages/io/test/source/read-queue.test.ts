// Reads that become requests: which are merged, how many are under way, and what an abort and a close end.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { copyRanges, openSource } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { patternBytes, sameBytes } from '../support/folder.ts';
import { rejectedBy } from '../support/thrown.ts';

const BYTES = patternBytes(20_000_000);

interface Watched {
  readonly source: RandomAccessSource;
  readonly requests: [number, number][];
  most: number;
}

async function watched(read?: (signal?: AbortSignal) => Promise<void>): Promise<Watched> {
  const requests: [number, number][] = [];
  let running = 0;
  const found: Watched = { source: undefined as never, requests, most: 0 };
  const source = await openSource({
    byteLength: BYTES.length,
    concurrency: 3,
    gapBytes: 100,
    async read(byteOffset, out, signal) {
      requests.push([byteOffset, out.byteLength]);
      found.most = Math.max(found.most, (running += 1));
      await (read?.(signal) ?? new Promise((resolve) => setTimeout(resolve, 2)));
      running -= 1;
      out.set(BYTES.subarray(byteOffset, byteOffset + out.byteLength));
    },
  });
  return Object.assign(found, { source });
}

async function readOf(source: RandomAccessSource, start: number, length: number, signal?: AbortSignal): Promise<void> {
  const out = new Uint8Array(length);
  await source.read(start, out, signal);
  expect(sameBytes(out, BYTES.subarray(start, start + length))).toBe(true);
}

test('neighbours with a gap are one request, in any order, overlapping or twice', async () => {
  const { source, requests } = await watched();
  const ranges = [
    [500, 10],
    [0, 50],
    [150, 100],
    [200, 100],
    [400, 1],
    [500, 10],
    [5000, 7],
    [611, 9],
  ] as const;
  await Promise.all(ranges.map(([start, length]) => readOf(source, start, length)));
  // The oldest come first.
  expect(requests).toEqual([
    [0, 510],
    [5000, 7],
    [611, 9],
  ]);
});

test('a gap is read where it is small, or where as much is wanted as it has bytes', async () => {
  const { source, requests } = await watched();
  // Of gaps of at most 100 bytes, those up to 25 in any case.
  const ranges = [
    [0, 4],
    [29, 4],
    [133, 4],
    [235, 70],
    [400, 4],
    [504, 97],
    [701, 1],
  ] as const;
  await Promise.all(ranges.map(([start, length]) => readOf(source, start, length)));
  expect(requests).toEqual([
    [0, 33],
    [133, 4],
    [235, 70],
    [400, 302],
  ]);
});

test('no more than `concurrency` are under way, whoever asks, and a request has at most 4 MiB', async () => {
  const found = await watched();
  const { source, requests } = found;
  const count = 2000;
  const offsets = Float64Array.from({ length: count }, (_, k) => k * 9000);
  const lengths = new Float64Array(count).fill(9000);
  const out = new Uint8Array(count * 9000);
  const request = { offsets, lengths, out, outOffsets: offsets };
  await Promise.all([copyRanges(source, request), ...[1e6, 2e6, 3e6].map((start) => readOf(source, start, 5))]);
  expect(sameBytes(out, BYTES.subarray(0, out.length))).toBe(true);
  expect(found.most).toBe(3);
  expect(requests).toHaveLength(Math.ceil((count * 9000) / (4 << 20)));
  for (const [, length] of requests) expect(length).toBeLessThanOrEqual(4 << 20);
});

test('an abort ends what waits and what is under way, and nothing of the others', async () => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { source, requests } = await watched((signal) =>
    Promise.race([
      gate,
      new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    ]),
  );
  const abort = new AbortController();
  const reason = new Error('enough');
  const [first, ...others] = Array.from({ length: 6 }, (_, k) => readOf(source, k * 1000, 10, abort.signal));
  const kept = readOf(source, 5, 10);
  const failures = [first, ...others].map((read) => rejectedBy(read as Promise<void>));
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(requests).toHaveLength(3);
  abort.abort(reason);
  expect(await Promise.all(failures)).toEqual(Array.from({ length: 6 }, () => reason));
  open();
  await kept;
  expect(requests).toHaveLength(4);
});

test('any number of reads have one listener on their signal, and none when they are over', async () => {
  const counts: number[] = [];
  const { source } = await watched(async (signal) => {
    counts.push(getEventListeners(signal as AbortSignal, 'abort').length);
    await new Promise((resolve) => setTimeout(resolve, 2));
  });
  const { signal } = new AbortController();
  const ranges = Array.from({ length: 12 }, (_, k) => [k * 1000, 10] as const);
  await Promise.all(ranges.map(([start, length]) => readOf(source, start, length, signal)));
  expect(counts).toEqual(ranges.map(() => 1));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('reads of any number of sources have one listener on a signal that they share', async () => {
  const counts: number[] = [];
  const { signal } = new AbortController();
  const opened = await Promise.all(
    Array.from({ length: 12 }, () =>
      watched(async () => {
        counts.push(getEventListeners(signal, 'abort').length);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }),
    ),
  );
  await Promise.all(opened.map(({ source }) => readOf(source, 0, 10, signal)));
  expect(counts).toEqual(opened.map(() => 1));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a close ends what waits; a request that fails fails all that it is made of', async () => {
  const never = await watched(() => new Promise(() => undefined));
  for (let k = 0; k < 3; k += 1) void never.source.read(k * 1000, new Uint8Array(1));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const waiting = rejectedBy(never.source.read(9000, new Uint8Array(1)));
  await new Promise((resolve) => setTimeout(resolve, 5));
  never.source.close();
  expect(await waiting).toMatchObject({ name: 'ClosedError' });
  const failing = await watched(() => Promise.reject(new Error('broken')));
  const both = [0, 20].map((start) => rejectedBy(failing.source.read(start, new Uint8Array(5))));
  expect(await Promise.all(both)).toMatchObject([{ message: 'broken' }, { message: 'broken' }]);
  expect(failing.requests).toEqual([[0, 25]]);
});
