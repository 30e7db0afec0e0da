// When batches are asked for: each once, in order, never more than `prefetch` ahead, several at once only for a
// consumer that never waits.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BatchProducer } from '../../src/loader/batch-producer.ts';
import { BatchesAhead } from '../../src/loader/batches-ahead.ts';
import { SequentialSampler } from '../../src/loader/order/sampler.ts';
import { BatchPlan } from '../../src/loader/order/shard.ts';

class Recorder implements BatchProducer {
  readonly remote: boolean;
  readonly asked: number[] = [];
  readonly together: number[] = [];

  constructor(remote: boolean) {
    this.remote = remote;
  }

  make(indices: readonly number[], epoch: number, together: number): Promise<unknown> {
    expect(epoch).toBe(4);
    this.asked.push(indices[0] ?? -1);
    this.together.push(together);
    return Promise.resolve(indices[0]);
  }

  poll(): void {
    /* nothing arrives */
  }
  hold(): void {
    /* nothing waits */
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

const planOf = (batches: number): BatchPlan =>
  new BatchPlan(new SequentialSampler(batches), batches, {
    batchSize: 1,
    dropLast: false,
    rank: 0,
    worldSize: 1,
    tail: 'pad',
  });
const EARLY = 0;
const LATE = 10;

test('each batch once, in order, never more than prefetch ahead, whoever makes them, however long', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      fc.infiniteStream(fc.constantFrom(EARLY, LATE)),
      async (batches, start, prefetch, workers, remote, waits) => {
        const next = Math.min(start, batches);
        const recorder = new Recorder(remote);
        const ahead = new BatchesAhead(recorder, planOf(batches), {
          epoch: 4,
          next,
          prefetch,
          mostPrefetch: prefetch,
          workers,
        });
        let taken = 0;
        while (!ahead.isOver) {
          const batch = ahead.takeMade() ?? ahead.take();
          expect(await batch.result).toBe(next + taken);
          expect(batch).toMatchObject({ state: 'made', value: next + taken });
          taken += 1;
          ahead.refill(waits.next().value as number);
          expect(recorder.asked.length - taken).toBeLessThanOrEqual(prefetch);
        }
        expect(recorder.asked).toEqual(Array.from({ length: batches - next }, (_, k) => next + k));
        expect(Math.max(1, ...recorder.together)).toBeLessThanOrEqual(Math.max(1, prefetch / workers));
      },
    ),
  );
});

describe('a consumer', () => {
  const run = (remote: boolean, waits: readonly number[]): { asked: number[]; together: number[] } => {
    const recorder = new Recorder(remote);
    const ahead = new BatchesAhead(recorder, planOf(100), {
      epoch: 4,
      next: 0,
      prefetch: 8,
      mostPrefetch: 8,
      workers: 2,
    });
    const asked = waits.map((wait) => {
      ahead.take();
      ahead.refill(wait);
      return recorder.asked.length;
    });
    return { asked, together: recorder.together };
  };

  test('that never waits asks for half of them at once', () => {
    const { asked, together } = run(
      true,
      Array.from({ length: 16 }, () => EARLY),
    );
    // Seven times one by one, until as many as are ahead were early; then four when four are left.
    expect(asked).toEqual([9, 10, 11, 12, 13, 14, 15, 15, 15, 15, 19, 19, 19, 19, 23, 23]);
    expect(new Set(together.slice(0, 15))).toEqual(new Set([1]));
    expect(new Set(together.slice(15))).toEqual(new Set([4]));
  });

  test.each([
    [1 << 10, 32],
    [1 << 20, 16],
    [3 << 20, 8],
    [1 << 25, 8],
  ])('of batches of %i bytes has up to %i ahead where eight were not asked for', async (bytes, expected) => {
    const recorder = new Recorder(true);
    recorder.make = (indices) => {
      recorder.asked.push(indices[0] ?? -1);
      return Promise.resolve([
        { data: new Float32Array(bytes / 8), shape: [1] },
        { data: new Uint8Array(bytes / 2), shape: [1] },
      ]);
    };
    const ahead = new BatchesAhead(recorder, planOf(100), {
      epoch: 4,
      next: 0,
      prefetch: 8,
      mostPrefetch: 32,
      workers: 2,
    });
    await ahead.take()?.result;
    ahead.refill(LATE);
    expect(recorder.asked).toHaveLength(1 + expected);
  });

  test('that waits asks for each as early as it may', () => {
    const { asked, together } = run(
      true,
      Array.from({ length: 16 }, () => LATE),
    );
    expect(asked).toEqual(Array.from({ length: 16 }, (_, k) => k + 9));
    expect(new Set(together)).toEqual(new Set([1]));
  });

  test('that waits once does so again', () => {
    const { asked } = run(true, [...Array.from({ length: 12 }, () => EARLY), LATE, EARLY]);
    expect(asked.slice(-3)).toEqual([19, 21, 22]);
  });

  test('whose own thread makes them asks one by one', () => {
    const { asked } = run(
      false,
      Array.from({ length: 16 }, () => EARLY),
    );
    expect(asked).toEqual(Array.from({ length: 16 }, (_, k) => k + 9));
  });
});
