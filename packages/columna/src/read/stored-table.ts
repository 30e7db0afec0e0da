// An open .cna file as the source of a table: any rows, any columns, only the pages that hold them.
import { ArgumentError, CannotViewError } from '@colkit/io';
import type { RowSelection } from '@colkit/io';
import { stretchOfRow } from '@colkit/table';
import type { BoundPredicate, CollectOptions, ColumnData, Field, FilterOptions, ReadRequest, RowSpan, TableSource } from '@colkit/table';
import { openPage } from '../columns/decode-page.ts';
import { Scratch } from '../columns/scratch.ts';
import { Codec, Encoding, PAGE_HEADER_BYTES } from '../layout/constants.ts';
import { rowsOfPage } from '../layout/footer.ts';
import { collectRows } from './collect-rows.ts';
import type { CollectedScan } from './collect-rows.ts';
import { CollectedRows } from './collected.ts';
import { explainFilter, filterRows } from './filter-rows.ts';
import { readRows } from './read-rows.ts';
import { runSteps, runStepsSync } from './steps.ts';
import type { StepContext, Steps } from './steps.ts';
import type { StoredFile } from './stored-file.ts';

export class StoredTable implements TableSource {
  readonly name: string;
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly file: StoredFile;
  /** Where the pages begin of which views were handed out: they are what a view needs. */
  readonly #viewedPages = new Set<number>();

  /** Takes over the file's source: closing the table closes it. */
  constructor(file: StoredFile) {
    this.file = file;
    this.name = file.path;
    this.rowCount = file.footer.rowCount;
    this.fields = file.columns.map(({ name, type, nullable }) => ({ name, dtype: type.dtype, nullable }));
  }

  get closed(): boolean {
    return this.file.source.closed;
  }

  async read(request: ReadRequest): Promise<readonly ColumnData[]> {
    this.file.requireOpen('read');
    return runSteps(readRows(this.file, request), this.#context(request));
  }

  readSync(request: ReadRequest): readonly ColumnData[] {
    this.file.requireOpen('readSync');
    return runStepsSync(readRows(this.file, request), this.#context(request));
  }

  async filterRows(predicate: BoundPredicate, span: RowSpan, options: FilterOptions): Promise<RowSelection> {
    this.file.requireOpen('filterRows');
    return runSteps(filterRows(this.file, predicate, span, options), this.#context(options));
  }

  filterRowsSync(predicate: BoundPredicate, span: RowSpan, options: FilterOptions): RowSelection {
    this.file.requireOpen('filterRowsSync');
    return runStepsSync(filterRows(this.file, predicate, span, options), this.#context(options));
  }

  async collectRows(predicate: BoundPredicate, span: RowSpan, columns: readonly number[], options: CollectOptions): Promise<TableSource> {
    this.file.requireOpen('collectRows');
    return this.#collected(columns, await runSteps(collectRows(this.file, predicate, span, columns, options.strings), this.#context(options)));
  }

  collectRowsSync(predicate: BoundPredicate, span: RowSpan, columns: readonly number[], options: CollectOptions): TableSource {
    this.file.requireOpen('collectRowsSync');
    return this.#collected(columns, runStepsSync(collectRows(this.file, predicate, span, columns, options.strings), this.#context(options)));
  }

  async explainFilter(predicate: BoundPredicate, span: RowSpan): Promise<readonly string[]> {
    this.file.requireOpen('explainFilter');
    return runSteps(explainFilter(this.file, predicate, span), this.#context({ workers: 0 }));
  }

  explainFilterSync(predicate: BoundPredicate, span: RowSpan): readonly string[] {
    this.file.requireOpen('explainFilterSync');
    return runStepsSync(explainFilter(this.file, predicate, span), this.#context({ workers: 0 }));
  }

  /** Only rows of one page that is PLAIN, without DEFLATE and without nulls are an array in the file. */
  viewColumn(column: number, start: number, count: number): Uint8Array {
    this.file.requireOpen('viewColumn');
    const schema = this.file.columns[column];
    if (schema === undefined) throw new ArgumentError('ERR_ARGUMENT', 'column', `a column number below ${this.fields.length}`, String(column));
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(count) || start < 0 || count < 0 || count > this.rowCount - start) {
      throw new ArgumentError('ERR_ARGUMENT', 'rows', `a range within ${this.rowCount} rows`, `${count} rows from ${start}`);
    }
    if (schema.nullable) throw new CannotViewError('ERR_HAS_NULLS', `column ${JSON.stringify(schema.name)} may hold nulls`, 'copy it with toArray()');
    if (schema.type.itemBytes === 0) throw new CannotViewError('ERR_NOT_VIEWABLE', `column ${JSON.stringify(schema.name)} has no fixed width`, 'copy it with toArray()');
    if (count === 0) return new Uint8Array(0);
    return runStepsSync(this.#viewPage(column, start, count), this.#context({ workers: 0 }));
  }

  close(): void {
    this.file.keptPages = null;
    this.file.source.close();
  }

  #collected(columns: readonly number[], { pieces, rowCount }: CollectedScan): TableSource {
    return new CollectedRows(this.name, columns.map((column) => this.fields[column] as Field), pieces, rowCount);
  }

  *#viewPage(column: number, start: number, count: number): Steps<Uint8Array> {
    const { file } = this;
    yield* file.loadBlocks([column]);
    const group = stretchOfRow(start, file.rowGroups);
    const { firstRow, pageRows } = file.group(group);
    const page = Math.floor((start - firstRow) / pageRows);
    const inPage = start - firstRow - page * pageRows;
    const rowCount = rowsOfPage(file.group(group), page);
    if (inPage + count > rowCount) throw new CannotViewError('ERR_NOT_CONTIGUOUS', 'the rows lie in more than one page of the file', 'copy them with toArray()');
    const { entry, pageOffsets } = file.chunk(column, group);
    const { type } = file.column(column);
    if (entry.joint) throw encoded();
    const [byteOffset, end] = [pageOffsets[page] as number, pageOffsets[page + 1] as number];
    const body = { byteOffset: byteOffset + PAGE_HEADER_BYTES, byteLength: rowCount * type.itemBytes };
    if (body.byteOffset + body.byteLength > end) throw encoded();
    const values = file.source.view(body.byteOffset + inPage * type.itemBytes, count * type.itemBytes, body);
    if (this.#viewedPages.has(byteOffset)) return values;
    // A copy: in the window may be what somebody wrote into a view.
    const bytes = new Uint8Array(end - byteOffset);
    file.source.readSync(byteOffset, bytes);
    if (bytes[22] !== Encoding.PLAIN || bytes[24] !== Codec.NONE) throw encoded();
    const { limits, verifyCrc } = file.options;
    const expected = { kind: 'data', type, columnNumber: column, rowCount, maxBodyBytes: limits.maxPageBytes } as const;
    openPage(bytes, { expected, verifyCrc, place: file.place('page', byteOffset, column, group, page), scratch: new Scratch(0), dictionary: null });
    this.#viewedPages.add(byteOffset);
    return values;
  }

  #context({ signal, workers }: Pick<ReadRequest, 'signal' | 'workers'>): StepContext {
    return { source: this.file.source, signal, workers, bytesRead: 0 };
  }
}

const encoded = (): CannotViewError => new CannotViewError('ERR_NOT_VIEWABLE', 'the page is encoded', "copy it with toArray(), or write the file with { mode: 'plain' }");
