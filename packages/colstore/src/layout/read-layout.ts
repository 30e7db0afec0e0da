// A .cstore file of any wire layout -> one frozen FileLayout. From here on nobody asks which layout it was: a flat file
// is one record without a header. Every offset and count that leaves this file has been checked against the file's
// size.
import { DEFAULT_LIMITS, IoError } from '@colkit/io';
import { readBytes } from '@colkit/io/effects';
import type { RangeSource, Work } from '@colkit/io/effects';
import { COUNTERS_OFFSET } from './constants.ts';
import type { CountersForm } from './constants.ts';
import { readCounters } from './counters.ts';
import { detectForm } from './detect.ts';
import { FileBytes } from './file-bytes.ts';
import { readFlatManifest, readManifest } from './flat.ts';
import type { PlacedManifest } from './flat.ts';
import { parseManifest } from './manifest.ts';
import type { ManifestParser, StoredColumn } from './manifest.ts';
import { readRecordIndex } from './records.ts';
import type { RecordIndex } from './records.ts';
import { parseStatistics, statisticsByteLength } from './statistics-footer.ts';
import type { Statistics } from './statistics-footer.ts';

/**
 * The wire layouts, by what a reader has to know: flat files without and with a checksum, records with 32-byte and with
 * 64-byte counters.
 */
export type WireLayout = 'flat-unchecked' | 'flat' | 'records-32' | 'records-64';

export interface FileLayout {
  readonly path: string;
  readonly wire: WireLayout;
  readonly byteLength: number;
  readonly columns: readonly StoredColumn[];
  readonly rowCount: number;
  /** Bytes of one row over all columns. */
  readonly rowBytes: number;
  /** R + 1 ascending row numbers of R records: the first 0, the last the row count. A flat file is one record. */
  readonly rowStarts: Float64Array;
  /**
   * R byte offsets; column c of record r starts at bodyOffsets[r] + its rows * the item bytes of the columns before c.
   */
  readonly bodyOffsets: Float64Array;
  readonly manifestOffset: number;
  readonly manifestEnd: number;
  /** Where columns or records start. */
  readonly dataOffset: number;
  /** Where the committed data end; what follows is the statistics footer or a dead writer's leavings. */
  readonly endOffset: number;
  /** Where the footer starts, as the counters tell, unchecked; 0 for none. */
  readonly statisticsOffset: number;
  readonly hasChecksum: boolean;
}

/**
 * Reads and checks the layout; bodies are not read.
 * @param parse of manifests: see `rememberingParser`.
 * @throws CorruptFileError, UnsupportedError, LimitError: see the files of this folder for the codes.
 */
export function* readLayout(source: RangeSource, parse: ManifestParser = parseManifest): Work<FileLayout> {
  const file = new FileBytes(source);
  const form = yield* detectForm(file);
  return Object.freeze(
    form === 'flat' ? yield* readFlatLayout(file, parse) : yield* readRecordLayout(file, form, parse),
  );
}

/**
 * The statistics of a layout, or null where there are none, they cannot be trusted, or there are too many to be held.
 * Reads nothing unless the footer has exactly the length that it must have.
 */
export function* readStatistics(source: RangeSource, layout: FileLayout): Work<Statistics | null> {
  const footer = yield* readFooter(source, layout);
  return footer === null ? null : parseStatistics(footer, layout.columns, layout.bodyOffsets.length);
}

/**
 * The bytes that should be the statistics footer, not looked at; null as `readStatistics`, and where a writer has cut
 * them off meanwhile.
 */
export function* readFooter(source: RangeSource, layout: FileLayout): Work<Uint8Array | null> {
  const byteOffset = layout.statisticsOffset;
  if (byteOffset < layout.endOffset) return null;
  const byteLength = statisticsByteLength(layout.columns, layout.bodyOffsets.length);
  if (byteLength !== layout.byteLength - byteOffset || byteLength > DEFAULT_LIMITS.maxMetadataBytes) return null;
  try {
    return yield* readBytes(source, byteOffset, byteLength);
  } catch (error) {
    if (error instanceof IoError && error.code === 'ERR_FILE_CHANGED') return null;
    throw error;
  }
}

const rowBytesOf = (columns: readonly StoredColumn[]): number =>
  columns.reduce((sum, { dtype }) => sum + dtype.itemBytes, 0);

function* readFlatLayout(file: FileBytes, parse: ManifestParser): Work<FileLayout> {
  const placed = yield* readFlatManifest(file, parse);
  const rowCount = placed.manifest.rowCount ?? 0;
  const { dataOffset } = placed;
  const rowBytes = rowBytesOf(placed.manifest.columns);
  if (rowCount > Math.floor((file.byteLength - dataOffset) / rowBytes)) {
    const found = `${String(Math.max(0, file.byteLength - dataOffset))} bytes before the end of the file`;
    throw file.corrupt(
      'ERR_TRUNCATED',
      'columns',
      dataOffset,
      `${String(rowCount)} rows of ${String(rowBytes)} bytes`,
      found,
    );
  }
  const records = {
    rowStarts: Float64Array.of(0, rowCount),
    bodyOffsets: Float64Array.of(dataOffset),
    endOffset: dataOffset + rowCount * rowBytes,
  };
  return assemble(file, placed.manifest.hasChecksum ? 'flat' : 'flat-unchecked', placed, records, 0);
}

function* readRecordLayout(file: FileBytes, form: CountersForm, parse: ManifestParser): Work<FileLayout> {
  const counters = yield* readCounters(file, form);
  const placed = yield* readManifest(file, COUNTERS_OFFSET + form.blockBytes, 'records', parse);
  const records = yield* readRecordIndex(
    file,
    counters.recordCount,
    placed.dataOffset,
    rowBytesOf(placed.manifest.columns),
  );
  const rowCount = records.rowStarts[counters.recordCount] ?? 0;
  if (rowCount !== counters.rowCount)
    throw file.corrupt(
      'ERR_LAYOUT',
      'counters',
      COUNTERS_OFFSET + 8,
      `${String(rowCount)} rows, as the records hold`,
      String(counters.rowCount),
    );
  return assemble(file, form.name, placed, records, counters.statisticsOffset);
}

function assemble(
  file: FileBytes,
  wire: WireLayout,
  placed: PlacedManifest,
  records: RecordIndex,
  statisticsOffset: number,
): FileLayout {
  const { columns } = placed.manifest;
  return {
    path: file.path,
    wire,
    byteLength: file.byteLength,
    columns,
    rowCount: records.rowStarts[records.rowStarts.length - 1] ?? 0,
    rowBytes: rowBytesOf(columns),
    rowStarts: records.rowStarts,
    bodyOffsets: records.bodyOffsets,
    manifestOffset: placed.manifestOffset,
    manifestEnd: placed.manifestEnd,
    dataOffset: placed.dataOffset,
    endOffset: records.endOffset,
    statisticsOffset,
    hasChecksum: placed.manifest.hasChecksum,
  };
}
