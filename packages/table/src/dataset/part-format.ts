// What a format must know to be a part of a dataset. Formats do not know one another; a dataset is opened with those
// that its files may have.
import type { OpenSourceOptions, RandomAccessSource } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import type { Field } from '../field.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import type { TableSource } from '../source.ts';

/** Where a part is, and how its bytes are reached: as often as it is asked to. Whoever opens closes. */
export interface PartPlace {
  /** Path or URL, for messages. */
  readonly name: string;
  /** Bytes or a Blob, which no name leads to. */
  readonly isUnnamed?: boolean;
  open(): Work<RandomAccessSource>;
  /** The path of a local file, where nothing else was said of how it is opened; absent or '': it is none. */
  readonly path?: string;
}

export interface PartOptions {
  /** Of `OpenSourceOptions`, what says who decodes. */
  readonly backend?: OpenSourceOptions['backend'];
  /** Files that are small stay in memory, and are not opened again: as long as there is room. Absent: none do. */
  readonly held?: HeldRoom;
  /** A part that was read before, whose fields this one probably has too. */
  readonly like?: PartHead;
}

/** What all parts of a dataset hold together. */
export interface HeldRoom {
  bytesLeft: number;
}

/** Which version of a file was looked at: another one is refused. */
export interface PartVersion {
  readonly byteLength: number;
  /**
   * What the server or the store says (ETag, else the time of the last change). Of a local file that has a checksum:
   * null, so that a copy of it is the same; of others a text of its inode, size and time.
   */
  readonly etag: string | null;
  /** CRC-32 of what describes the file's data; null: the format has none. */
  readonly footerCrc: number | null;
}

/** Consecutive rows that are stored and skipped together: a row group, a record. */
export interface PartGroup {
  readonly rowCount: number;
  /** Stored bytes of each column that was asked about, in that order. */
  readonly byteLengths: readonly number[];
  readonly statistics: readonly (ColumnStatistics | null)[];
}

/** What a file says of itself, without its values. Nothing is open. */
export interface PartHead {
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly version: PartVersion;
  /** Whether the format answers more than reads. */
  readonly knowsPlans: boolean;
  /** What is at hand of a column, for all rows. */
  statisticsOf(column: number): ColumnStatistics | null;
  /** Its rows, ascending and without gaps. Opens the file where that is not at hand. @throws as `open`. */
  groups(columns: readonly number[]): Work<readonly PartGroup[]>;
  /** @throws IoError ERR_FILE_CHANGED where another version is there by now; what opening throws. */
  open(): Work<TableSource>;
  /** As of a part of a table: see `Part`. */
  fits?(other: PartHead): boolean;
  openWith?(others: readonly PartHead[]): Work<TableSource>;
}

export interface PartFormat {
  /** 'cna' */
  readonly name: string;
  /** '.cna' */
  readonly extension: string;
  /** Whole files of at most so many bytes are given to `parse`. Absent: none is. */
  readonly wholeBytes?: number;
  /** As `read`, of a whole file that was read already; null: `read` says what is wrong with it. */
  parse?(place: PartPlace, bytes: Uint8Array, options: PartOptions): PartHead | null;
  /** Reads what a file says of itself, and closes it. @throws what opening throws. */
  read(place: PartPlace, options: PartOptions): Work<PartHead>;
}
