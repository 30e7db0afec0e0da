// An open file: its footer, and of each column that was read before the checked chunk entries. What is known of a
// column is fetched once and kept.
import { ClosedError, checkLimit } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { ReadRanges } from '@colkit/io/effects';
import { pageCount, parseChunkEntry } from '../../layout/column-block.ts';
import type { ChunkEntry } from '../../layout/column-block.ts';
import { CHUNK_ENTRY_BYTES } from '../../layout/constants.ts';
import { checkColumnBlock } from '../../layout/footer.ts';
import type { DirectoryEntry, Footer, RowGroup } from '../../layout/footer.ts';
import { corrupt } from '../../layout/location.ts';
import type { FileLocation } from '../../layout/location.ts';
import type { ColumnSchema } from '../../layout/schema.ts';
import { FooterSource } from './footer-source.ts';
import type { KeptDictionaries } from './kept-dictionaries.ts';
import type { KeptPages } from './kept-pages.ts';
import type { ReadLimits } from './read-footer.ts';
import { Session } from './session.ts';

export interface StoredFileOptions {
  readonly limits: ReadLimits;
  /** Whether pages are checked against their CRC. */
  readonly verifyCrc: boolean;
}

/** A chunk entry with the offset of every page. */
export interface Chunk {
  readonly entry: ChunkEntry;
  /**
   * Where page k starts in the file; one more for the end of the last. Of a member of a joint dictionary: all the same,
   * its pages are the leader's.
   */
  readonly pageOffsets: Float64Array;
}

/**
 * Offset of `codes_column` in a chunk entry: looked at before the entry is parsed, since the leader's block is needed
 * too.
 */
const CODES_COLUMN_AT = 20;

interface MissingBlock {
  readonly column: number;
  readonly entry: DirectoryEntry;
}

/** The most that was met; 0: nothing yet. */
export interface TextSizes {
  /** How many times the bytes of its page all texts of it take. */
  readonly growth: number;
  /** Bytes of a row that was decoded without most others of its page. */
  readonly rowBytes: number;
}

export class StoredFile {
  readonly path: string;
  readonly source: RandomAccessSource;
  readonly footer: Footer;
  readonly options: StoredFileOptions;
  /** What the last filter read and what comes next may need again. */
  keptPages: KeptPages | null = null;
  /** What reads decoded and others may need again; null as long as there is nothing. */
  readonly kept: { dictionaries: KeptDictionaries | null };
  /** What texts take that the addon decoded, by column. */
  readonly textSizes: Map<number, TextSizes>;
  /** The footer, where it is in memory: whatever bytes are read from. */
  readonly #atHand: FooterSource | null;
  /** By column. */
  readonly #blocks: DataView[];
  readonly #chunks: Chunk[][];
  readonly #sessions: Session[] = [];

  constructor(source: RandomAccessSource, footer: Footer, options: StoredFileOptions, like?: StoredFile) {
    const own = source instanceof FooterSource ? source : null;
    this.#atHand = like === undefined ? own : like.#atHand;
    this.#blocks = like === undefined ? [] : like.#blocks;
    this.#chunks = like === undefined ? [] : like.#chunks;
    this.kept = like?.kept ?? { dictionaries: null };
    this.textSizes = like?.textSizes ?? new Map<number, TextSizes>();
    this.path = source.path;
    this.source = source;
    this.footer = footer;
    this.options = options;
  }

  /** The same file, its bytes from another source; what is known of columns is shared. */
  over(source: RandomAccessSource): StoredFile {
    return new StoredFile(source, this.footer, this.options, this);
  }

  get columns(): readonly ColumnSchema[] {
    return this.footer.schema.columns;
  }

  get rowGroups(): readonly RowGroup[] {
    return this.footer.rowGroups;
  }

  /** Lets go of what was kept for reads to come. */
  forget(): void {
    this.keptPages = null;
    this.kept.dictionaries?.clear();
  }

  /** @throws ClosedError naming the operation. */
  requireOpen(operation: string): void {
    if (this.source.closed) throw new ClosedError(operation, this.path);
  }

  column(number: number): ColumnSchema {
    return this.columns[number] as ColumnSchema;
  }

  group(number: number): RowGroup {
    return this.rowGroups[number] as RowGroup;
  }

  /**
   * Whether what the footer knows of a column, and of those whose codes it uses, is at hand.
   * @throws CorruptFileError ERR_CRC where it is, and is damaged.
   */
  isKnown(column: number): boolean {
    if (this.#block(column) === undefined) return false;
    for (const leader of this.#leadersOf(column)) if (this.#block(leader) === undefined) return false;
    return true;
  }

  /** Memory for one operation; concurrent ones each have their own. To be given back. */
  borrow(): Session {
    return this.#sessions.pop() ?? new Session();
  }

  giveBack(session: Session): void {
    session.release();
    // One to reuse is enough: reads that overlap are rare.
    if (this.#sessions.length === 0) this.#sessions.push(session);
  }

  /**
   * Reads the blocks of these columns, and of the columns whose codes they use, where they are not at hand.
   * @throws CorruptFileError ERR_CRC; LimitError.
   */
  *loadBlocks(columns: Iterable<number>): Work<void> {
    const leaders = new Set<number>();
    const wanted = new Set(columns);
    yield* this.#fetchBlocks(wanted);
    for (const column of wanted)
      for (const leader of this.#leadersOf(column)) if (!wanted.has(leader)) leaders.add(leader);
    yield* this.#fetchBlocks(leaders);
  }

  /**
   * What the footer says of one column in one row group. Its block, and its leader's, must be loaded.
   * @throws CorruptFileError ERR_METADATA.
   */
  chunk(column: number, group: number): Chunk {
    const chunks = (this.#chunks[column] ??= []);
    return (chunks[group] ??= this.parseChunk(column, group));
  }

  /** Where a region of a column stands, for errors. */
  location(region: string, byteOffset: number, column: number, rowGroup: number, page?: number): FileLocation {
    return {
      path: this.path,
      region,
      byteOffset,
      column: this.column(column).name,
      rowGroup,
      ...(page === undefined ? {} : { page }),
    };
  }

  *#fetchBlocks(columns: Iterable<number>): Work<void> {
    const missing: MissingBlock[] = [];
    let bytes = 0;
    for (const column of columns) {
      const entry = this.footer.directory[column];
      if (entry === undefined || this.#block(column) !== undefined) continue;
      missing.push({ column, entry });
      bytes += entry.byteLength;
    }
    if (missing.length === 0) return;
    checkLimit(
      `${this.path}: bytes of column blocks`,
      bytes,
      this.options.limits.maxMetadataBytes,
      'ERR_METADATA_TOO_LARGE',
    );
    missing.sort((a, b) => a.entry.byteOffset - b.entry.byteOffset);
    const out = new Uint8Array(bytes);
    // Neighbours as one range.
    const [offsets, lengths, outOffsets]: [number[], number[], number[]] = [[], [], []];
    let at = 0;
    for (const { entry } of missing) {
      const last = offsets.length - 1;
      if (last >= 0 && (offsets[last] as number) + (lengths[last] as number) === entry.byteOffset)
        lengths[last] = (lengths[last] as number) + entry.byteLength;
      else {
        offsets.push(entry.byteOffset);
        lengths.push(entry.byteLength);
        outOffsets.push(at);
      }
      at += entry.byteLength;
    }
    if (bytes > 0)
      yield new ReadRanges(this.source, {
        offsets: Float64Array.from(offsets),
        lengths: Float64Array.from(lengths),
        out,
        outOffsets: Float64Array.from(outOffsets),
      });
    at = 0;
    for (const { column, entry } of missing) this.#keepBlock(column, entry, out.subarray(at, (at += entry.byteLength)));
  }

  /** Undefined where it was not read. Of a footer that is in memory it is used as it lies. */
  #block(column: number): DataView | undefined {
    const known = this.#blocks[column];
    const entry = known === undefined && this.#atHand !== null ? this.footer.directory[column] : undefined;
    if (entry === undefined) return known;
    const bytes = this.#atHand?.bytesAt(entry.byteOffset, entry.byteLength) ?? null;
    return bytes === null ? undefined : this.#keepBlock(column, entry, bytes);
  }

  #keepBlock(column: number, entry: DirectoryEntry, block: Uint8Array): DataView {
    return (this.#blocks[column] = checkColumnBlock(block, entry, this.#blockLocation(column)));
  }

  /** Columns that one of its chunks names as the one with its codes. */
  #leadersOf(column: number): readonly number[] {
    const block = this.#block(column);
    const leaders: number[] = [];
    for (let group = 0; block !== undefined && group < this.rowGroups.length; group++) {
      const leader = block.getUint32(group * CHUNK_ENTRY_BYTES + CODES_COLUMN_AT, true);
      if (leader !== column && leader < this.columns.length && leaders.at(-1) !== leader) leaders.push(leader);
    }
    return leaders;
  }

  #blockLocation(column: number): FileLocation {
    return {
      path: this.path,
      region: 'column block',
      byteOffset: this.footer.directory[column]?.byteOffset ?? 0,
      column: this.column(column).name,
    };
  }

  protected parseChunk(columnNumber: number, rowGroup: number): Chunk {
    const block = this.#block(columnNumber);
    if (block === undefined) throw new Error(`the block of column ${columnNumber} is not loaded`);
    const group = this.group(rowGroup);
    const { footerOffset } = this.footer;
    const location = this.#blockLocation(columnNumber);
    const context = {
      type: this.column(columnNumber).type,
      columnNumber,
      columnCount: this.columns.length,
      footerOffset,
      location,
    };
    const entry = parseChunkEntry(block, rowGroup, group, context);
    const refuse = (expected: string, found: string) =>
      corrupt('ERR_METADATA', { ...location, rowGroup }, rowGroup * CHUNK_ENTRY_BYTES, expected, found);
    // Row groups lie one after another, so that no two chunks of a column share bytes.
    const end = this.rowGroups[rowGroup + 1]?.byteOffset ?? footerOffset;
    if (entry.byteOffset < group.byteOffset || entry.byteOffset + entry.byteLength > end) {
      throw refuse(
        `a chunk inside the row group at [${group.byteOffset}, ${end})`,
        `[${entry.byteOffset}, ${entry.byteOffset + entry.byteLength})`,
      );
    }
    if (entry.codesColumn !== columnNumber) {
      // Looked at before the leader's entry is parsed: two that name each other would never end.
      const own =
        this.#block(entry.codesColumn)?.getUint32(rowGroup * CHUNK_ENTRY_BYTES + CODES_COLUMN_AT, true) ===
        entry.codesColumn;
      if (!own || !this.chunk(entry.codesColumn, rowGroup).entry.joint)
        throw refuse('a leader with codes of its own', `column ${entry.codesColumn}`);
    }
    const pageOffsets = new Float64Array(pageCount(group) + 1);
    pageOffsets[0] = entry.byteOffset + entry.dictionaryBytes;
    for (const [page, { pageBytes }] of entry.pages.entries())
      pageOffsets[page + 1] = (pageOffsets[page] as number) + pageBytes;
    return { entry, pageOffsets };
  }
}
