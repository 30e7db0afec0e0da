// .cna files as parts of a dataset. Of each the footer is read once; where it is small, with what it says of every
// column, by one read of the file's end. Of a column that is looked at when somebody asks about it.
import { HeldSource } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { perform, readBytes } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { TABLE_READING, mergeStatistics, requireVersion, versionOf } from '@colkit/table';
import type {
  ColumnStatistics,
  Field,
  PartFormat,
  PartGroup,
  PartHead,
  PartOptions,
  PartPlace,
  PartVersion,
  TableSource,
} from '@colkit/table';
import { MAGIC, SMALLEST_FILE_BYTES, TRAILER_BYTES } from '../layout/constants.ts';
import { parseTrailer } from '../layout/footer.ts';
import type { FileSchema } from '../layout/schema.ts';
import { DEFAULT_READ_LIMITS, readEnds, readFooter } from '../read/file/read-footer.ts';
import type { FileEnds } from '../read/file/read-footer.ts';
import { FooterSource } from '../read/file/footer-source.ts';
import { joinFiles } from '../read/file/joined-file.ts';
import { StoredFile } from '../read/file/stored-file.ts';
import { columnStatistics } from '../read/filter/column-statistics.ts';
import { PAGE_READING } from '../read/page-reading.ts';
import { StoredTable } from '../read/stored-table.ts';

/** What is read of a file's end at first, and kept of its footer. */
const TAIL_BYTES = 32 << 10;
const SETTINGS = { limits: DEFAULT_READ_LIMITS, verifyCrc: true };

/** `.cna` files as parts of a dataset: for `{ formats }` of another format's `openDataset`. */
export const cnaParts: PartFormat = { name: 'cna', extension: '.cna', wholeBytes: TAIL_BYTES, read: readHead };

function* readHead(place: PartPlace, { held, bytes: read, like }: PartOptions): Work<PartHead> {
  const before = like instanceof CnaHead ? like : null;
  const source: RandomAccessSource = read === undefined ? yield* place.open() : new HeldSource(read, place.name);
  try {
    const tail = yield* tailOf(source, read);
    const whole = tail?.whole ?? null;
    const bytes = whole !== null && held !== undefined && whole.length <= held.bytesLeft ? whole : null;
    if (held !== undefined) held.bytesLeft -= bytes?.length ?? 0;
    const file = yield* knownFile(source, tail, bytes !== null, before?.schema);
    const told = { version: versionOf(source, file.footer.crc), text: source.version ?? null };
    return new CnaHead(place, file, told, bytes, before);
  } finally {
    source.close();
  }
}

/**
 * A file whose source is to be closed: what is at hand of it stays.
 * @param isHeld whether all of its bytes do.
 */
function* knownFile(
  source: RandomAccessSource,
  tail: Tail | null,
  isHeld: boolean,
  schema: FileSchema | undefined,
): Work<StoredFile> {
  if (tail === null) {
    const footer = yield* readFooter(source, DEFAULT_READ_LIMITS, source.gapBytes, schema);
    return new StoredFile(source, footer, SETTINGS).over(NOTHING);
  }
  // Blocks of columns are kept as they lie: the other bytes that were read go.
  const bytes = isHeld ? tail.footer : tail.footer.slice();
  const over = new FooterSource(source.path, bytes, source.byteLength - bytes.length);
  return new StoredFile(over, yield* readFooter(over, DEFAULT_READ_LIMITS, 0, schema), SETTINGS);
}

interface Tail {
  /** With its trailer. */
  readonly footer: Uint8Array;
  /** All bytes of the file, where they are few. */
  readonly whole: Uint8Array | null;
}

/** The footer of a file; null where it is not small, or no footer. */
function* tailOf(source: RandomAccessSource, read: Uint8Array | undefined): Work<Tail | null> {
  const { byteLength } = source;
  if (byteLength < SMALLEST_FILE_BYTES) return null;
  const start = Math.max(0, byteLength - Math.max(TAIL_BYTES, source.isSync ? 0 : source.gapBytes));
  const ends = start === 0 ? yield* allBytes(source, read) : yield* readEnds(source, byteLength - start);
  const { magic, lastBytes } = ends;
  if (magic !== MAGIC) return null;
  const footerBytes = parseTrailer(lastBytes, byteLength);
  if (footerBytes === null || footerBytes + TRAILER_BYTES > lastBytes.length) return null;
  const footer = lastBytes.subarray(lastBytes.length - TRAILER_BYTES - footerBytes);
  return { footer, whole: start === 0 ? lastBytes : null };
}

function* allBytes(source: RandomAccessSource, read: Uint8Array | undefined): Work<FileEnds> {
  const lastBytes = read ?? (yield* readBytes(source, 0, source.byteLength));
  return { magic: new DataView(lastBytes.buffer, lastBytes.byteOffset).getUint32(0, true), lastBytes };
}

const NO_BYTES = new Uint8Array(0);

/** Stands for the source of a file that is not open. */
const NOTHING = new FooterSource('', NO_BYTES, 0);

class CnaHead implements PartHead {
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly version: PartVersion;
  readonly knowsPlans = true;
  readonly #place: PartPlace;
  readonly #file: StoredFile;
  /** What the source said of its version when the footer was read. */
  readonly #told: string | null;
  /** The file itself. */
  readonly #bytes: Uint8Array | null;
  readonly #statistics: (ColumnStatistics | null)[] = [];

  constructor(
    place: PartPlace,
    file: StoredFile,
    told: { readonly version: PartVersion; readonly text: string | null },
    bytes: Uint8Array | null,
    before: CnaHead | null,
  ) {
    this.rowCount = file.footer.rowCount;
    this.fields =
      before !== null && before.schema === file.footer.schema
        ? before.fields
        : file.columns.map(({ name, type, nullable }) => ({ name, dtype: type.dtype, nullable }));
    this.version = told.version;
    this.#place = place;
    this.#file = file;
    this.#told = told.text;
    this.#bytes = bytes;
  }

  get schema(): FileSchema {
    return this.#file.footer.schema;
  }

  statisticsOf(column: number): ColumnStatistics | null {
    let known = this.#statistics[column] ?? null;
    if (known !== null || !this.#file.isKnown(column)) return known;
    known = mergeStatistics(this.#file.rowGroups.map((_, group) => this.#statisticsOf(column, group)));
    this.#statistics[column] = known;
    return known;
  }

  *groups(columns: readonly number[]): Work<readonly PartGroup[]> {
    if (columns.every((column) => this.#file.isKnown(column))) return this.#groups(columns);
    const table = yield* this.#opened();
    try {
      yield* table.file.loadBlocks(columns);
      return this.#groups(columns);
    } finally {
      table.close();
    }
  }

  open(): Work<TableSource> {
    return this.#opened();
  }

  fits(other: PartHead): boolean {
    return other instanceof CnaHead && this.#bytes !== null && other.#bytes !== null && this.schema === other.schema;
  }

  *openWith(others: readonly PartHead[]): Work<TableSource> {
    const heads = [this, ...others.filter((other) => other instanceof CnaHead)];
    for (const part of [...PAGE_READING, ...TABLE_READING]) yield* perform(part);
    return new StoredTable(joinFiles(heads.map((head) => ({ file: head.#file, bytes: head.#bytes ?? NO_BYTES }))));
  }

  *#opened(): Work<StoredTable> {
    const source = this.#bytes === null ? yield* this.#place.open() : new HeldSource(this.#bytes, this.#place.name);
    try {
      if (this.#bytes === null) yield* this.#requireSame(source);
      for (const part of [...PAGE_READING, ...TABLE_READING]) yield* perform(part);
      return new StoredTable(this.#file.over(source));
    } catch (error) {
      source.close();
      throw error;
    }
  }

  *#requireSame(source: RandomAccessSource): Work<void> {
    const told = source.version ?? null;
    if (told !== null && told === this.#told && source.byteLength === this.version.byteLength) return;
    // Another file at the same path may be a copy.
    const { crc } = yield* readFooter(source, DEFAULT_READ_LIMITS, source.isSync ? 0 : source.gapBytes);
    requireVersion(this.#place.name, this.version, versionOf(source, crc));
  }

  #groups(columns: readonly number[]): readonly PartGroup[] {
    const file = this.#file;
    return file.rowGroups.map(({ rowCount }, group) => ({
      rowCount,
      byteLengths: columns.map((column) => file.chunk(column, group).entry.byteLength),
      statistics: columns.map((column) => this.#statisticsOf(column, group)),
    }));
  }

  #statisticsOf(column: number, group: number): ColumnStatistics {
    const file = this.#file;
    const { statistics } = file.chunk(column, group).entry;
    return columnStatistics(file.column(column).type, statistics, file.group(group).rowCount);
  }
}
