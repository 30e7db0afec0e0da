// Where a writer's bytes go, as operations of its work; and files that are written in one go.
import { openFileSink, openFileSinkSync } from '../durable/file-sink.ts';
import type { FileSinkOptions } from '../durable/file-sink.ts';
import { filesOf, onFiles } from '../durable/files-option.ts';
import { perform } from '../effects/effect.ts';
import type { Operation, Work } from '../effects/effect.ts';
import type { Sink } from '../memory/sink.ts';

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
}

class SinkOutput implements Output {
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  get position(): number {
    return this.#sink.position;
  }

  write(bytes: Uint8Array): Operation<void> {
    return { run: () => this.#sink.write(bytes), runSync: () => this.#sink.writeSync(bytes) };
  }

  writeAt(byteOffset: number, bytes: Uint8Array): Operation<void> {
    return {
      run: () => this.#sink.writeAt(byteOffset, bytes),
      runSync: () => this.#sink.writeAtSync(byteOffset, bytes),
    };
  }

  finish(): Operation<void> {
    return { run: () => this.#sink.finish(), runSync: () => this.#sink.finishSync() };
  }

  abort(): Operation<void> {
    return { run: () => this.#sink.abort(), runSync: () => this.#sink.abortSync() };
  }
}

/** An atomic file, of a writer's options. @throws as `openFileSink`. */
export function openOutput(path: string | URL, settings: OutputSettings): Operation<Output> {
  const { overwrite, durability, flock } = settings;
  const files = filesOf(settings);
  const plain: FileSinkOptions = {
    ...(overwrite === undefined ? {} : { overwrite }),
    ...(durability === undefined ? {} : { durability }),
    ...(flock === undefined ? {} : { flock }),
  };
  const given = files === undefined ? plain : onFiles(files, plain);
  return {
    run: async () => new SinkOutput(await openFileSink(path, given)),
    runSync: () => new SinkOutput(openFileSinkSync(path, given)),
  };
}

/**
 * A file written in one go: whoever opens the path sees the old file or the new one at every moment; after a failure
 * the old one, and nothing beside it.
 */
export function* writeFile<T>(
  path: string | URL,
  settings: OutputSettings,
  fill: (output: Output) => Work<T>,
): Work<T> {
  const output = yield* perform(openOutput(path, settings));
  try {
    const result = yield* fill(output);
    yield* perform(output.finish());
    return result;
  } catch (error) {
    yield* perform(output.abort());
    throw error;
  }
}
