// Where the bytes of a written file go, opened: a path in Node, a sink, the handle of a file.
import type { WriteTarget } from '@colkit/io';
import { openOutput } from '@colkit/io/durable';
import { perform, run } from '@colkit/io/effects';

/** Nothing is visible before `finish`; `abort` leaves nothing behind. */
export interface OpenTarget {
  readonly position: number;
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  abort(): Promise<void>;
}

/** @throws IoError ERR_EXISTS, ERR_WRITE; ArgumentError. */
export async function openTarget(target: WriteTarget, overwrite: boolean): Promise<OpenTarget> {
  const output = await run(perform(openOutput(target, { overwrite })));
  return {
    get position() {
      return output.position;
    },
    write: (bytes) => run(perform(output.write(bytes))),
    finish: () => run(perform(output.finish())),
    abort: () => run(perform(output.abort())),
  };
}

/** A file that is written by `fill`, whole or not at all. */
export async function fillTarget<T>(
  target: WriteTarget,
  overwrite: boolean,
  fill: (output: OpenTarget) => Promise<T>,
): Promise<T & { readonly byteLength: number }> {
  const output = await openTarget(target, overwrite);
  try {
    const result = await fill(output);
    await output.finish();
    return { ...result, byteLength: output.position };
  } catch (error) {
    await output.abort().catch(() => undefined);
    throw error;
  }
}
