// One file of a folder that grows, whole or not at all: a record of given columns, or the bytes of a file as they are.
import { readBytes, perform, TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { writeFile } from '@colkit/io/durable';
import type { Output } from '@colkit/io/durable';
import type { Chunk, InputColumn, InputColumns } from '@colkit/table';
import type { RandomAccessSource } from '@colkit/io';
import { COUNTERS_OFFSET } from '../layout/constants.ts';
import { formatCounters } from '../layout/counters.ts';
import type { FileLayout } from '../layout/read-layout.ts';
import { FooterBuilder } from '../streams/footer-builder.ts';
import { planFile, storedColumns } from '../write/plan-file.ts';
import type { FilePlan } from '../write/plan-file.ts';
import { itemsOf, streamFile } from '../write/stream-file.ts';

/** Bytes of a file that are copied at a time. */
const COPIED_BYTES = 8 * 1024 * 1024;

export interface ShardSettings {
  readonly statistics?: boolean | undefined;
  readonly durability?: 'full' | 'none' | undefined;
}

/** Writes one record. @throws IoError ERR_EXISTS, ERR_WRITE; what the columns throw. */
export function* writeShard(path: string, input: InputColumns, settings: ShardSettings): Work<void> {
  const plan = planFile(input.fields, input.rowCount, 'records');
  const statistics = settings.statistics === true ? new FooterBuilder(storedColumns(input.fields), null) : null;
  yield* writeFile(path, { ...settings, overwrite: false }, (output) => fill(output, plan, input, statistics));
}

function* fill(output: Output, plan: FilePlan, input: InputColumns, statistics: FooterBuilder | null): Work<void> {
  if (statistics === null) return yield* streamFile(output, plan, input, {});
  const columns = input.columns.map((column, number) => new SeenColumn(column, number, statistics));
  yield* streamFile(output, plan, { ...input, columns }, {});
  statistics.endRecord(0);
  const footer = statistics.format(1);
  if (footer === null) return;
  const counters = { recordCount: 1, rowCount: input.rowCount, statisticsOffset: output.position };
  yield* perform(output.write(footer));
  yield* perform(output.writeAt(COUNTERS_OFFSET, formatCounters(counters)));
}

/** Shows the items that are read of a column to the statistics. */
class SeenColumn implements InputColumn {
  readonly field: InputColumn['field'];
  readonly info: InputColumn['info'];
  readonly rowCount: number;
  readonly #column: InputColumn;
  readonly #see: (items: Uint8Array) => void;

  constructor(column: InputColumn, number: number, statistics: FooterBuilder) {
    this.field = column.field;
    this.info = column.info;
    this.rowCount = column.rowCount;
    this.#column = column;
    this.#see = (items) => {
      statistics.add(number, items);
    };
  }

  async read(start: number, end: number, signal?: AbortSignal): Promise<Chunk> {
    return this.#seen(start, end, await this.#column.read(start, end, signal));
  }

  readSync(start: number, end: number): Chunk {
    return this.#seen(start, end, this.#column.readSync(start, end));
  }

  #seen(start: number, end: number, chunk: Chunk): Chunk {
    this.#see(itemsOf({ column: this.#column, start, end }, chunk));
    return chunk;
  }
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
  yield* writeFile(path, { ...settings, overwrite: false }, (output) => copy(output, source, layout));
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
