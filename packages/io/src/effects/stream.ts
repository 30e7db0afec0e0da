// Works that give one result after the other (batches, rows), as iterators of either form.
import type { Effect, Work } from './effect.ts';
import { Performer, drive, driveSync } from './run.ts';
import { WorkContext } from './work-context.ts';

/** One result of a stream: yielded, it is handed to whoever iterates. */
export class Result<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/**
 * A work with results on its way: `yield new Result(value)`. Whoever stops iterating closes it, and its `finally` runs
 * with all its effects. What was begun may be under way while a result is looked at.
 */
export type WorkStream<T> = Generator<Effect | Result<T>, void, unknown>;

/** @throws (at `next`) what the work throws; the signal's reason. */
export async function* iterate<T>(
  stream: WorkStream<T>,
  context: WorkContext = new WorkContext(),
): AsyncGenerator<T, void, undefined> {
  const performer = new Performer(context);
  const progress = { isDone: false };
  try {
    for (;;) {
      context.signal?.throwIfAborted();
      const result = await drive(advance(stream, progress), performer, false);
      if (result === null) return;
      yield result.value;
    }
  } finally {
    try {
      if (!progress.isDone) await drive(close(stream, progress), performer, false);
    } finally {
      if (performer.hasBegun) await performer.settle();
    }
  }
}

/** The same on the calling thread. */
export function* iterateSync<T>(
  stream: WorkStream<T>,
  context: WorkContext = new WorkContext(),
): Generator<T, void, undefined> {
  const progress = { isDone: false };
  try {
    for (;;) {
      context.signal?.throwIfAborted();
      const result = driveSync(advance(stream, progress), context);
      if (result === null) return;
      yield result.value;
    }
  } finally {
    if (!progress.isDone) driveSync(close(stream, progress), context);
  }
}

/** A stream within another work: `use` gets one result after the other, until it returns false. */
export function* forEach<T>(stream: WorkStream<T>, use: (value: T) => unknown): Work<void> {
  const progress = { isDone: false };
  try {
    for (let result = yield* advance(stream, progress); result !== null; result = yield* advance(stream, progress))
      if (use(result.value) === false) return;
  } finally {
    if (!progress.isDone) yield* close(stream, progress);
  }
}

interface Progress {
  /** Whether the stream has ended or failed: nothing is left to be closed. */
  isDone: boolean;
}

/** Up to the next result; null: the end. */
function* advance<T>(
  stream: WorkStream<T>,
  progress: Progress,
  start: () => IteratorResult<Effect | Result<T>, void> = () => stream.next(),
): Work<Result<T> | null> {
  progress.isDone = true;
  let step = start();
  while (step.done !== true) {
    if (step.value instanceof Result) {
      progress.isDone = false;
      return step.value;
    }
    let result: unknown;
    try {
      result = yield step.value;
    } catch (error) {
      step = stream.throw(error);
      continue;
    }
    step = stream.next(result);
  }
  return null;
}

/** Runs the stream's `finally`; results that it still gives are nobody's. */
function* close<T>(stream: WorkStream<T>, progress: Progress): Work<void> {
  let result = yield* advance(stream, progress, () => stream.return());
  while (result !== null) result = yield* advance(stream, progress);
}
