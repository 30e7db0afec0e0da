// What a file says of itself: layout, types, sizes and statistics, without its data. Costs the header, the record
// headers and the statistics footer.
import type { DType } from '@colkit/io';
import type { Field } from '@colkit/table';
import { FORMAT_VERSION } from './layout/constants.ts';
import type { FileLayout, WireLayout } from './layout/read-layout.ts';
import type { RecordStatistics, Statistics } from './layout/statistics-footer.ts';

export interface ColumnInfo {
  readonly name: string;
  readonly dtype: DType;
  /** numpy's dtype string, as the file has it. */
  readonly descr: string;
  readonly itemBytes: number;
}

export interface FileInfo {
  readonly path: string;
  /** 'flat': read by Python's colstore 0.1.0. 'records': by the later releases; see `wire` for which of them. */
  readonly layout: 'flat' | 'records';
  readonly wire: WireLayout;
  readonly formatVersion: number;
  readonly rowCount: number;
  /** 1 for a flat file. */
  readonly recordCount: number;
  readonly columns: readonly ColumnInfo[];
  /** Of the whole file. */
  readonly byteLength: number;
  /** Where columns or records start. */
  readonly dataOffset: number;
  /** Whether a checksum covers the names, types and order of the columns. Nothing covers their values. */
  readonly hasChecksum: boolean;
  /** Bytes behind the committed data that are no statistics: what a writer left that died. Readers ignore them. */
  readonly uncommittedBytes: number;
  /** Whether the rows lie in more than one record: copy-free views then reach only within a record. */
  readonly needsCompaction: boolean;
  /**
   * Per column, and there per record: smallest and largest value, or null where the record has no usable pair. Null
   * where the file has none. 64-bit integers and ticks are bigint.
   */
  readonly statistics: ReadonlyMap<string, readonly RecordStatistics[]> | null;
}

export function infoOf(layout: FileLayout, statistics: Statistics | null): FileInfo {
  const recordCount = layout.bodyOffsets.length;
  return {
    path: layout.path,
    layout: layout.wire === 'flat' || layout.wire === 'flat-unchecked' ? 'flat' : 'records',
    wire: layout.wire,
    formatVersion: FORMAT_VERSION,
    rowCount: layout.rowCount,
    recordCount,
    columns: layout.columns.map(({ name, descr, dtype }) => ({
      name,
      dtype: dtype.name,
      descr,
      itemBytes: dtype.itemBytes,
    })),
    byteLength: layout.byteLength,
    dataOffset: layout.dataOffset,
    hasChecksum: layout.hasChecksum,
    uncommittedBytes: statistics === null ? layout.byteLength - layout.endOffset : 0,
    needsCompaction: recordCount > 1,
    statistics:
      statistics === null ? null : new Map(layout.columns.map(({ name }, column) => [name, statistics[column] ?? []])),
  };
}

export function schemaOf(layout: FileLayout): readonly Field[] {
  return layout.columns.map(({ name, dtype }) => ({ name, dtype: dtype.name, nullable: false }));
}
