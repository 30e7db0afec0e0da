// Many processes that take a lock at the same time, step by step in any order, on the real file system.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { SYSTEM_FILES } from '@colkit/io/durable';
import type { Operation, Work } from '@colkit/io/effects';
import { contextOf, WorkContext } from '@colkit/io/effects';
import { fileCall } from '../../src/durable/file-call.ts';
import { newOwner, releaseLockFile, takeLockFile } from '../../src/durable/lock-file.ts';
import { deadLock } from '../support/dead-process.ts';
import { testFolder } from '../support/folder.ts';

const folder = testFolder();
let next = 0;
let at = '';
beforeEach(() => {
  at = join(folder.path, `t${String(next++)}`);
  mkdirSync(at);
});

describe('of many that take over at the same time, one has the lock', () => {
  const withoutWaiting = contextOf({
    operations: {
      ...SYSTEM_FILES,
      runSync: (operation) => (operation.kind === 'wait' ? undefined : SYSTEM_FILES.runSync(operation)),
    },
  });

  /** Runs procedures step by step, in an order that follows from the seed. */
  function interleave<T>(procedures: Work<T>[], seed: number): T[] {
    const results: T[] = [];
    let state = seed;
    const running = procedures.map((steps, number) => ({ steps, number, step: steps.next() }));
    while (running.length > 0) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const which = (state >>> 10) % running.length;
      const one = running[which]!;
      if (one.step.done === true) {
        results[one.number] = one.step.value;
        running.splice(which, 1);
        continue;
      }
      let result: unknown;
      try {
        result = (one.step.value as Operation<unknown>).runSync(withoutWaiting);
      } catch (error) {
        one.step = one.steps.throw(error);
        continue;
      }
      one.step = one.steps.next(result);
    }
    return results;
  }

  test.each(['of the dead', 'of the dead, whose taker died too', 'free'])('%s', (kind) => {
    let won = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const lock = join(at, 'data.bin.lock');
      for (const name of readdirSync(at)) rmSync(join(at, name));
      if (kind !== 'free') writeFileSync(lock, deadLock());
      if (kind.includes('taker')) {
        // Killed while it had the guard: its steps end in the middle.
        const taker = takeLockFile(lock, newOwner('write'), false);
        for (let step = taker.next(), guard = ''; guard === ''; ) {
          const result = stepped(step.value as Operation<unknown>);
          step = result instanceof Error ? taker.throw(result) : taker.next(result);
          guard = readdirSync(at).find((name) => name.endsWith('.guard')) ?? '';
          if (guard !== '') writeFileSync(join(at, guard), deadLock());
        }
      }
      let holders = 0;
      const owners = Array.from({ length: 4 }, () => newOwner('write'));
      const attempt = function* (number: number): Work<boolean> {
        const other = yield* takeLockFile(lock, owners[number]!, false);
        if (other !== null) return false;
        holders += 1;
        expect(holders).toBe(1);
        yield* fileCall<'inspect'>({ kind: 'inspect', path: lock });
        yield* fileCall<'inspect'>({ kind: 'inspect', path: lock });
        holders -= 1;
        yield* releaseLockFile(lock, owners[number]!);
        return true;
      };
      won += interleave([0, 1, 2, 3].map(attempt), seed).filter(Boolean).length;
      expect(
        readdirSync(at).filter((name) => !name.endsWith('.tmp')),
        `seed ${String(seed)}`,
      ).toEqual([]);
    }
    // Whoever comes when the lock was given back has it too.
    expect(won).toBeGreaterThanOrEqual(60);
  });

  function stepped(operation: Operation<unknown>): unknown {
    try {
      return operation.runSync(new WorkContext());
    } catch (error) {
      return error as Error;
    }
  }
});
