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
import { MAGIC, MAGIC_BYTES, SMALLEST_FILE_BYTES, TRAILER_BYTES } from '../layout/constants.ts';
import { parseTrailer } from '../layout/footer.ts';
import type { FileSchema } from '../layout/schema.ts';
import { DEFAULT_READ_LIMITS, parseFooter, readEnds, readFooter } from '../read/file/read-footer.ts';
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
export const cnaParts: PartFormat = {
  name: 'cna',
  extension: '.cna',
  wholeBytes: TAIL_BYTES,
  read: readHead,
  parse: parseHead,
};

function* readHead(place: PartPlace, options: PartOptions): Work<PartHead> {
  const source: RandomAccessSource = yield* place.open();
  try {
    return yield* headOf(place, source, options);
  } finally {
    source.close();
  }
}

function* headOf(place: PartPlace, source: RandomAccessSource, options: PartOptions): Work<PartHead> {
  const ends = yield* endsOf(source);
  if (ends !== null && ends.lastBytes.length === source.byteLength) {
    const head = parseHead(place, ends.lastBytes, options, source);
    if (head !== null) return head;
  }
  const before = knownHead(options);
  const footer = ends === null ? null : footerIn(ends, source.byteLength);
  if (footer === null) {
    const parsed = yield* readFooter(source, DEFAULT_READ_LIMITS, source.gapBytes, before?.schema);
    return new CnaHead(place, new StoredFile(source, parsed, SETTINGS).over(NOTHING), source, null, before);
  }
  // A copy: the other bytes that were read go.
  return new CnaHead(place, knownFile(source.path, footer.slice(), source.byteLength, before), source, null, before);
}

/** Of a file that is in memory; null where it has no footer at its end. @param source that told of its version. */
function parseHead(
  place: PartPlace,
  bytes: Uint8Array,
  options: PartOptions,
  source: ReadSource = { byteLength: bytes.length, isSync: true },
): PartHead | null {
  if (bytes.length < SMALLEST_FILE_BYTES) return null;
  const { byteOffset } = bytes;
  const magic = new DataView(bytes.buffer, byteOffset, MAGIC_BYTES).getUint32(0, true);
  const footer = footerIn({ magic, lastBytes: bytes }, bytes.length);
  if (footer === null) return null;
  const { held } = options;
  const isHeld = held !== undefined && bytes.length <= held.bytesLeft;
  const before = knownHead(options);
  const file = knownFile(place.name, isHeld ? footer : footer.slice(), bytes.length, before);
  if (isHeld) held.bytesLeft -= bytes.length;
  return new CnaHead(place, file, source, isHeld ? bytes : null, before);
}

function knownHead({ like }: PartOptions): CnaHead | null {
  return like instanceof CnaHead ? like : null;
}

/** What a source says of its version. */
type ReadSource = Pick<RandomAccessSource, 'byteLength' | 'isSync' | 'version'>;

/** A file of which the footer, with its trailer, is all that is at hand: blocks of columns are used as they lie. */
function knownFile(path: string, footer: Uint8Array, byteLength: number, before: CnaHead | null): StoredFile {
  const footerOffset = byteLength - footer.length;
  const parsed = parseFooter(path, footer, footerOffset, DEFAULT_READ_LIMITS, before?.schema);
  return new StoredFile(new FooterSource(path, footer, footerOffset), parsed, SETTINGS);
}

/** How a file begins and ends, all of a small one; null where there are too few bytes. */
function* endsOf(source: RandomAccessSource): Work<FileEnds | null> {
  const { byteLength } = source;
  if (byteLength < SMALLEST_FILE_BYTES) return null;
  const start = Math.max(0, byteLength - Math.max(TAIL_BYTES, source.isSync ? 0 : source.gapBytes));
  if (start > 0) return yield* readEnds(source, byteLength - start);
  const lastBytes = yield* readBytes(source, 0, byteLength);
  return { magic: new DataView(lastBytes.buffer, lastBytes.byteOffset).getUint32(0, true), lastBytes };
}

/** The footer with its trailer; null where there is none, or it begins before the bytes. */
function footerIn({ magic, lastBytes }: FileEnds, byteLength: number): Uint8Array | null {
  const footerBytes = magic === MAGIC ? parseTrailer(lastBytes, byteLength) : null;
  return footerBytes === null || footerBytes + TRAILER_BYTES > lastBytes.length
    ? null
    : lastBytes.subarray(lastBytes.length - TRAILER_BYTES - footerBytes);
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
    source: ReadSource,
    bytes: Uint8Array | null,
    before: CnaHead | null,
  ) {
    this.rowCount = file.footer.rowCount;
    this.fields =
      before !== null && before.schema === file.footer.schema
        ? before.fields
        : file.columns.map(({ name, type, nullable }) => ({ name, dtype: type.dtype, nullable }));
    this.version = versionOf(source, file.footer.crc);
    this.#place = place;
    this.#file = file;
    this.#told = source.version ?? null;
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
