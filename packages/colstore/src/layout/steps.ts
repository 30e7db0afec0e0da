// A layout is read step by step: a generator asks for byte ranges and is handed the bytes. One description of the format so serves the async and the Sync reader, and a
// test can feed it bytes without any file. The head of the file is asked for once; what lies within the last block is not asked for again.
import { CorruptFileError, Cursor } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';

export interface ByteRange {
  readonly byteOffset: number;
  readonly byteLength: number;
}

/** Yields the ranges it needs; each is within the file, and the bytes come back exactly that long. */
export type Steps<T> = Generator<ByteRange, T, Uint8Array>;

/** Performs the steps with reads of `source`. */
export async function runSteps<T>(steps: Steps<T>, source: RandomAccessSource, signal?: AbortSignal): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    const bytes = new Uint8Array(step.value.byteLength);
    await source.read(step.value.byteOffset, bytes, signal);
    step = steps.next(bytes);
  }
  return step.value;
}

/** The same on the calling thread. @throws what the source throws where it has no Sync form. */
export function runStepsSync<T>(steps: Steps<T>, source: RandomAccessSource): T {
  let step = steps.next();
  while (step.done !== true) {
    const bytes = new Uint8Array(step.value.byteLength);
    source.readSync(step.value.byteOffset, bytes);
    step = steps.next(bytes);
  }
  return step.value;
}

/** The bytes of one file as its layout sees them: every range is checked against the file's size before it is asked for. */
export class FileBytes {
  readonly path: string;
  readonly byteLength: number;
  #block: Uint8Array = new Uint8Array(0);
  #blockOffset = 0;

  constructor(path: string, byteLength: number) {
    this.path = path;
    this.byteLength = byteLength;
  }

  /**
   * `byteLength` bytes at `byteOffset`, which is up to 2^53; `ahead` is how much to fetch at once where they are not at hand.
   * @throws CorruptFileError ERR_TRUNCATED where the file ends before them.
   */
  *take(byteOffset: number, byteLength: number, region: string, ahead = byteLength): Steps<Uint8Array> {
    const bytes = yield* this.takeAll(byteOffset, byteLength, region, ahead);
    return bytes.subarray(0, byteLength);
  }

  /** At least `byteLength` bytes at `byteOffset`: all that are at hand. @throws as `take`. */
  *takeAll(byteOffset: number, byteLength: number, region: string, ahead: number): Steps<Uint8Array> {
    this.require(byteOffset, byteLength, region);
    const start = byteOffset - this.#blockOffset;
    if (start >= 0 && start + byteLength <= this.#block.length) return this.#block.subarray(start);
    this.#block = yield { byteOffset, byteLength: Math.min(Math.max(byteLength, ahead), this.byteLength - byteOffset) };
    this.#blockOffset = byteOffset;
    return this.#block;
  }

  /** @throws CorruptFileError ERR_TRUNCATED unless [byteOffset, byteOffset + byteLength) is within the file. */
  require(byteOffset: number, byteLength: number, region: string): void {
    if (byteLength <= this.byteLength - byteOffset) return;
    throw this.corrupt('ERR_TRUNCATED', region, byteOffset, `${String(byteLength)} bytes`, `${String(Math.max(0, this.byteLength - byteOffset))} before the end of the file`);
  }

  /** A reader over bytes that stand at `byteOffset` of the file. */
  cursor(bytes: Uint8Array, region: string, byteOffset: number): Cursor {
    return new Cursor(bytes, { path: this.path, region, byteOffset });
  }

  corrupt(code: ConstructorParameters<typeof CorruptFileError>[0], region: string, byteOffset: number, expected: string, found: string): CorruptFileError {
    return new CorruptFileError(code, { path: this.path, region, byteOffset, expected, found });
  }
}
