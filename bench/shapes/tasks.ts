// What is asked of a file of one column and a column of seven integers, whatever its values look like.
import { openSync, writeSync } from 'columna';
import type { OpenOptions, Table, WriteMode } from 'columna';
import { groupKeys, inputOf, takenRows } from './distributions.ts';
import type { Shape, ShapeValues } from './distributions.ts';

export const TAKEN = 10_000;
/** Rows of a batch: far fewer than a page has. */
export const BATCH_ROWS = 8192;
/** The last ones of the order. */
export const TOP_ROWS = 100;
export const SHAPE_TASKS = ['read', 'sum', 'group', 'take', 'filter', 'batches', 'top', 'write'] as const;
export type ShapeTask = (typeof SHAPE_TASKS)[number];

export interface ShapeFile {
  /** Bytes of the column's pages, without those of the column that is grouped by. */
  readonly valueBytes: number;
  /** How its pages are encoded, the most frequent way first. */
  readonly encoding: string;
  /** Each does one task and gives its answer. */
  readonly tasks: Readonly<Record<ShapeTask, () => unknown>>;
  close(): void;
}

/** Writes the file, and offers the tasks. */
export function shapeFile(
  shape: Shape,
  values: ShapeValues,
  path: string,
  { mode = 'default', backend }: { mode?: WriteMode; backend?: OpenOptions['backend'] } = {},
): ShapeFile {
  const rows = values.length;
  const columns = { value: inputOf(shape, values), key: groupKeys(rows) };
  const write = () => writeSync(path, columns, { overwrite: true, mode, durability: 'none' });
  const [written] = write().columns;
  const table = openSync(path, backend === undefined ? {} : { backend }) as Table;
  const taken = takenRows(rows, TAKEN);
  const isText = shape.dtype === 'string';
  // Of texts and times there is no sum: the largest one takes as long a look.
  const answer = isText || shape.dtype.startsWith('datetime') ? { max: 'value' } : { sum: 'value' };
  const matching = table.where(isText ? 'value == @bound' : 'value > @bound', { bound: shape.bound });
  const value = table.select('value');
  const dense: Parameters<typeof value.toColumnsSync>[0] = isText
    ? { nulls: 'bitmap', strings: 'dictionary' }
    : { nulls: 'bitmap' };
  const ways = [...(written?.encodings ?? [])].sort(([, a], [, b]) => b - a);
  return {
    valueBytes: written?.byteLength ?? 0,
    encoding: ways[0]?.[0] ?? 'none',
    tasks: {
      read: () => value.toColumnsSync(dense),
      sum: () => table.aggSync({ answer } as never),
      group: () => table.groupBy('key').aggSync({ answer } as never).columns,
      take: () => value.take(taken).toColumnsSync({ nulls: 'bitmap' }),
      filter: () => matching.select('value').toColumnsSync({ nulls: 'bitmap' }),
      batches: () => {
        let last: unknown;
        for (const batch of value.batchesSync({ rows: BATCH_ROWS, nulls: 'bitmap' })) last = batch;
        return last;
      },
      top: () => value.orderBy({ column: 'value', descending: true }).head(TOP_ROWS).toColumnsSync({ nulls: 'bitmap' }),
      write,
    },
    close: () => table.close(),
  };
}
