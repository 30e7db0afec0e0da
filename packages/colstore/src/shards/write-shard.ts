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

/** Writes one record. @throws IoError ERR_EXISTS, ERR_WRITE; what the columns throw. */
export function* writeShard(path: string, input: InputColumns, settings: ShardSettings): Work<void> {
  const { statistics, ...options } = settings;
  const plan = planFile(input.fields, input.rowCount, 'records', statistics === true);
  yield* writeFile(path, { ...options, ...NEW_FILE }, (output) => fillFile(output, plan, input, {}));
}

/**
 * Copies a file as it was when its layout was read: what a writer has added since, to its end and to its counters, is
 * left out.
 */
export function* copyShard(
  path: string,
  source: RandomAccessSource,
  layout: FileLayout,
  settings: ShardSettings,
): Work<void> {
  yield* writeFile(path, { ...settings, ...NEW_FILE }, (output) => copy(output, source, layout));
}

function* copy(output: Output, source: RandomAccessSource, layout: FileLayout): Work<void> {
  const { byteLength } = layout;
  for (let start = 0; start < byteLength; start += COPIED_BYTES) {
    yield TURN;
    yield* perform(output.write(yield* readBytes(source, start, Math.min(COPIED_BYTES, byteLength - start))));
  }
  if (layout.wire !== 'records-64') return;
  const { rowCount, statisticsOffset, bodyOffsets } = layout;
  const counters = formatCounters({ recordCount: bodyOffsets.length, rowCount, statisticsOffset });
  yield* perform(output.writeAt(COUNTERS_OFFSET, counters));
}
