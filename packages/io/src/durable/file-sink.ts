// An atomic file: bytes go to a temporary file in the target's folder, which takes the target's name when it is
// complete and on the disk. Whoever opens the target sees the old content or the new one, never a part; after a failure
// nothing is left behind. Nobody is kept out while the bytes are written; only the replacement itself is under the lock
// of the target, so that no other writer's rows go with the file that is replaced.
//   create temporary -> write … -> sync -> lock -> close -> rename -> sync the folder -> unlock
//   and link in place of rename, without a lock, where an existing target must not be replaced
import { basename, join } from 'node:path';
import { ArgumentError, ClosedError } from '../errors/errors.ts';
import { filePath } from '../source/paths/file-path.ts';
import { checkOptions, option } from '../options/index.ts';
import type { OptionSet } from '../options/index.ts';
import { checkPatch, givenBytes } from '../memory/sink.ts';
import type { Sink } from '../memory/sink.ts';
import type { Work } from '../effects/effect.ts';
import { contextOf, run, runSync } from '../effects/run.ts';
import type { WorkContext } from '../effects/work-context.ts';
import { fileCall } from './file-call.ts';
import { lockFile, pathLock, refuseLocked } from './file-lock.ts';
import type { FileLock } from './file-lock.ts';
import { filesOf } from './files-option.ts';
import { createBeside, discard, publish, removeAbandoned, setMode, writeAll } from './publish.ts';
import { findTarget, modeOf, requireFile, requireNothing, writeFailed } from './target.ts';
import type { Target } from './target.ts';
import { temporaryName } from './temporary-name.ts';
import { unfinished } from './unfinished.ts';

export interface FileSinkOptions {
  /**
   * Replace an existing file. Default false: IoError ERR_EXISTS, at once or, where the file appeared meanwhile, at the
   * end.
   */
  readonly overwrite?: boolean;
  /**
   * 'full', the default: after `finish` the file survives a power failure. 'none': nothing is synced; a power failure
   * may leave an empty or partial file.
   */
  readonly durability?: 'full' | 'none';
  /** Also respect, and take, the lock of the file that is replaced (flock), which writers of other programs take. */
  readonly flock?: boolean;
  /**
   * The caller holds a lock under which alone files of this folder get their names: without hard links a new file gets
   * its name by a rename, and no empty one holds it first.
   */
  readonly ownsFolder?: boolean;
  /** The caller has reserved the path (`reserve`), and keeps it so until this is finished or given up. */
  readonly ownsPath?: boolean;
}

const SINK_OPTIONS: OptionSet<FileSinkOptions> = {
  overwrite: option.flag,
  durability: option.word('full', 'none'),
  flock: option.flag,
  ownsFolder: option.flag,
  ownsPath: option.flag,
};

/**
 * Opens an atomic file for writing. Temporary files of the same target whose writers have died are removed first.
 * @throws IoError ERR_EXISTS, ERR_LOCKED (somebody else is writing it), ERR_WRITE (no such folder, not a regular file,
 * read-only, disk full); ArgumentError.
 */
export async function openFileSink(path: string | URL, options: FileSinkOptions = {}): Promise<Sink> {
  checkOptions('openFileSink', SINK_OPTIONS, options);
  const plan = planOf(path, options);
  return run(opening(plan), plan.context);
}

/** The same, synchronously. */
export function openFileSinkSync(path: string | URL, options: FileSinkOptions = {}): Sink {
  checkOptions('openFileSinkSync', SINK_OPTIONS, options);
  const plan = planOf(path, options);
  return runSync(opening(plan), plan.context);
}

interface Plan {
  /** As the caller named it. */
  readonly path: string;
  readonly overwrite: boolean;
  readonly durable: boolean;
  readonly flock: boolean;
  readonly ownsFolder: boolean;
  readonly ownsPath: boolean;
  /** On which files. */
  readonly context: WorkContext;
}

function planOf(path: string | URL, options: FileSinkOptions): Plan {
  const { overwrite = false, durability = 'full', flock = false, ownsFolder = false, ownsPath = false } = options;
  return {
    path: filePath(path),
    overwrite,
    durable: durability === 'full',
    flock,
    ownsFolder,
    ownsPath,
    context: contextOf({ operations: filesOf(options) }),
  };
}

function* opening(plan: Plan): Work<Sink> {
  let path = '';
  try {
    const target = yield* findTarget(plan.path);
    if (plan.overwrite) requireFile(target);
    else requireNothing(target);
    if (!plan.ownsPath) yield* refuseLocked(target, plan.flock);
    yield* removeAbandoned(target.folder, [target.name, basename(pathLock(target))]);
    path = join(target.folder, temporaryName(target.name));
    // Before it is there: a signal may come between its making and the next step here.
    unfinished.files.add(path);
    const fd = yield* createBeside(path, target);
    return new FileSink(plan, target, { path, fd });
  } catch (error) {
    unfinished.files.delete(path);
    throw writeFailed(plan.path, error);
  }
}

/** Where the bytes go until they are published. */
interface Temporary {
  readonly path: string;
  readonly fd: number;
}

class FileSink implements Sink {
  readonly #plan: Plan;
  readonly #target: Target;
  readonly #temporary: Temporary;
  #position = 0;
  /** Until it is finished or given up. */
  #isOpen = true;
  #descriptorOpen = true;
  #failure: Error | null = null;
  /** Settles when no asynchronous step is under way any more. */
  #idle: Promise<void> = Promise.resolve();
  #running = 0;

  constructor(plan: Plan, target: Target, temporary: Temporary) {
    this.#plan = plan;
    this.#target = target;
    this.#temporary = temporary;
  }

  get position(): number {
    return this.#position;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#run(() => this.#append(bytes));
  }

  writeSync(bytes: Uint8Array): void {
    this.#runSync(() => this.#append(bytes));
  }

  writeAt(byteOffset: number, bytes: Uint8Array): Promise<void> {
    return this.#run(() => this.#patch(byteOffset, bytes));
  }

  writeAtSync(byteOffset: number, bytes: Uint8Array): void {
    this.#runSync(() => this.#patch(byteOffset, bytes));
  }

  finish(): Promise<void> {
    return this.#run(() => this.#finishing());
  }

  finishSync(): void {
    this.#runSync(() => this.#finishing());
  }

  async abort(): Promise<void> {
    const mine = this.#isOpen;
    this.#isOpen = false;
    await this.#idle;
    if (mine) await run(this.#discarding(), this.#plan.context);
  }

  abortSync(): void {
    this.#refuseWhileRunning();
    if (!this.#isOpen) return;
    this.#isOpen = false;
    runSync(this.#discarding(), this.#plan.context);
  }

  /** The offset of the bytes is taken at the call, whenever they are written. */
  #append(bytes: Uint8Array): Work<void> {
    const given = givenBytes(bytes);
    const at = this.#position;
    this.#position += given.byteLength;
    return writeAll(this.#temporary.fd, given, at);
  }

  #patch(byteOffset: number, bytes: Uint8Array): Work<void> {
    const given = givenBytes(bytes);
    checkPatch(byteOffset, given.byteLength, this.#position);
    return writeAll(this.#temporary.fd, given, byteOffset);
  }

  *#finishing(): Work<void> {
    const { overwrite, durable } = this.#plan;
    if (durable) yield* fileCall<'sync'>({ kind: 'sync', fd: this.#temporary.fd });
    if (overwrite) yield* this.#replacing();
    else yield* this.#publishing(this.#target);
    this.#isOpen = false;
    unfinished.files.delete(this.#temporary.path);
  }

  *#replacing(): Work<void> {
    if (this.#plan.ownsPath) {
      yield* this.#replacingWhat(yield* fileCall<'inspect'>({ kind: 'inspect', path: this.#target.path }), null);
      return;
    }
    const lock = yield* lockFile(this.#target, 'replace', { flock: this.#plan.flock });
    try {
      yield* this.#replacingWhat(lock.facts, lock);
    } finally {
      yield* lock.release();
    }
  }

  /** @param facts of what stands at the path now. */
  *#replacingWhat(facts: Target['facts'], lock: FileLock | null): Work<void> {
    const now: Target = { ...this.#target, facts };
    requireFile(now);
    const mode = modeOf(now);
    if (mode !== null && mode !== modeOf(this.#target)) {
      yield* setMode(this.#temporary.fd, mode);
      if (this.#plan.durable) yield* fileCall<'sync'>({ kind: 'sync', fd: this.#temporary.fd });
    }
    if (lock !== null) yield* lock.allowReplacement();
    yield* this.#publishing(now);
  }

  *#publishing(target: Target): Work<void> {
    const { overwrite, durable, ownsFolder } = this.#plan;
    this.#descriptorOpen = false;
    yield* fileCall<'close'>({ kind: 'close', fd: this.#temporary.fd });
    yield* publish(this.#temporary.path, target, { overwrite, durable, keep: false, ownsFolder });
  }

  /** Nothing to do after a failure, which has cleaned up; and nothing is there after `finish`. */
  *#discarding(): Work<void> {
    if (this.#failure !== null) return;
    yield* discard(this.#descriptorOpen ? this.#temporary.fd : null, this.#temporary.path);
    unfinished.files.delete(this.#temporary.path);
  }

  /** Asynchronous steps run one after the other, in the order of the calls. */
  async #run(begin: () => Work<void>): Promise<void> {
    this.#checkOpen();
    const steps = begin();
    const mine = this.#after(this.#idle, steps);
    this.#idle = mine.then(noop, noop);
    return mine;
  }

  async #after(before: Promise<void>, steps: Work<void>): Promise<void> {
    this.#running++;
    try {
      if (this.#running > 1) await before;
      this.#checkOpen();
      await run(this.#guarded(steps), this.#plan.context);
    } finally {
      this.#running--;
    }
  }

  #runSync(begin: () => Work<void>): void {
    this.#refuseWhileRunning();
    this.#checkOpen();
    runSync(this.#guarded(begin()), this.#plan.context);
  }

  /** Where a step fails, what was written is discarded at once, and the sink stays failed. */
  *#guarded(steps: Work<void>): Work<void> {
    try {
      yield* steps;
    } catch (error) {
      const failure = writeFailed(this.#plan.path, error);
      yield* this.#discarding();
      this.#failure = failure;
      throw failure;
    }
  }

  #checkOpen(): void {
    if (this.#failure !== null) throw this.#failure;
    if (!this.#isOpen) throw new ClosedError('write', this.#plan.path);
  }

  #refuseWhileRunning(): void {
    if (this.#running > 0)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'sink',
        'no asynchronous call under way at a Sync one',
        `${String(this.#running)} of them`,
      );
  }
}

function noop(): void {
  // The failure is told to the one whose call it was.
}
