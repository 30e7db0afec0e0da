// Where a writer's bytes go: sinks, and files of the system.
import { openFileSink, openFileSinkSync } from '../durable/file-sink.ts';
import type { FileSinkOptions } from '../durable/file-sink.ts';
import { filesOf, onFiles } from '../durable/files-option.ts';
import type { Operation, Work } from '../effects/effect.ts';
import { SinkOutput, fillOutput, outputOf } from './sink-output.ts';
import type { Output, OutputSettings, WriteTarget } from './sink-output.ts';

export type { Output, OutputSettings, WriteTarget } from './sink-output.ts';

/** A sink, the handle of a file, or an atomic file by its path, of a writer's options. @throws as `openFileSink`. */
export function openOutput(target: WriteTarget, settings: OutputSettings): Operation<Output> {
  const given = outputOf(target, settings);
  if (given !== null) return given;
  const path = target as string | URL;
  const { overwrite, durability, flock, ownsFolder, ownsPath } = settings;
  const files = filesOf(settings);
  const plain: FileSinkOptions = {
    ...(overwrite === undefined ? {} : { overwrite }),
    ...(durability === undefined ? {} : { durability }),
    ...(flock === undefined ? {} : { flock }),
    ...(ownsFolder === undefined ? {} : { ownsFolder }),
    ...(ownsPath === undefined ? {} : { ownsPath }),
  };
  const own = files === undefined ? plain : onFiles(files, plain);
  return {
    run: async () => new SinkOutput(await openFileSink(path, own)),
    runSync: () => new SinkOutput(openFileSinkSync(path, own)),
  };
}

/** A file written in one go. @throws as `openOutput`; what `fill` throws. */
export function writeFile<T>(
  target: WriteTarget,
  settings: OutputSettings,
  fill: (output: Output) => Work<T>,
): Work<T> {
  return fillOutput(openOutput(target, settings), fill);
}
