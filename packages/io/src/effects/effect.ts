// Work that may have to wait, described once: a generator that yields what it needs and is resumed with it. `run`
// performs it awaiting, `runSync` on the calling thread; what the work computes itself is the same in both.
//
// one rule for failure: what fails is thrown into the work where it was asked for. Its `catch` and `finally` handle it
// or give back what was borrowed, with effects of their own if need be. An abort is such a failure: reads and turns
// fail with the signal's reason, and what gives back (closing, unlocking) does not look at the signal. What was begun
// and not waited for is waited for before a result or an error leaves.
//
// A work is a generator function at the top of its file, or a method. One within another function is a new function at
// each call, whose first call makes a hidden class: 1.5 microseconds, as much as a small read. An arrow that calls a
// named one costs nothing.
import type { WorkContext } from './work-context.ts';

/** One thing that takes time: reading, encoding, a call to the system. */
export interface Operation<T> {
  run(context: WorkContext): Promise<T>;
  runSync(context: WorkContext): T;
}

/**
 * Everything is done up to here: others may have a turn. Where a turn is not used up yet, it costs a look at the clock.
 * One for all copies of this package in a process, as works of one are performed by another; so is `Begun` told by its
 * members and not by its class.
 */
export const TURN: unique symbol = Symbol.for('colkit.turn');

/** What a work yields. */
export type Effect = Operation<unknown> | Begun<unknown> | typeof TURN;

/** Resumed with what the operation gave; use `perform`, `begin` and `wait`, which know its type. */
export type Work<T> = Generator<Effect, T, unknown>;

/** An operation that is wanted soon: yielded once it is begun, yielded again it is waited for. */
export class Begun<T> {
  readonly operation: Operation<T>;
  /** Set where it runs. */
  running: Promise<T> | null = null;
  /** In the Sync form: null until it is begun, undefined until it is waited for, when it is performed, once. */
  outcome: { readonly value: T } | { readonly error: unknown } | null | undefined = null;

  constructor(operation: Operation<T>) {
    this.operation = operation;
  }
}

/** One operation within a work, with the type of its result. */
export function* perform<T>(operation: Operation<T>): Work<T> {
  return (yield operation) as T;
}

/**
 * Begins an operation that is wanted soon: the awaiting form runs it while the work goes on, the Sync form performs it
 * when it is waited for. That it fails is told where it is waited for, and to nobody where it is not.
 */
export function* begin<T>(operation: Operation<T>): Work<Begun<T>> {
  const begun = new Begun(operation);
  yield begun;
  return begun;
}

/** Waits for what was begun. @throws what it throws. */
export function* wait<T>(begun: Begun<T>): Work<T> {
  return (yield begun) as T;
}

/** What is undone after a failure: that failure is told, and not what went wrong here. */
export function* ignoringFailure(undoing: Work<unknown>): Work<void> {
  try {
    yield* undoing;
  } catch {
    // Whoever catches the first failure can do nothing about this one.
  }
}
