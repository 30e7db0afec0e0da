// Performs works: `run` awaits their operations, `runSync` does them on the calling thread.
import { TURN } from './effect.ts';
import type { Begun, Effect, Operation, Work } from './effect.ts';
import { isTurnOver, passTurn } from './turns.ts';
import { nextTurn } from '../backend/timers.ts';
import { WorkContext } from './work-context.ts';
import type { WorkOptions } from './work-context.ts';

/**
 * Performs a work; the event loop is free while it waits, and gets its turns in between.
 * @throws what the work throws; the signal's reason.
 */
export function run<T>(work: Work<T>, context: WorkContext = new WorkContext()): Promise<T> {
  return drive(work, new Performer(context), true);
}

/** Performs a work on the calling thread. @throws as `run`; what a source throws that has no Sync form. */
export function runSync<T>(work: Work<T>, context: WorkContext = new WorkContext()): T {
  context.signal?.throwIfAborted();
  return driveSync(work, context);
}

/**
 * @param isWhole whether it is all that the performer does: else somebody else looks at the signal before it, and
 * settles behind it.
 */
export async function drive<T>(work: Work<T>, performer: Performer, isWhole: boolean): Promise<T> {
  if (isWhole) performer.context.signal?.throwIfAborted();
  try {
    let step = work.next();
    while (step.done !== true) {
      let result: unknown;
      try {
        result = performer.perform(step.value);
        if (isPromise(result)) result = await result;
      } catch (error) {
        step = work.throw(error);
        continue;
      }
      step = work.next(result);
    }
    return step.value;
  } finally {
    if (isWhole && performer.hasBegun) await performer.settle();
    // Of short works, each awaited, there may be many.
    if (isTurnOver()) await nextTurn();
  }
}

/** Also one of Node's where a program has globals of its own, as tests of Jest have. */
function isPromise(result: unknown): result is PromiseLike<unknown> {
  return typeof (result as { then?: unknown } | null | undefined)?.then === 'function';
}

export function driveSync<T>(work: Work<T>, context: WorkContext): T {
  let step = work.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = performSync(step.value, context);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(result);
  }
  return step.value;
}

/** The context of a user's options. */
export function contextOf(options: WorkOptions): WorkContext {
  return new WorkContext(options);
}

/** An operation in a context of its own, whoever asks for it. */
export interface BoundOperation<T> extends Operation<T> {
  run(context?: WorkContext): Promise<T>;
  runSync(context?: WorkContext): T;
}

/** A work as one operation of another, to be begun ahead of its time, or to be run in a context of its own. */
export function operationOf<T>(describe: () => Work<T>, inner: WorkContext): BoundOperation<T>;
export function operationOf<T>(describe: () => Work<T>): Operation<T>;
export function operationOf<T>(describe: () => Work<T>, inner?: WorkContext): BoundOperation<T> {
  return {
    run: (context) => run(describe(), inner ?? context),
    runSync: (context) => runSync(describe(), inner ?? context),
  };
}

/** The awaiting form of effects, and what it has begun. */
export class Performer {
  readonly context: WorkContext;
  #begun: Set<Begun<unknown>> | null = null;

  constructor(context: WorkContext) {
    this.context = context;
  }

  get hasBegun(): boolean {
    return this.#begun !== null;
  }

  /** A promise where there is something to wait for. */
  perform(effect: Effect): unknown {
    if (effect === TURN) return passTurn(this.context.signal);
    return 'run' in effect ? effect.run(this.context) : this.#begin(effect);
  }

  /** Waits for what was begun and nobody has waited for: its memory must not be let go while it still writes there. */
  async settle(): Promise<void> {
    const begun = this.#begun ?? [];
    this.#begun = null;
    for (const { running } of begun) {
      try {
        await running;
      } catch {
        // It would have been told where it is waited for.
      }
    }
  }

  #begin(begun: Begun<unknown>): Promise<unknown> | undefined {
    if (begun.running !== null) {
      this.#begun?.delete(begun);
      return begun.running;
    }
    begun.running = started(begun.operation, this.context);
    // It is waited for in its turn; until then its failure is nobody's.
    begun.running.catch(() => undefined);
    this.#begun ??= new Set();
    this.#begun.add(begun);
    return undefined;
  }
}

/** A failure at the start is told as any other. */
async function started(operation: Operation<unknown>, context: WorkContext): Promise<unknown> {
  return operation.run(context);
}

/** The Sync form of an effect. */
function performSync(effect: Effect, context: WorkContext): unknown {
  if (effect === TURN) return context.signal?.throwIfAborted();
  if ('runSync' in effect) return effect.runSync(context);
  if (effect.outcome === null) return (effect.outcome = undefined);
  effect.outcome ??= outcomeOf(effect.operation, context);
  if ('error' in effect.outcome) throw effect.outcome.error;
  return effect.outcome.value;
}

function outcomeOf(
  operation: Operation<unknown>,
  context: WorkContext,
): { readonly value: unknown } | { readonly error: unknown } {
  try {
    return { value: operation.runSync(context) };
  } catch (error) {
    return { error };
  }
}
