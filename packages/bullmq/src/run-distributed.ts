// The asking end: a dataset and a question -> a job for each split -> partial states, merged in the order of the rows.
// A state is kept by the number of its split: however often a split is worked on, it counts once.
import { randomUUID } from 'node:crypto';
import { checkOptions, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import type { Queue } from 'bullmq';
import { mergePartials } from 'columna';
import type { AggregateSpecs, Dataset, PartialState, PartialTask, Split, Table } from 'columna';
import { JOB_NAME, reasonOf, scanJob } from './scan-job.ts';
import { Jobs } from './jobs.ts';
import { SplitError } from './split-error.ts';

/** What is asked of all rows. */
export interface DistributedPlan {
  /** A text: it travels. */
  readonly where?: string;
  /** Values of the names in the text: constants and lists of such. */
  readonly params?: NonNullable<PartialTask['params']>;
  readonly aggregates: AggregateSpecs;
  /** Columns that are grouped by. */
  readonly by?: readonly string[];
  /** Stored bytes of a split, about. Default 64 MiB. */
  readonly targetBytes?: number;
}

const PLAN: OptionSet<DistributedPlan> = {
  where: option.text,
  params: option.object('an object of values by name'),
  aggregates: option.object('aggregates by name'),
  by: option.names,
  targetBytes: option.count('bytes', 1),
};

/** What is done by now, of splits in which something may match. */
export interface DistributedProgress {
  readonly splitsDone: number;
  readonly splitCount: number;
  readonly rowsDone: number;
  readonly rowCount: number;
}

export interface DistributedOptions {
  /** Gives the run up with the signal's reason: jobs that wait are removed, those that run are stopped. */
  readonly signal?: AbortSignal;
  /** Called at first and after each split. */
  readonly onProgress?: (progress: DistributedProgress) => void;
  /** How often a split is tried where reading fails, and added again where its job vanishes. Default 3. */
  readonly attempts?: number;
}

const OPTIONS: OptionSet<DistributedOptions> = {
  signal: option.signal,
  onProgress: option.callback(),
  attempts: option.count('attempts', 1),
};

/** By name, an answer, or with `by` an array with an entry for each group. */
export type DistributedAnswer = ReturnType<typeof mergePartials>;

/**
 * What the rows of a dataset add up to, worked out by the workers of a queue (`createScanWorker`): the same as over the
 * whole. The first split that fails for good ends the run. Its jobs are removed from the queue in any case.
 * @throws SplitError; the signal's reason; ArgumentError, QueryError, UnknownColumnError before any job is added; what
 * BullMQ throws where Redis does not answer for a minute.
 */
export async function runDistributed(
  queue: Queue,
  dataset: Dataset,
  plan: DistributedPlan,
  options: DistributedOptions = {},
): Promise<DistributedAnswer> {
  checkOptions('runDistributed: plan', PLAN, plan);
  checkOptions('runDistributed', OPTIONS, options);
  const { signal, onProgress, attempts = 3 } = options;
  const { where, params, aggregates, by, targetBytes } = plan;
  signal?.throwIfAborted();
  const filter = { ...(where === undefined ? {} : { where }), ...(params === undefined ? {} : { params }) };
  const view = where === undefined ? dataset : dataset.where(where, params);
  // Nothing is read: what is asked is checked before any job is added.
  const nothing = await answerOf(view.head(0), aggregates, by);
  const splits = await dataset.splits({
    ...filter,
    columns: columnsOf(aggregates, by),
    ...(targetBytes === undefined ? {} : { targetBytes }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (splits.length === 0) return nothing;
  const progress = new Progress(splits, onProgress);
  const states: (PartialState | undefined)[] = splits.map(() => undefined);
  const run = randomUUID();
  const jobs = new Jobs(
    queue,
    splits.map((split, number) => ({
      id: `${run}-${String(number)}`,
      name: JOB_NAME,
      data: scanJob({ split, aggregates, ...filter, ...(by === undefined ? {} : { by }) }),
    })),
    attempts,
  );
  await jobs.run((number, { state, reason, attempts: made, code }) => {
    const split = splits[number] as Split;
    if (reason !== undefined) throw new SplitError(split, reason, made, code);
    states[number] = state;
    progress.add(split);
  }, signal);
  return merged(splits, states as PartialState[]);
}

/** @throws SplitError where a job gave what is no state of this question. */
function merged(splits: readonly Split[], states: readonly PartialState[]): DistributedAnswer {
  try {
    return mergePartials(states);
  } catch (error) {
    const first = states[0] as PartialState;
    for (const [number, state] of states.entries())
      try {
        mergePartials(number === 0 ? [first] : [first, state]);
      } catch (reason) {
        throw new SplitError(splits[number] as Split, reasonOf(reason), 1);
      }
    throw error;
  }
}

async function answerOf(view: Table, aggregates: AggregateSpecs, by?: readonly string[]): Promise<DistributedAnswer> {
  if (by === undefined || by.length === 0) return view.agg(aggregates);
  return (await view.groupBy(...by).agg(aggregates)).columns;
}

/** Whose bytes make a split. */
function columnsOf(aggregates: AggregateSpecs, by: readonly string[] = []): readonly string[] {
  return [
    ...new Set([...by, ...Object.values(aggregates).flatMap((each) => Object.values(each === 'count' ? {} : each))]),
  ];
}

class Progress {
  readonly #splitCount: number;
  readonly #rowCount: number;
  readonly #tell: ((progress: DistributedProgress) => void) | undefined;
  #splitsDone = 0;
  #rowsDone = 0;

  constructor(splits: readonly Split[], tell: ((progress: DistributedProgress) => void) | undefined) {
    this.#splitCount = splits.length;
    this.#rowCount = splits.reduce((sum, split) => sum + rowsOf(split), 0);
    this.#tell = tell;
    this.#told();
  }

  add(split: Split): void {
    this.#splitsDone += 1;
    this.#rowsDone += rowsOf(split);
    this.#told();
  }

  #told(): void {
    this.#tell?.({
      splitsDone: this.#splitsDone,
      splitCount: this.#splitCount,
      rowsDone: this.#rowsDone,
      rowCount: this.#rowCount,
    });
  }
}

function rowsOf({ rows }: Split): number {
  return rows.end - rows.start;
}
