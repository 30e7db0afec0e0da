// A sink as the operations of a writer's work, and what may be given for a sink: one's own, or the handle of a file as
// browsers have them.
import { ignoringFailure, perform } from '../effects/effect.ts';
import type { Operation, Work } from '../effects/effect.ts';
import { describeValue } from '../errors/describe-value.ts';
import { ArgumentError } from '../errors/errors.ts';
import type { Sink } from '../memory/sink.ts';
import { HandleSink, noSync } from './handle-sink.ts';
import type { FileHandle } from './handle-sink.ts';

/**
 * Where a file is written: a path (in Node), a sink such as `MemorySink` that nothing was written to, or the handle of
 * a file (in browsers).
 */
export type WriteTarget = string | URL | Sink | FileHandle;

/** As `Sink`: nothing is visible before `finish`, `abort` leaves nothing behind. */
export interface Output {
  /** Bytes written so far: where the next ones go. */
  readonly position: number;
  write(bytes: Uint8Array): Operation<void>;
  /** Overwrites bytes that were written before. */
  writeAt(byteOffset: number, bytes: Uint8Array): Operation<void>;
  finish(): Operation<void>;
  abort(): Operation<void>;
}

/** What the options of all writers have in common; they were checked. */
export interface OutputSettings {
  readonly overwrite?: boolean | undefined;
  readonly durability?: 'full' | 'none' | undefined;
  /** See `openFileSink`. */
  readonly flock?: boolean | undefined;
  /** See `openFileSink`. */
  readonly ownsFolder?: boolean | undefined;
  /** See `openFileSink`. */
  readonly ownsPath?: boolean | undefined;
}

/** A file begins where its sink does, and is alone in it: places in files are counted from there. */
export class SinkOutput implements Output {
  readonly #sink: Sink;
  /** What the sink has where nothing else writes to it. */
  #written = 0;
  #isOurs = true;

  /** @throws ArgumentError ERR_ARGUMENT where something was written to the sink before. */
  constructor(sink: Sink) {
    this.#sink = sink;
    this.#own();
  }

  get position(): number {
    return this.#sink.position;
  }

  write(bytes: Uint8Array): Operation<void> {
    const { byteLength } = bytes;
    return {
      run: async () => {
        await this.#own().write(bytes);
        this.#written += byteLength;
      },
      runSync: () => {
        this.#own().writeSync(bytes);
        this.#written += byteLength;
      },
    };
  }

  writeAt(byteOffset: number, bytes: Uint8Array): Operation<void> {
    return {
      run: async () => this.#own().writeAt(byteOffset, bytes),
      runSync: () => this.#own().writeAtSync(byteOffset, bytes),
    };
  }

  finish(): Operation<void> {
    return { run: async () => this.#own().finish(), runSync: () => this.#own().finishSync() };
  }

  /** Leaves the sink to the other writer where there is one. */
  abort(): Operation<void> {
    return {
      run: async () => (this.#isOurs ? this.#sink.abort() : undefined),
      runSync: () => (this.#isOurs ? this.#sink.abortSync() : undefined),
    };
  }

  #own(): Sink {
    const { position } = this.#sink;
    if (position === this.#written) return this.#sink;
    this.#isOurs = false;
    const found = `${String(position)} bytes in it`;
    throw new ArgumentError('ERR_ARGUMENT', 'path', 'a sink that nothing else was or is written to', found);
  }
}

const SINK_METHODS = ['write', 'writeSync', 'writeAt', 'writeAtSync', 'finish', 'finishSync', 'abort', 'abortSync'];

/** What is no path; also where a caller without types gives null. */
function isObject(target: unknown): target is Sink | FileHandle {
  return typeof target === 'object' && target !== null && !(target instanceof URL);
}

function isSink(target: object): target is Sink {
  return 'position' in target && SINK_METHODS.every((name) => typeof Reflect.get(target, name) === 'function');
}

/** Also one that its browser does not write to. */
function isHandle(target: object): target is FileHandle {
  return 'getFile' in target;
}

/** For what was written there, and for messages. @throws ArgumentError for what is no target. */
export function targetName(target: WriteTarget, pathOf: (path: string | URL) => string): string {
  if (!isObject(target)) return pathOf(target);
  if (isHandle(target)) return target.name;
  if (isSink(target)) return '<sink>';
  throw new ArgumentError(
    'ERR_ARGUMENT',
    'path',
    'the path of a file, a sink, or the handle of a file',
    describeValue(target),
  );
}

/** Null for a path, and for a handle that its browser does not write to. */
export function outputOf(target: WriteTarget, settings: OutputSettings): Operation<Output> | null {
  if (!isObject(target)) return null;
  if ('createWritable' in target) {
    return {
      run: async () => new SinkOutput(await HandleSink.open(target, settings.overwrite === true)),
      runSync: () => {
        throw noSync();
      },
    };
  }
  if (!isSink(target)) return null;
  const runSync = (): Output => new SinkOutput(target);
  return { run: () => Promise.resolve().then(runSync), runSync };
}

/**
 * Fills an output and finishes it: whoever looks sees the old file or the new one at every moment; after a failure the
 * old one, and nothing beside it.
 */
export function* fillOutput<T>(opening: Operation<Output>, fill: (output: Output) => Work<T>): Work<T> {
  const output = yield* perform(opening);
  try {
    const result = yield* fill(output);
    yield* perform(output.finish());
    return result;
  } catch (error) {
    yield* ignoringFailure(perform(output.abort()));
    throw error;
  }
}
