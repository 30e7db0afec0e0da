// The calls of a streaming writer, from the first to the last: one after the other in the order in which they were
// made, in either form; what fails while the file is being changed is the failure of the writer from then on; a writer
// that is never closed is told.
import { ClosedError } from '../errors/errors.ts';
import { isError } from '../errors/system-error.ts';
import { ignoringFailure } from '../effects/effect.ts';
import { run, runSync } from '../effects/run.ts';
import type { Work } from '../effects/effect.ts';
import { CallQueue } from './call-queue.ts';
import { LeakWarning } from './leak-warning.ts';
import type { Leak } from './leak-warning.ts';

export interface CallsSetup {
  readonly path: string;
  readonly leak: Leak;
  /** After a failure of the writer: ends what is open, and keeps what is to be kept. */
  readonly giveUp: () => Work<void>;
}

/** Something failed while the file was being changed: `cause` is the failure of the writer. */
export class Broken extends Error {
  constructor(reason: unknown) {
    super('broken', { cause: reason });
  }
}

/** What goes wrong in this work leaves the file in a state that only `giveUp` knows how to end. */
export function* breaking<T>(work: Work<T>): Work<T> {
  try {
    return yield* work;
  } catch (error) {
    throw error instanceof Broken ? error : new Broken(error);
  }
}

export class WriterCalls {
  readonly #setup: CallsSetup;
  readonly #warning: LeakWarning;
  readonly #queue = new CallQueue();
  #closed = false;
  #failure: Error | null = null;

  /** @param owner the writer: where it is collected before it was closed, that is told. */
  constructor(owner: object, setup: CallsSetup) {
    this.#setup = setup;
    this.#warning = new LeakWarning(owner, setup.leak);
  }

  /** Whether the last call was made. */
  get closed(): boolean {
    return this.#closed;
  }

  get failure(): Error | null {
    return this.#failure;
  }

  /** Whether a call would be performed at once. */
  get idle(): boolean {
    return !this.#closed && this.#failure === null && this.#queue.idle;
  }

  /** Resolves when the calls so far have ended, however they did. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** @throws the failure of the writer; ClosedError. */
  requireOpen(operation: string): void {
    this.requireWorking();
    if (this.#closed) throw new ClosedError(operation, this.#setup.path);
  }

  /** @throws the failure of the writer. */
  requireWorking(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** For the Sync twin of a call. @throws ArgumentError while a call is under way. */
  requireIdle(operation: string): void {
    this.#queue.requireIdle(operation);
  }

  /** Performs a call when all earlier ones have ended. */
  run(work: () => Work<void>): Promise<void> {
    return this.#queue.run(async () => {
      this.requireWorking();
      try {
        await run(work());
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        const failure = this.#fail(error);
        await run(ignoringFailure(this.#setup.giveUp()));
        throw failure;
      }
    });
  }

  runSync(operation: string, work: () => Work<void>): void {
    this.#queue.requireIdle(operation);
    this.requireWorking();
    try {
      runSync(work());
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      const failure = this.#fail(error);
      runSync(ignoringFailure(this.#setup.giveUp()));
      throw failure;
    }
  }

  /** The last call; nothing where it was made already. */
  async close(finish: () => Work<void>): Promise<void> {
    if (this.#shut()) await this.run(finish);
  }

  closeSync(operation: string, finish: () => Work<void>): void {
    if (this.#closed) return;
    this.#queue.requireIdle(operation);
    this.#shut();
    this.runSync(operation, finish);
  }

  /** In place of the last call: what was written is undone. Nothing after a failure, which has done so. */
  async abort(undo: () => Work<void>): Promise<void> {
    if (!this.#shut()) return;
    await this.#queue.settled();
    if (this.#failure === null) await run(undo());
  }

  abortSync(operation: string, undo: () => Work<void>): void {
    if (this.#closed) return;
    this.#queue.requireIdle(operation);
    if (this.#shut() && this.#failure === null) runSync(undo());
  }

  #shut(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.#warning.stop();
    return true;
  }

  /** Whoever waited is told: no warning is needed any more. */
  #fail({ cause }: Broken): Error {
    this.#warning.stop();
    this.#failure = isError(cause) ? cause : new Error(String(cause));
    return this.#failure;
  }
}
