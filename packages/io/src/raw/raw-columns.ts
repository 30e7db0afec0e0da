// Raw columns in Node: the addon's loops, over the mapping of a source.
import type { NativeBinding, NativeSegments } from '../backend/native.ts';
import { chosenWorkers } from '../backend/settings.ts';
import { packRaw, unpackRaw } from './raw-program.ts';
import type { RawAnswer, RawProgram } from './raw-program.ts';

export interface RawOptions {
  /** Most threads; absent or 0: the process-wide setting. */
  readonly workers?: number;
  /** Rejects with the signal's reason; a run of the addon goes on to its end. */
  readonly signal?: AbortSignal;
}

/**
 * Looks at rows of a source's columns without copying them.
 * @throws ArgumentError ERR_ARGUMENT for rows or columns outside of the source; IoError ERR_FILE_CHANGED, ERR_READ;
 * ClosedError.
 */
export interface RawColumns {
  /** On the addon's threads. */
  run(program: RawProgram, options?: RawOptions): Promise<RawAnswer>;
  /** On the calling thread (and the kernels' own). */
  runSync(program: RawProgram, options?: RawOptions): RawAnswer;
}

/** @param explain what a failure of the addon is to users. */
export function rawColumns(
  binding: NativeBinding,
  segments: NativeSegments,
  explain: (error: unknown) => Error,
): RawColumns {
  return {
    async run(program, { workers, signal } = {}) {
      signal?.throwIfAborted();
      const packed = packRaw(program);
      const { numbers, constants, bits, results } = packed;
      try {
        await binding.runRaw(segments, numbers, constants, bits, results, workers || chosenWorkers());
      } catch (error) {
        throw explain(error);
      }
      signal?.throwIfAborted();
      return unpackRaw(program, packed);
    },
    runSync(program, { workers } = {}) {
      const packed = packRaw(program);
      const { numbers, constants, bits, results } = packed;
      try {
        binding.runRawSync(segments, numbers, constants, bits, results, workers || chosenWorkers());
      } catch (error) {
        throw explain(error);
      }
      return unpackRaw(program, packed);
    },
  };
}
