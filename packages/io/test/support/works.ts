// Operations that are watched, and what comes of works in either form.
import { setImmediate as turn } from 'node:timers/promises';
import { WorkContext, run, runSync } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';

/** An operation that tells when it is done. */
export function step<T>(log: string[], name: string, value: T, failure?: Error): Operation<T> {
  const done = (): T => {
    log.push(name);
    if (failure !== undefined) throw failure;
    return value;
  };
  return {
    run: async () => {
      await turn();
      return done();
    },
    runSync: done,
  };
}

/** What came of it: a value or an error, in a form that compares. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

export async function outcomeOf(
  form: 'run' | 'runSync',
  work: Work<unknown>,
  context = new WorkContext(),
): Promise<Outcome> {
  try {
    return { value: form === 'run' ? await run(work, context) : runSync(work, context) };
  } catch (error) {
    return { error };
  }
}
