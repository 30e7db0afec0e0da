// Row groups -> the bytes of a file, piece by piece and in order: magic, pages, footer. Where the bytes go is the
// caller's business; nothing that was returned is needed again.
import { ArgumentError } from '@colkit/io';
import { encodeFooter } from '../../layout/footer.ts';
import type { RowGroup } from '../../layout/footer.ts';
import type { ChunkEntry } from '../../layout/column-block.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import { CHUNK_ENTRY_BYTES, FIRST_ROW_GROUP_OFFSET, MAGIC, ROW_GROUP_ENTRY_BYTES } from '../../layout/constants.ts';
import type { EncodingName } from '../../layout/constants.ts';
import type { FileSchema } from '../../layout/schema.ts';
import { mergeStatistics } from '../../layout/statistics.ts';
import type { ColumnValues } from '../values/column-values.ts';
import { chunkBytes } from '../encode/encode-chunk.ts';
import type { EncodedChunk } from '../encode/encode-chunk.ts';
import type { PageReport } from '../encode/encode-page.ts';
import { encodeRowGroup } from '../encode/encode-row-group.ts';
import type { RowGroupOptions } from '../encode/encode-row-group.ts';
import type { WriteMode } from '../encode/modes.ts';
import { pageRowsFor } from '../encode/page-rows.ts';

export interface FileOptions {
  readonly mode: WriteMode;
  readonly joint: boolean;
  readonly encodings: ReadonlyMap<number, EncodingName>;
  /** Most rows of a page: a multiple of 8, at most 65,536. */
  readonly pageRows: number;
}

/** What became of one column of one row group. */
export interface ChunkReport {
  readonly column: string;
  readonly rowGroup: number;
  readonly bytes: number;
  /** The column whose code pages it uses, where that is another one. */
  readonly leader: string | null;
  readonly dictionary: PageReport | null;
  readonly pages: readonly PageReport[];
}

export interface GroupSize {
  readonly rowCount: number;
  /** Of its pages. */
  readonly byteLength: number;
}

interface WrittenRowGroup {
  /** The bytes of its pages, in order. */
  readonly parts: readonly Uint8Array[];
  /** One a column. */
  readonly reports: readonly ChunkReport[];
}

export class FileEncoder {
  #schema: FileSchema;
  readonly #options: FileOptions;
  readonly #rowGroups: RowGroup[];
  readonly #chunks: ChunkEntry[][];
  #previousEnd: number;
  #position: number;
  #rowCount: number;

  /** `before`: row groups of a file that is appended to, whose bytes end at `before.byteLength`. */
  constructor(
    schema: FileSchema,
    options: FileOptions,
    before: {
      readonly byteLength: number;
      readonly rowGroups: readonly RowGroup[];
      readonly chunks: readonly (readonly ChunkEntry[])[];
    } | null = null,
  ) {
    this.#schema = schema;
    this.#options = options;
    this.#rowGroups = [...(before?.rowGroups ?? [])];
    this.#chunks = schema.columns.map((_, column) => [...(before?.chunks[column] ?? [])]);
    this.#previousEnd = before?.byteLength ?? 0;
    this.#position = before?.byteLength ?? 0;
    this.#rowCount = this.#rowGroups.reduce((sum, group) => sum + group.rowCount, 0);
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get rowGroupCount(): number {
    return this.#rowGroups.length;
  }

  get schema(): FileSchema {
    return this.#schema;
  }

  /** Whether some column has one encoding only. */
  get forcesEncodings(): boolean {
    return this.#options.encodings.size > 0;
  }

  /** Of what the next footer says of row groups, but for the statistics of their pages. */
  get footerBytes(): number {
    return this.#rowGroups.length * (ROW_GROUP_ENTRY_BYTES + CHUNK_ENTRY_BYTES * this.#chunks.length);
  }

  /** The last row group first. */
  *lastRowGroups(): Iterable<GroupSize> {
    for (let number = this.#rowGroups.length - 1; number >= 0; number--) {
      const byteLength = this.#chunks.reduce((sum, chunks) => sum + (chunks[number]?.byteLength ?? 0), 0);
      yield { rowCount: this.#rowGroups[number]?.rowCount ?? 0, byteLength };
    }
  }

  /** Where so many row groups at the end begin. */
  firstRowOf(lastRowGroups: number): number {
    return this.#rowGroups.at(-lastRowGroups)?.firstRow ?? 0;
  }

  /** The footers to come are without so many row groups at the end, and their rows. */
  dropLast(rowGroupCount: number): void {
    this.#rowCount = this.firstRowOf(rowGroupCount);
    for (const list of [this.#rowGroups, ...this.#chunks]) list.length -= rowGroupCount;
  }

  typeOf(column: number): ColumnType {
    const schema = this.#schema.columns[column];
    if (schema === undefined) throw new Error(`no column ${column}`);
    return schema.type;
  }

  /** From now on the column may hold nulls: the footers to come say so. */
  makeNullable(column: number): void {
    this.#schema = {
      ...this.#schema,
      columns: this.#schema.columns.map((each, number) => (number === column ? { ...each, nullable: true } : each)),
    };
  }

  /** The bytes before the first row group: the magic, or the padding behind an older footer. */
  start(): Uint8Array {
    const bytes = new Uint8Array(this.#position === 0 ? FIRST_ROW_GROUP_OFFSET : (12 - (this.#position % 8)) % 8);
    if (this.#position === 0) new DataView(bytes.buffer).setUint32(0, MAGIC, true);
    this.#position += bytes.length;
    return bytes;
  }

  /** One row group of at least one row. All columns have as many rows; nulls only where the schema allows them. */
  rowGroup(columns: readonly ColumnValues[]): WrittenRowGroup {
    const options = this.optionsFor(columns);
    return this.add(encodeRowGroup(columns, options), columns[0]?.rowCount ?? 0, options);
  }

  /**
   * How the next row group is to be encoded, by whoever does it.
   * @throws ArgumentError for columns that do not fit each other or the schema.
   */
  optionsFor(columns: readonly ColumnValues[]): RowGroupOptions {
    const rowCount = columns[0]?.rowCount ?? 0;
    for (const [number, { name, nullable }] of this.#schema.columns.entries()) {
      const column = columns[number];
      if (column?.rowCount !== rowCount || rowCount === 0)
        throw new ArgumentError(
          'ERR_VALUE',
          'columns',
          `${rowCount} rows in every column`,
          `${column?.rowCount ?? 0} in ${JSON.stringify(name)}`,
        );
      if (!nullable && column.validity !== null)
        throw new ArgumentError(
          'ERR_VALUE',
          'columns',
          `no nulls in ${JSON.stringify(name)}, which is not nullable`,
          'a null',
        );
    }
    return { ...this.#options, pageRows: pageRowsFor(columns, this.#options.pageRows, this.schema.columns) };
  }

  /** A row group that was encoded with `optionsFor` its columns, behind the others. */
  add(
    chunks: readonly EncodedChunk[],
    rowCount: number,
    { pageRows }: Pick<RowGroupOptions, 'pageRows'>,
  ): WrittenRowGroup {
    const parts: Uint8Array[] = [];
    const byteOffset = this.#position;
    const reports = chunks.map((chunk, number) => {
      this.#chunks[number]?.push(this.#entry(chunk, number));
      for (const page of [chunk.dictionaryPage, ...chunk.pages]) if (page !== null) parts.push(page.bytes);
      this.#position += chunkBytes(chunk);
      return this.#report(chunk, number);
    });
    this.#rowGroups.push({ byteOffset, rowCount, pageRows, firstRow: this.#rowCount });
    this.#rowCount += rowCount;
    return { parts, reports };
  }

  /**
   * Footer and trailer: with them, everything so far is a complete file. More row groups may follow, after `start()`.
   */
  footer(): Uint8Array {
    const bytes = encodeFooter(this.#schema, this.#rowGroups, this.#chunks, this.#position, this.#previousEnd);
    this.#position += bytes.length;
    this.#previousEnd = this.#position;
    return bytes;
  }

  #entry(chunk: EncodedChunk, number: number): ChunkEntry {
    const statistics = chunk.statistics.reduce(mergeStatistics);
    return {
      byteOffset: this.#position,
      byteLength: chunkBytes(chunk),
      dictionaryBytes: chunk.dictionaryPage?.bytes.length ?? 0,
      codesColumn: chunk.joint?.leader ?? number,
      joint: chunk.joint !== null,
      statistics,
      encodings: chunk.pages.reduce((bits, page) => bits | (1 << page.rootEncoding), 0),
      pages: chunk.statistics.map((each, page) => ({
        pageBytes: chunk.pages[page]?.bytes.length ?? 0,
        statistics: each,
      })),
    };
  }

  #report(chunk: EncodedChunk, number: number): ChunkReport {
    const name = (column: number) => this.#schema.columns[column]?.name ?? '';
    const leader = chunk.joint !== null && chunk.joint.leader !== number ? name(chunk.joint.leader) : null;
    const dictionary = chunk.dictionaryPage?.report ?? null;
    return {
      column: name(number),
      rowGroup: this.#rowGroups.length,
      bytes: chunkBytes(chunk),
      leader,
      dictionary,
      pages: chunk.pages.map((page) => page.report),
    };
  }
}
