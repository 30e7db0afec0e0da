// Reading as steps: a generator says which bytes it needs next, or that now is a good moment to let others run. One description serves the async and the Sync form; bytes are counted here.
import { copyRanges, copyRangesSync } from '@colkit/io';
import type { CopyRangesRequest, RandomAccessSource } from '@colkit/io';

/** Ranges that are wanted soon: the async form fills them while other work is done (the addon on threads of its own), the Sync form when they are waited for. */
export class Ahead {
  readonly request: CopyRangesRequest;
  /** Set where it was started. */
  filling: Promise<void> | null = null;

  constructor(request: CopyRangesRequest) {
    this.request = request;
  }
}

/** Ranges to fill; an `Ahead` to start, and when it comes again to wait for; null: everything is done up to here, somebody else may have a turn. */
export type Step = CopyRangesRequest | Ahead | null;
export type Steps<T> = Generator<Step, T, undefined>;

/** Where and how the steps of one operation run; `bytesRead` grows with every byte asked of the source. */
export interface StepContext {
  readonly source: RandomAccessSource;
  readonly signal?: AbortSignal | undefined;
  bytesRead: number;
}

/** How long an async form works before it lets others run. */
const TURN_MS = 8;

/** Performs the steps; the event loop gets a turn between pages. Rejects with the signal's reason. */
export async function runSteps<T>(steps: Steps<T>, context: StepContext): Promise<T> {
  const { source, signal } = context;
  signal?.throwIfAborted();
  let turn = performance.now();
  let step = steps.next();
  while (step.done !== true) {
    try {
      if (step.value instanceof Ahead) {
        if (step.value.filling === null) start(step.value, context);
        else await step.value.filling;
      } else if (step.value !== null) {
        count(step.value, context);
        await copyRanges(source, signal === undefined ? step.value : { ...step.value, signal });
        turn = performance.now();
      } else if (performance.now() - turn > TURN_MS) {
        await nextTurn();
        signal?.throwIfAborted();
        turn = performance.now();
      }
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
    const request = step.value instanceof Ahead ? step.value.request : step.value;
    const isLater = step.value instanceof Ahead && !announced.has(step.value);
    if (isLater) announced.add(step.value as Ahead);
    else if (request !== null) {
      try {
        count(request, context);
        copyRangesSync(context.source, request);
      } catch (error) {
        steps.throw(error);
        throw error;
      }
    }
    step = steps.next();
  }
  return step.value;
}

function start(ahead: Ahead, context: StepContext): void {
  const { request } = ahead;
  count(request, context);
  ahead.filling = copyRanges(context.source, context.signal === undefined ? request : { ...request, signal: context.signal });
  // It is waited for in its turn; until then its failure is nobody's.
  ahead.filling.catch(() => undefined);
}

function count({ lengths }: CopyRangesRequest, context: StepContext): void {
  for (const length of lengths) context.bytesRead += length;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** One range into memory of its own. */
export function* fetchRange(byteOffset: number, byteLength: number): Steps<Uint8Array> {
  const out = new Uint8Array(byteLength);
  if (byteLength > 0) yield { offsets: Float64Array.of(byteOffset), lengths: Float64Array.of(byteLength), out, outOffsets: Float64Array.of(0) };
  return out;
}
