// The same names as output.ts for browsers: sinks and handles of files, and no paths.
import type { Operation, Work } from '../effects/effect.ts';
import { UnsupportedError } from '../errors/errors.ts';
import { fillOutput, outputOf } from './sink-output.ts';
import type { Output, OutputSettings, WriteTarget } from './sink-output.ts';

/** @throws UnsupportedError ERR_FEATURE for a path, and for a handle that the browser does not write to. */
export function openOutput(target: WriteTarget, settings: OutputSettings): Operation<Output> {
  const given = outputOf(target, settings);
  if (given !== null) return given;
  throw new UnsupportedError(
    'ERR_FEATURE',
    'writing to a path',
    'a browser writes to a MemorySink (its bytes() make a Blob) or (Safari from 26) to the handle of a file',
  );
}

export function writeFile<T>(
  target: WriteTarget,
  settings: OutputSettings,
  fill: (output: Output) => Work<T>,
): Work<T> {
  return fillOutput(openOutput(target, settings), fill);
}
