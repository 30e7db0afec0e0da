// Reading as steps: a generator says which bytes it needs next, or that now is a good moment to let others run. One description serves the async and the Sync form; bytes are counted here.
import { copyRanges, copyRangesSync } from '@colkit/io';
import type { CopyRangesRequest, RandomAccessSource } from '@colkit/io';
import { Turns } from '@colkit/table';

/** Work that is wanted soon: the async form begins it while other work is done (the addon has threads of its own), the Sync form performs it when it is waited for. */
export interface Work {
  begin(context: StepContext): Promise<void>;
  perform(context: StepContext): void;
}

export class Ahead {
  readonly work: Work;
  /** Set where it was begun. */
  doing: Promise<void> | null = null;

  constructor(work: Work) {
    this.work = work;
  }
}

/** Ranges that are to be filled soon. */
export function rangesAhead(request: CopyRangesRequest): Ahead {
  return new Ahead({ begin: (context) => fill(request, context), perform: (context) => fillSync(request, context) });
}

/** Ranges to fill; an `Ahead` to begin, and when it comes again to wait for; null: everything is done up to here, somebody else may have a turn. */
export type Step = CopyRangesRequest | Ahead | null;
export type Steps<T> = Generator<Step, T, undefined>;

/** Where and how the steps of one operation run; `bytesRead` grows with every byte asked of the source. */
export interface StepContext {
  readonly source: RandomAccessSource;
  readonly signal?: AbortSignal | undefined;
  /** Most threads of the addon; absent or 0: the process-wide setting. */
  readonly workers?: number;
  bytesRead: number;
}

/** Performs the steps; the event loop gets a turn between pages. Rejects with the signal's reason. */
export async function runSteps<T>(steps: Steps<T>, context: StepContext): Promise<T> {
  const { signal } = context;
  signal?.throwIfAborted();
  const turns = new Turns();
  let step = steps.next();
  while (step.done !== true) {
    try {
      if (step.value instanceof Ahead) {
        if (step.value.doing === null) begin(step.value, context);
        else await step.value.doing;
      } else if (step.value !== null) await fill(step.value, context);
      else if (turns.isOver) await turns.pass(signal);
    } catch (error) {
      // The generator gives back what it borrowed, and fails with this error.
      steps.throw(error);
      throw error;
    }
    step = steps.next();
  }
  return step.value;
}

/** The same on the calling thread. @throws what the source throws where it has no Sync form. */
export function runStepsSync<T>(steps: Steps<T>, context: StepContext): T {
  context.signal?.throwIfAborted();
  const announced = new Set<Ahead>();
  let step = steps.next();
  while (step.done !== true) {
    const ahead = step.value instanceof Ahead ? step.value : null;
    if (ahead !== null && !announced.has(ahead)) announced.add(ahead);
    else if (step.value !== null) {
      try {
        if (ahead === null) fillSync(step.value as CopyRangesRequest, context);
        else ahead.work.perform(context);
      } catch (error) {
        steps.throw(error);
        throw error;
      }
    }
    step = steps.next();
  }
  return step.value;
}

function begin(ahead: Ahead, context: StepContext): void {
  ahead.doing = ahead.work.begin(context);
  // It is waited for in its turn; until then its failure is nobody's.
  ahead.doing.catch(() => undefined);
}

function fill(request: CopyRangesRequest, context: StepContext): Promise<void> {
  count(request, context);
  const { source, signal, workers = 0 } = context;
  return copyRanges(source, { ...request, workers, ...(signal === undefined ? {} : { signal }) });
}

function fillSync(request: CopyRangesRequest, context: StepContext): void {
  count(request, context);
  copyRangesSync(context.source, { ...request, workers: context.workers ?? 0 });
}

function count({ lengths }: CopyRangesRequest, context: StepContext): void {
  for (const length of lengths) context.bytesRead += length;
}

/** One range into memory of its own. */
export function* fetchRange(byteOffset: number, byteLength: number): Steps<Uint8Array> {
  const out = new Uint8Array(byteLength);
  if (byteLength > 0) yield { offsets: Float64Array.of(byteOffset), lengths: Float64Array.of(byteLength), out, outOffsets: Float64Array.of(0) };
  return out;
}
