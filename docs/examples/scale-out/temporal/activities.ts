import { ApplicationFailure, Context, activityInfo, heartbeat } from '@temporalio/activity';
import { isColkitError, mergePartials, openDataset, partial, runTask, write } from 'columna';
import type { AggregateSpecs, PartialState, PartialTask, Split } from 'columna';

export interface Question {
  readonly source: string;
  readonly where: string;
  readonly aggregates: AggregateSpecs;
  readonly by: readonly string[];
}

/** The pieces of work: plain JSON, pinned to the versions of their files. */
export async function planTasks({ source, where, aggregates, by }: Question): Promise<PartialTask[]> {
  const dataset = await openDataset(source);
  try {
    const splits = await dataset.splits({ where });
    return splits.map((split) => ({ split, where, aggregates, by }));
  } finally {
    dataset.close();
  }
}

/** What the rows of one split add up to. `ALLOWED`: below which folder or URL tasks may name files. */
export function sumTask(task: PartialTask): Promise<PartialState> {
  return beating((signal) => partial(task, { signal, within: process.env['ALLOWED'] ?? '/data/' }));
}

/** The rows of one split as a file of their own; another attempt replaces it, whole. */
export function copyTask(split: Split, where: string, target: string): Promise<string> {
  return beating(async (signal) => {
    const rows = runTask({ split, where }, { signal, within: process.env['ALLOWED'] ?? '/data/' });
    await write(target, rows, { overwrite: true });
    return target;
  });
}

export function mergeStates(states: PartialState[]): Promise<unknown> {
  return Promise.resolve(mergePartials(states));
}

/** The answer to a question that has no splits: nothing is read for it. */
export async function answerNothing({ source, where, aggregates, by }: Question): Promise<unknown> {
  const dataset = await openDataset(source);
  try {
    const rows = dataset.where(where);
    return by.length === 0 ? await rows.agg(aggregates) : (await rows.groupBy(...by).agg(aggregates)).columns;
  } finally {
    dataset.close();
  }
}

/** Tells the server that the attempt lives, and hears of cancellation in return. */
async function beating<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const every = (activityInfo().heartbeatTimeoutMs ?? 30_000) / 3;
  const timer = setInterval(() => heartbeat(), every);
  try {
    return await work(Context.current().cancellationSignal);
  } catch (error) {
    // What another attempt cannot change: a damaged file, another version of it, a wrong question.
    if (isColkitError(error) && error.code !== 'ERR_READ' && error.code !== 'ERR_NOT_FOUND')
      throw ApplicationFailure.nonRetryable(error.message, error.code);
    throw error;
  } finally {
    clearInterval(timer);
  }
}
