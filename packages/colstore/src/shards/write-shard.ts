// One file of a folder that grows, whole or not at all: a record of given columns, or the bytes of a file as they are.
import { readBytes, perform, TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { writeFile } from '@colkit/io/durable';
import type { Output } from '@colkit/io/durable';
import type { InputColumns } from '@colkit/table';
import type { RandomAccessSource } from '@colkit/io';
import { COUNTERS_OFFSET } from '../layout/constants.ts';
import { formatCounters } from '../layout/counters.ts';
import type { FileLayout } from '../layout/read-layout.ts';
import { fillFile } from '../write/fill-file.ts';
import { planFile } from '../write/plan-file.ts';

/** Bytes of a file that are copied at a time. */
const COPIED_BYTES = 8 * 1024 * 1024;
/** The lock of the folder is held. */
const NEW_FILE = { overwrite: false, ownsFolder: true } as const;

export interface ShardSettings {
  readonly statistics?: boolean | undefined;
  readonly durability?: 'full' | 'none' | undefined;
}

/** What writes the content of one file. */
export type FillShard = (output: Output) => Work<void>;

/** A file that is to be made. */
export interface NewShard {
  readonly path: string;
  readonly fill: FillShard;
}

/** One record. @throws ArgumentError ERR_SCHEMA; UnsupportedError ERR_DTYPE. */
export function recordShard(input: InputColumns, { statistics }: ShardSettings): FillShard {
  const plan = planFile(input.fields, input.rowCount, 'records', statistics === true);
  return (output) => fillFile(output, plan, input, {});
}

/**
 * A copy of a file of today's records layout as it was when its layout was read: what a writer has added since, to its
 * end and to its counters, is left out.
 */
export function copiedShard(source: RandomAccessSource, layout: FileLayout): FillShard {
  return (output) => copy(output, source, layout);
}

/** @throws IoError ERR_EXISTS, ERR_WRITE; what fills the file throws. */
export function* writeShard({ path, fill }: NewShard, settings: ShardSettings): Work<void> {
  yield* writeFile(path, { ...settings, ...NEW_FILE }, fill);
}

/**
 * Several files: all of them are filled before the first appears, and they appear in their order, so that an error adds
 * none, and a process that is killed among the last steps the first of them. @throws as `writeShard`.
 */
export function* writeShards(shards: readonly NewShard[], settings: ShardSettings): Work<void> {
  const last = shards.at(-1);
  if (last === undefined) return;
  const fill = (output: Output): Work<void> => fillAll(output, last, shards.slice(0, -1), settings);
  yield* writeShard({ path: last.path, fill }, settings);
}

function* fillAll(
  output: Output,
  { fill }: NewShard,
  before: readonly NewShard[],
  settings: ShardSettings,
): Work<void> {
  yield* fill(output);
  yield* writeShards(before, settings);
}

function* copy(output: Output, source: RandomAccessSource, layout: FileLayout): Work<void> {
  const { byteLength } = layout;
  for (let start = 0; start < byteLength; start += COPIED_BYTES) {
    yield TURN;
    yield* perform(output.write(yield* readBytes(source, start, Math.min(COPIED_BYTES, byteLength - start))));
  }
  const { rowCount, statisticsOffset, bodyOffsets } = layout;
  const counters = formatCounters({ recordCount: bodyOffsets.length, rowCount, statisticsOffset });
  yield* perform(output.writeAt(COUNTERS_OFFSET, counters));
}
