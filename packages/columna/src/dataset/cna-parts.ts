// .cna files as parts of a dataset. Of each the footer is read once; where it is small, with what it says of every
// column, by one read of the file's end.
import { HeldSource } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { ReadRanges, perform, readBytes } from '@colkit/io/effects';
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
import { MAGIC, MAGIC_BYTES, SMALLEST_FILE_BYTES, TRAILER_BYTES } from '../layout/constants.ts';
import { parseTrailer } from '../layout/footer.ts';
import type { FileSchema } from '../layout/schema.ts';
import { DEFAULT_READ_LIMITS, readFooter } from '../read/file/read-footer.ts';
import { FooterSource } from '../read/file/footer-source.ts';
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
    const { file, whole } = yield* knownFile(source, read, before?.schema);
    const bytes = whole !== null && held !== undefined && whole.length <= held.bytesLeft ? whole : null;
    if (held !== undefined) held.bytesLeft -= bytes?.length ?? 0;
    const told = { version: versionOf(source, file.footer.crc), text: source.version ?? null };
    return new CnaHead(place, file, told, bytes, before);
  } finally {
    source.close();
  }
}

interface KnownFile {
  readonly file: StoredFile;
  /** All bytes of the file, where they are few. */
  readonly whole: Uint8Array | null;
}

/** A file whose source is to be closed: what is at hand of it stays. */
function* knownFile(
  source: RandomAccessSource,
  read: Uint8Array | undefined,
  schema: FileSchema | undefined,
): Work<KnownFile> {
  const tail = yield* tailOf(source, read);
  const over = tail?.footer ?? source;
  const footer = yield* readFooter(over, DEFAULT_READ_LIMITS, tail === null ? source.gapBytes : 0, schema);
  const file = new StoredFile(over, footer, SETTINGS);
  if (tail !== null) yield* file.loadBlocks(footer.directory.keys());
  return { file: file.over(NOTHING), whole: tail?.whole ?? null };
}

interface Tail {
  readonly footer: FooterSource;
  readonly whole: Uint8Array | null;
}

/** The footer of a file, as a source; null where it is not small, or no footer. */
function* tailOf(source: RandomAccessSource, read: Uint8Array | undefined): Work<Tail | null> {
  const { byteLength } = source;
  if (byteLength < SMALLEST_FILE_BYTES) return null;
  const start = Math.max(0, byteLength - Math.max(TAIL_BYTES, source.isSync ? 0 : source.gapBytes));
  const { magic, tail } = start === 0 ? yield* allBytes(source, read) : yield* magicAndTail(source, start);
  if (magic !== MAGIC) return null;
  const footerBytes = parseTrailer(tail, byteLength);
  if (footerBytes === null || footerBytes + TRAILER_BYTES > tail.length) return null;
  const footerAt = tail.length - TRAILER_BYTES - footerBytes;
  return {
    // A copy, of which blocks of columns are kept as they lie: the other bytes that were read go.
    footer: new FooterSource(source.path, tail.slice(footerAt), start + footerAt),
    whole: start === 0 ? tail : null,
  };
}

interface Ends {
  readonly magic: number;
  readonly tail: Uint8Array;
}

function* allBytes(source: RandomAccessSource, read: Uint8Array | undefined): Work<Ends> {
  const tail = read ?? (yield* readBytes(source, 0, source.byteLength));
  return { magic: new DataView(tail.buffer, tail.byteOffset).getUint32(0, true), tail };
}

function* magicAndTail(source: RandomAccessSource, start: number): Work<Ends> {
  const bytes = new Uint8Array(MAGIC_BYTES + source.byteLength - start);
  yield new ReadRanges(source, {
    offsets: Float64Array.of(0, start),
    lengths: Float64Array.of(MAGIC_BYTES, source.byteLength - start),
    out: bytes,
    outOffsets: Float64Array.of(0, MAGIC_BYTES),
  });
  return { magic: new DataView(bytes.buffer).getUint32(0, true), tail: bytes.subarray(MAGIC_BYTES) };
}

/** Stands for the source of a file that is not open. */
const NOTHING = new FooterSource('', new Uint8Array(0), 0);

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
