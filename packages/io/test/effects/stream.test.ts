// Works that give results on their way: both iterators, and how they end.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Result, TURN, WorkContext, begin, iterate, iterateSync, perform, wait } from '@colkit/io/effects';
import type { Operation, WorkStream } from '@colkit/io/effects';

function step(log: string[], name: string, failure?: Error): Operation<string> {
  const done = (): string => {
    log.push(name);
    if (failure !== undefined) throw failure;
    return name;
  };
  return {
    run: async () => {
      await turn();
      return done();
    },
    runSync: done,
  };
}

/** Three results, each read while the one before it is looked at. */
function* three(log: string[], failsAt = -1): WorkStream<string> {
  yield* perform(step(log, 'open'));
  try {
    let next = yield* begin(step([], 'item 0'));
    for (let i = 0; i < 3; i++) {
      const item = yield* wait(next);
      next = yield* begin(step([], `item ${i + 1}`));
      if (i === failsAt) yield* perform(step(log, 'fails', new Error('no')));
      yield TURN;
      yield new Result(item);
    }
  } finally {
    yield* perform(step(log, 'close'));
  }
}

const FORMS = {
  iterate: (stream: WorkStream<string>, context?: WorkContext) => iterate(stream, context),
  iterateSync: async function* (stream: WorkStream<string>, context?: WorkContext) {
    yield* iterateSync(stream, context);
  },
};

describe.each(['iterate', 'iterateSync'] as const)('%s', (form) => {
  const over = FORMS[form];

  test('gives one result after the other', async () => {
    const log: string[] = [];
    const items: string[] = [];
    for await (const item of over(three(log))) items.push(item);
    expect([items, log]).toEqual([
      ['item 0', 'item 1', 'item 2'],
      ['open', 'close'],
    ]);
  });

  test('whoever stops closes it, with all the effects of its finally', async () => {
    const log: string[] = [];
    for await (const item of over(three(log))) {
      expect(item).toBe('item 0');
      break;
    }
    expect(log).toEqual(['open', 'close']);
  });

  test('a failure of closing is told to who stops', async () => {
    const stream = function* (): WorkStream<string> {
      try {
        yield new Result('one');
      } finally {
        yield* perform(step([], 'close', new Error('cannot close')));
      }
    };
    const stopping = (async () => {
      for await (const item of over(stream())) if (item === 'one') break;
    })();
    await expect(stopping).rejects.toThrow('cannot close');
  });

  test('a failure ends it and closes it once', async () => {
    const log: string[] = [];
    const items: string[] = [];
    const reading = (async () => {
      for await (const item of over(three(log, 1))) items.push(item);
    })();
    await expect(reading).rejects.toThrow('no');
    expect([items, log]).toEqual([['item 0'], ['open', 'fails', 'close']]);
  });

  test('a work that ends by a throw between two results is not closed again', async () => {
    const stream = function* (): WorkStream<string> {
      yield new Result('one');
      throw new Error('own failure');
    };
    const iterator = over(stream());
    expect((await iterator.next()).value).toBe('one');
    await expect(iterator.next()).rejects.toThrow('own failure');
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test('nothing happens where nobody asks', async () => {
    const log: string[] = [];
    await over(three(log)).return(undefined);
    expect(log).toEqual([]);
  });

  test('an abort between two results gives them up, and closes', async () => {
    const log: string[] = [];
    const controller = new AbortController();
    const reason = new Error('given up');
    const items: string[] = [];
    const reading = (async () => {
      for await (const item of over(three(log), new WorkContext({ signal: controller.signal }))) {
        items.push(item);
        controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect([items, log]).toEqual([['item 0'], ['open', 'close']]);
  });
});

test('what was begun for the next result is waited for when it is given up', async () => {
  const log: string[] = [];
  const slow: Operation<void> = {
    run: async () => {
      await turn();
      await turn();
      log.push('written');
    },
    runSync: () => undefined,
  };
  const stream = function* (): WorkStream<string> {
    yield* begin(slow);
    yield new Result('one');
  };
  for await (const item of iterate(stream())) {
    expect(item).toBe('one');
    expect(log).toEqual([]);
    break;
  }
  expect(log).toEqual(['written']);
});
