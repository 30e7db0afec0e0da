// The parts under colstore, to see where its time goes: a gatherer of @colkit/io over the raw columns in one file. No
// table, no views, no file format. a-into and b-into are the kernels alone, *-new adds the outputs' memory; the
// difference to colstore's own times is the table layer.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { allocateOutputs, backendInfo, createGatherer, openSourceSync } from '@colkit/io';
import type { ColumnSegments, Gatherer, RandomAccessSource, RowSelection } from '@colkit/io';
import { syncTask } from '../src/checkouts/peer.ts';
import type { Outputs, Peer, SuiteContext, Task, Workload } from '../src/checkouts/peer.ts';
import { COLUMN_NAMES, columnPath, readInputs } from '../suites/w1-data.ts';

const ITEM_BYTES = [8, 4, 8, 4, 1] as const;
const PAIR = [0, 1] as const;
const EVERY = [0, 1, 2, 3, 4] as const;

export const peer: Peer = {
  name: 'io-gather',
  onRequest: true,
  load: () => Promise.resolve({ backend: backendInfo().backend }),
  suites: {
    w1: {
      variants: ['x2', 'x1'],
      build(context) {
        const fd = openSync(filePath(context), 'w');
        for (const name of COLUMN_NAMES) writeSync(fd, readFileSync(columnPath(context.directory, name)));
        closeSync(fd);
      },
      prepare: (variant, context) => prepare(Number(variant.slice(1)), context),
    },
  },
};

function prepare(workers: number, context: SuiteContext): Workload {
  const inputs = readInputs(context);
  let source: RandomAccessSource | undefined;
  let gatherer: Gatherer | undefined;
  const read = (
    columns: readonly number[],
    rows: RowSelection,
    outputs: readonly Uint8Array[],
  ): readonly Uint8Array[] => {
    gatherer?.gatherSync({
      columns: Int32Array.from(columns),
      rows,
      workers,
      outputs: outputs.map((bytes, k) => ({ bytes, byteOffset: 0, byteStride: ITEM_BYTES[columns[k] ?? 0] ?? 0 })),
    });
    return outputs;
  };
  const fresh = (columns: readonly number[], count: number): Uint8Array[] =>
    allocateOutputs(columns.map((column) => count * (ITEM_BYTES[column] ?? 0)));
  const named = (outputs: readonly Uint8Array[]): Outputs =>
    Object.fromEntries(outputs.map((bytes, k): [string, Uint8Array] => [COLUMN_NAMES[k] ?? '', bytes]));
  const random: RowSelection = { kind: 'indices', indices: inputs.random };
  const sorted: RowSelection = { kind: 'indices', indices: inputs.sorted };
  const mask: RowSelection = {
    kind: 'mask',
    mask: inputs.mask,
    count: inputs.mask.reduce((sum, byte) => sum + byte, 0),
  };
  const slice: RowSelection = {
    kind: 'range',
    start: inputs.slice.start,
    step: 1,
    count: inputs.slice.end - inputs.slice.start,
  };
  const all: RowSelection = { kind: 'range', start: 0, step: 1, count: inputs.rowCount };
  const reused = fresh(PAIR, inputs.random.length);
  const gather = (rows: RowSelection, count: number, columns: readonly number[] = PAIR): Task =>
    syncTask(() => read(columns, rows, fresh(columns, count)), named);
  return {
    files: [filePath(context)],
    load: () => {
      source = openSourceSync(filePath(context));
      gatherer = createGatherer(source, segments(inputs.rowCount));
    },
    tasks: {
      'a-new': gather(random, inputs.random.length),
      'a-into': syncTask(() => read(PAIR, random, reused), named),
      'b-new': gather(sorted, inputs.sorted.length),
      'b-into': syncTask(() => read(PAIR, sorted, reused), named),
      'c-copy': gather(slice, slice.count),
      'd-copy': gather(all, all.count, [0]),
      'e-small': syncTask((iteration) => {
        const indices = inputs.smallSets[iteration % inputs.smallSets.length] as Int32Array;
        return read(EVERY, { kind: 'indices', indices }, fresh(EVERY, indices.length));
      }, named),
      'g-mask': gather(mask, mask.count),
    },
    close: () => source?.close(),
  };
}

function segments(rowCount: number): ColumnSegments {
  const starts = ITEM_BYTES.map(
    (_, column) => rowCount * ITEM_BYTES.slice(0, column).reduce((sum, bytes) => sum + bytes, 0),
  );
  return {
    rowStarts: Float64Array.of(0, rowCount),
    itemBytes: Int32Array.from(ITEM_BYTES),
    bases: Float64Array.from(starts),
  };
}

function filePath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'columns.bin');
}
