// Works of any shape, drawn at random: both forms do the same.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TURN, WorkContext, begin, perform, wait } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { outcomeOf, step } from '../support/works.ts';

/** Works as data: each describes what a generator does. */
type Sketch =
  | { readonly kind: 'operation'; readonly name: number; readonly fails: boolean }
  | { readonly kind: 'turn' }
  | { readonly kind: 'abort' }
  | {
      readonly kind: 'ahead';
      readonly name: number;
      readonly fails: boolean;
      readonly meanwhile: Sketch;
      readonly isWaited: boolean;
    }
  | { readonly kind: 'sequence'; readonly parts: readonly Sketch[] }
  | { readonly kind: 'try'; readonly body: Sketch; readonly handler: Sketch | null; readonly cleanup: Sketch | null };

const { work: sketches } = fc.letrec<{ work: Sketch }>((tie) => ({
  work: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.record({ kind: fc.constant('operation' as const), name: fc.nat(99), fails: fc.boolean() }),
    fc.constant({ kind: 'turn' as const }),
    fc.constant({ kind: 'abort' as const }),
    fc.record({
      kind: fc.constant('ahead' as const),
      name: fc.nat(99),
      fails: fc.boolean(),
      meanwhile: tie('work'),
      isWaited: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('sequence' as const), parts: fc.array(tie('work'), { maxLength: 4 }) }),
    fc.record({
      kind: fc.constant('try' as const),
      body: tie('work'),
      handler: fc.option(tie('work')),
      cleanup: fc.option(tie('work')),
    }),
  ),
}));

function* workOf(sketch: Sketch, log: string[], controller: AbortController): Work<number> {
  switch (sketch.kind) {
    case 'operation':
      return yield* perform(
        step(log, `do ${sketch.name}`, sketch.name, sketch.fails ? new Error(`failure ${sketch.name}`) : undefined),
      );
    case 'turn':
      yield TURN;
      return 0;
    case 'abort':
      controller.abort('aborted');
      return 0;
    case 'ahead': {
      // When it runs is the form's own; what it gives is not.
      const begun = yield* begin(
        step([], '', sketch.name, sketch.fails ? new Error(`failure ${sketch.name}`) : undefined),
      );
      const before = yield* workOf(sketch.meanwhile, log, controller);
      return before + (sketch.isWaited ? yield* wait(begun) : 0);
    }
    case 'sequence': {
      let sum = 0;
      for (const part of sketch.parts) sum += yield* workOf(part, log, controller);
      return sum;
    }
    case 'try':
      try {
        return yield* workOf(sketch.body, log, controller);
      } catch (error) {
        log.push(`caught ${String(error)}`);
        if (sketch.handler === null) throw error;
        return yield* workOf(sketch.handler, log, controller);
      } finally {
        log.push('finally');
        if (sketch.cleanup !== null) yield* workOf(sketch.cleanup, log, controller);
      }
  }
}

test('any work behaves the same in both forms', async () => {
  await fc.assert(
    fc.asyncProperty(sketches, async (sketch) => {
      const results = [];
      for (const form of ['run', 'runSync'] as const) {
        const log: string[] = [];
        const controller = new AbortController();
        results.push([
          await outcomeOf(form, workOf(sketch, log, controller), new WorkContext({ signal: controller.signal })),
          log,
        ]);
      }
      expect(results[0]).toEqual(results[1]);
    }),
    { numRuns: 500 },
  );
});
