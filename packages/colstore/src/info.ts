// What a file says of itself: layout, types, sizes and statistics, without its data. Costs the header, the record
// headers and the statistics footer.
import type { DType } from '@colkit/io';
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
  /**
   * 'flat': read by Python's colstore 0.1.0. 'records': by the later releases; see `wire` for which of them. 'mixed':
   * of several files with different ones.
   */
  readonly layout: 'flat' | 'records' | 'mixed';
  readonly wire: WireLayout | 'mixed';
  readonly formatVersion: number;
  readonly rowCount: number;
  /** 1 for a flat file; of several files all together, as with sizes. */
  readonly recordCount: number;
  readonly columns: readonly ColumnInfo[];
  /** Of the whole file. */
  readonly byteLength: number;
  /** Where columns or records start; of several files, of the first. */
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
  /** Of a table of several files what each of them says, in the order of their rows; null: it is one file. */
  readonly files: readonly FileInfo[] | null;
  /** Columns that some of several files lack, or have of another type: `{ onMismatch: 'drop' }` left them out. */
  readonly droppedColumns: readonly string[];
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
    files: null,
    droppedColumns: [],
  };
}

/** Of several files as one table, whose columns are `names`. */
export function infoOfMany(
  path: string,
  files: readonly FileInfo[],
  names: readonly string[],
  droppedColumns: readonly string[],
): FileInfo {
  const [first] = files;
  const sum = (of: (file: FileInfo) => number): number => files.reduce((total, file) => total + of(file), 0);
  const isAlike = (of: (file: FileInfo) => unknown): boolean =>
    first !== undefined && files.every((file) => of(file) === of(first));
  const recordCount = sum((file) => file.recordCount);
  const columns = new Map(first?.columns.map((column) => [column.name, column]));
  return {
    path,
    layout: first !== undefined && isAlike(({ layout }) => layout) ? first.layout : 'mixed',
    wire: first !== undefined && isAlike(({ wire }) => wire) ? first.wire : 'mixed',
    formatVersion: FORMAT_VERSION,
    rowCount: sum(({ rowCount }) => rowCount),
    recordCount,
    columns: names.flatMap((name) => columns.get(name) ?? []),
    byteLength: sum(({ byteLength }) => byteLength),
    dataOffset: first?.dataOffset ?? 0,
    hasChecksum: files.every(({ hasChecksum }) => hasChecksum),
    uncommittedBytes: sum(({ uncommittedBytes }) => uncommittedBytes),
    needsCompaction: recordCount > 1,
    statistics: statisticsOfMany(files, names),
    files,
    droppedColumns,
  };
}

/** Of the records of all files one after another; null where a file has none. */
function statisticsOfMany(files: readonly FileInfo[], names: readonly string[]): FileInfo['statistics'] {
  if (files.length === 0 || files.some(({ statistics }) => statistics === null)) return null;
  return new Map(names.map((name) => [name, files.flatMap(({ statistics }) => statistics?.get(name) ?? [])]));
}
