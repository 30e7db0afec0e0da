// What goes between a writer and its worker threads. Numbers and bytes change hands without a copy where this package
// owns them; what belongs to the caller is copied first.
import { encodeKernels } from '@colkit/io';
import type { Backend } from '@colkit/io';
import type { ColumnValues } from '../values/column-values.ts';
import type { RowGroupOptions } from '../encode/encode-row-group.ts';

export interface EncodeTask {
  readonly columns: readonly ColumnValues[];
  /** Where there is one column, which is encoded alone: its number in the row group. Null: a whole row group. */
  readonly alone: number | null;
  readonly options: RowGroupOptions;
  /** What was chosen here: every thread has settings of its own. */
  readonly backend: Backend;
}

/** A task, and the memory that goes with it. */
export function encodeTask(
  columns: readonly ColumnValues[],
  alone: number | null,
  options: RowGroupOptions,
): [EncodeTask, { transfer: ArrayBuffer[] }] {
  const own = ownColumns(columns);
  return [{ columns: own.columns, alone, options, backend: writingBackend() }, { transfer: own.buffers }];
}

/** For threads that write: the files are the same with either, the time is not. */
export function writingBackend(): Backend {
  return encodeKernels() === null ? 'js' : 'auto';
}

/** Columns whose memory may be given away: copies of what is the caller's, or part of something larger. */
export function ownColumns(columns: readonly ColumnValues[]): {
  readonly columns: ColumnValues[];
  readonly buffers: ArrayBuffer[];
} {
  const buffers = new Set<ArrayBuffer>();
  const own = <T extends Uint8Array | Uint32Array>(array: T): T => {
    const copy = array.slice() as T;
    buffers.add(copy.buffer as ArrayBuffer);
    return copy;
  };
  const owned = columns.map((column): ColumnValues => {
    const validity = column.validity === null ? null : own(column.validity);
    if (column.kind === 'fixed') {
      const values = column.values.slice();
      buffers.add(values.buffer);
      return { ...column, values, validity };
    }
    const { entries, codes } = column;
    return {
      ...column,
      validity,
      entries: { ...entries, bytes: own(entries.bytes), ends: own(entries.ends) },
      codes: codes === null ? null : own(codes),
    };
  });
  return { columns: owned, buffers: [...buffers] };
}
