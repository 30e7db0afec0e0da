// One description of work, two forms: what works may rely on in both of them.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  Result,
  TURN,
  WorkContext,
  begin,
  iterate,
  operationOf,
  passTurn,
  perform,
  run,
  runSync,
  wait,
} from '@colkit/io/effects';
import type { Begun, Operation, Work, WorkStream } from '@colkit/io/effects';
import { outcomeOf, step } from '../support/works.ts';

describe.each(['run', 'runSync'] as const)('%s', (form) => {
  test('resumes the work with what its operations give', async () => {
    const work = function* (): Work<number> {
      const two = yield* perform(step([], 'two', 2));
      return two + (yield* inner());
    };
    const inner = function* (): Work<number> {
      return 10 * (yield* perform(step([], 'four', 4)));
    };
    expect(await outcomeOf(form, work())).toEqual({ value: 42 });
  });

  test('a failure is thrown where it was asked for, past what follows', async () => {
    const log: string[] = [];
    const failure = new Error('no');
    const work = function* (): Work<void> {
      try {
        yield* perform(step(log, 'first', 0, failure));
        log.push('not here');
      } finally {
        log.push('finally');
      }
    };
    expect(await outcomeOf(form, work())).toEqual({ error: failure });
    expect(log).toEqual(['first', 'finally']);
  });

  test('an operation that throws before it returns a promise fails like any other', async () => {
    const failure = new Error('at once');
    const throws = (): never => {
      throw failure;
    };
    const caught: unknown[] = [];
    const work = function* (): Work<void> {
      try {
        yield* perform({ run: throws, runSync: throws });
      } catch (error) {
        caught.push(error);
      }
      const begun = yield* begin({ run: throws, runSync: throws });
      caught.push('begun');
      yield* wait(begun);
    };
    expect(await outcomeOf(form, work())).toEqual({ error: failure });
    expect(caught).toEqual([failure, 'begun']);
  });

  test('a work may catch and go on', async () => {
    const log: string[] = [];
    const work = function* (): Work<string> {
      for (let attempt = 0; ; attempt++) {
        try {
          return yield* perform(step(log, `attempt ${attempt}`, 'done', attempt < 2 ? new Error('again') : undefined));
        } catch {
          yield* perform(step(log, 'pause', 0));
        }
      }
    };
    expect(await outcomeOf(form, work())).toEqual({ value: 'done' });
    expect(log).toEqual(['attempt 0', 'pause', 'attempt 1', 'pause', 'attempt 2']);
  });

  test('a finally gives back with effects of its own, through nested works, innermost first', async () => {
    const log: string[] = [];
    const failure = new Error('no');
    const holding = function* <T>(name: string, work: () => Work<T>): Work<T> {
      yield* perform(step(log, `take ${name}`, 0));
      try {
        return yield* work();
      } finally {
        yield TURN;
        yield* perform(step(log, `give ${name}`, 0));
      }
    };
    const work = holding('a', () => holding('b', () => perform(step(log, 'use', 0, failure))));
    expect(await outcomeOf(form, work)).toEqual({ error: failure });
    expect(log).toEqual(['take a', 'take b', 'use', 'give b', 'give a']);
  });

  test('a failure of giving back takes the place of the first one', async () => {
    const second = new Error('second');
    const work = function* (): Work<void> {
      try {
        yield* perform(step([], 'use', 0, new Error('first')));
      } finally {
        yield* perform(step([], 'give', 0, second));
      }
    };
    expect(await outcomeOf(form, work())).toEqual({ error: second });
  });

  test('an abort before it: not one effect is performed', async () => {
    const log: string[] = [];
    const reason = new Error('given up');
    const work = function* (): Work<void> {
      log.push('started');
      yield* perform(step(log, 'read', 0));
    };
    expect(await outcomeOf(form, work(), new WorkContext({ signal: AbortSignal.abort(reason) }))).toEqual({
      error: reason,
    });
    expect(log).toEqual([]);
  });

  test('an abort in between is a failure at the next turn, and what gives back is still performed', async () => {
    const log: string[] = [];
    const controller = new AbortController();
    const reason = new Error('given up');
    const work = function* (): Work<void> {
      try {
        yield* perform(step(log, 'open', 0));
        yield TURN;
        controller.abort(reason);
        log.push('aborted');
        yield TURN;
        log.push('not here');
      } finally {
        yield* perform(step(log, 'close', 0));
      }
    };
    expect(await outcomeOf(form, work(), new WorkContext({ signal: controller.signal }))).toEqual({ error: reason });
    expect(log).toEqual(['open', 'aborted', 'close']);
  });

  test('an abort that the work catches is over', async () => {
    const controller = new AbortController();
    const work = function* (): Work<string> {
      controller.abort();
      try {
        yield TURN;
      } catch {
        return yield* perform(step([], 'last', 'what there was'));
      }
      return 'not here';
    };
    expect(await outcomeOf(form, work(), new WorkContext({ signal: controller.signal }))).toEqual({
      value: 'what there was',
    });
  });

  test('what was begun gives its result when it is waited for, again too', async () => {
    const log: string[] = [];
    const work = function* (): Work<number[]> {
      const begun = yield* begin(step(log, 'begun', 5));
      yield* perform(step(log, 'meanwhile', 0));
      return [yield* wait(begun), yield* wait(begun)];
    };
    expect(await outcomeOf(form, work())).toEqual({ value: [5, 5] });
    expect(log.sort()).toEqual(['begun', 'meanwhile']);
  });

  test('what was begun fails where it is waited for', async () => {
    const failure = new Error('no');
    const log: string[] = [];
    const work = function* (): Work<string> {
      const begun = yield* begin(step([], 'begun', 5, failure));
      yield* perform(step(log, 'meanwhile', 0));
      for (const attempt of [1, 2]) {
        try {
          yield* wait(begun);
        } catch (error) {
          log.push(`${attempt} ${String(error === failure)}`);
        }
      }
      return 'went on';
    };
    expect(await outcomeOf(form, work())).toEqual({ value: 'went on' });
    expect(log).toEqual(['meanwhile', '1 true', '2 true']);
  });

  test("what was begun and given up is nobody's failure", async () => {
    const work = function* (): Work<string> {
      yield* begin(step([], 'begun', 5, new Error('nobody asks')));
      return 'done';
    };
    expect(await outcomeOf(form, work())).toEqual({ value: 'done' });
  });

  test('a work may be an operation of another, in its context or in one of its own', async () => {
    const counted: Operation<void> = {
      run: async (context) => {
        await turn();
        context.bytesRead += 8;
      },
      runSync: (context) => {
        context.bytesRead += 8;
      },
    };
    const [outer, own] = [new WorkContext(), new WorkContext()];
    const work = function* (): Work<void> {
      const begun = yield* begin(operationOf(() => perform(counted)));
      yield* perform(operationOf(() => perform(counted), own));
      yield* wait(begun);
    };
    expect(await outcomeOf(form, work(), outer)).toEqual({ value: undefined });
    expect([outer.bytesRead, own.bytesRead]).toEqual([8, 8]);
  });
});

describe('the awaiting form', () => {
  /** An operation that ends when it is told to. */
  function held(log: string[]): Operation<void> & { end: () => void } {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    return {
      run: async () => {
        await ended;
        log.push('ended');
      },
      runSync: () => undefined,
      end: () => {
        end();
      },
    };
  }

  test.each([
    ['a result', false],
    ['an error', true],
  ])('%s leaves when nothing that was begun is under way', async (_, fails) => {
    const log: string[] = [];
    const operation = held(log);
    const work = function* (): Work<void> {
      yield* begin(operation);
      if (fails) throw new Error('no');
    };
    const running = run(work()).then(
      () => log.push('left'),
      () => log.push('left'),
    );
    await turn();
    expect(log).toEqual([]);
    operation.end();
    await running;
    expect(log).toEqual(['ended', 'left']);
  });

  test('what was begun runs while the work goes on', async () => {
    const log: string[] = [];
    const work = function* (): Work<void> {
      const begun = yield* begin(step(log, 'begun', 0));
      log.push('goes on');
      yield* wait(begun);
    };
    await run(work());
    expect(log).toEqual(['goes on', 'begun']);
  });

  test('an abort within an operation is thrown by the operation, which got the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('given up');
    const log: string[] = [];
    const reading: Operation<void> = {
      run: ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
      runSync: () => undefined,
    };
    const work = function* (): Work<void> {
      try {
        yield* perform(reading);
      } finally {
        yield* perform(step(log, 'close', 0));
      }
    };
    const running = outcomeOf('run', work(), new WorkContext({ signal: controller.signal }));
    controller.abort(reason);
    expect(await running).toEqual({ error: reason });
    expect(log).toEqual(['close']);
  });

  test('others run at turns, once a turn is used up', async () => {
    let others = 0;
    let ended = false;
    const other = (): void => {
      others += 1;
      if (!ended) setImmediate(other);
    };
    setImmediate(other);
    const work = function* (): Work<void> {
      for (let i = 0; i < 10; i++) {
        const since = performance.now();
        while (performance.now() - since < 4);
        yield TURN;
      }
    };
    await run(work());
    ended = true;
    expect(others).toBeGreaterThanOrEqual(2);
  });

  const atOnce: Operation<number> = { run: () => Promise.resolve(1), runSync: () => 1 };
  const stream = function* (): WorkStream<number> {
    yield new Result(yield* perform(atOnce));
  };
  const failing = function* (): Work<void> {
    yield* perform(atOnce);
    throw new Error('no');
  };

  test.each([
    ['works', () => run(perform(atOnce))],
    ['works that fail', () => run(failing()).catch(() => undefined)],
    [
      'streams',
      async () => {
        for await (const one of iterate(stream())) expect(one).toBe(1);
      },
    ],
  ])('others run between short %s, each awaited', async (_, call) => {
    let others = 0;
    const timer = setInterval(() => (others += 1), 1);
    const since = performance.now();
    // Where nobody else gets a turn, the timer never runs, however long it takes.
    while (others < 2 && performance.now() - since < 3000) await call();
    clearInterval(timer);
    expect(others).toBeGreaterThan(1);
  });

  test('a long wait for others is no turn that has been used up', async () => {
    await passTurn();
    await new Promise((resolve) => setTimeout(resolve, 20));
    let hasTurned = false;
    setImmediate(() => (hasTurned = true));
    await passTurn();
    expect(hasTurned).toBe(false);
  });
});

test('the Sync form performs what was begun when it is waited for, and not at all where it is not', () => {
  const log: string[] = [];
  const work = function* (): Work<void> {
    const begun: Begun<number> = yield* begin(step(log, 'wanted', 1));
    yield* begin(step(log, 'given up', 2));
    log.push('goes on');
    yield* wait(begun);
  };
  runSync(work());
  expect(log).toEqual(['goes on', 'wanted']);
});
