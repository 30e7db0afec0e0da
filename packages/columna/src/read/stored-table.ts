// An open .cna file as the source of a table: any rows, any columns, only the pages that hold them.
import { ArgumentError, CannotViewError } from '@colkit/io';
import { operationOf, runSync } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import { rangeOf, stretchOfRow } from '@colkit/table';
import type { Answer, Chunk, Field, Plan, ReadRequest, TableSource } from '@colkit/table';
import { openPage } from '../columns/decode-page.ts';
import { Scratch } from '../columns/scratch.ts';
import { Codec, Encoding, PAGE_HEADER_BYTES } from '../layout/constants.ts';
import { rowsOfPage } from '../layout/footer.ts';
import { answerPlan } from './answering.ts';
import { newRecord } from './filter/prune-record.ts';
import type { PruneRecord } from './filter/prune-record.ts';
import { readRows } from './pages/read-rows.ts';
import type { StoredFile } from './file/stored-file.ts';

export class StoredTable implements TableSource {
  readonly name: string;
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly file: StoredFile;
  /** Where the pages begin of which views were handed out: they are what a view needs. */
  readonly #viewedPages = new Set<number>();

  readonly #record: PruneRecord | null;

  /**
   * Takes over the file's source: closing the table closes it.
   * @param record of a table that answers one plan: what becomes of the row groups. Null: nobody asks.
   */
  constructor(file: StoredFile, record: PruneRecord | null = null) {
    this.#record = record;
    this.file = file;
    this.name = file.path;
    this.rowCount = file.footer.rowCount;
    this.fields = file.columns.map(({ name, type, nullable }) => ({ name, dtype: type.dtype, nullable }));
  }

  get closed(): boolean {
    return this.file.source.closed;
  }

  read(request: ReadRequest): Operation<readonly Chunk[]> {
    return operationOf(() => this.#reading(request));
  }

  *execute(plan: Plan): Work<Answer> {
    this.file.requireOpen('read');
    if (rangeOf(plan.rows) === null || (plan.where === null && plan.want.kind !== 'aggregates'))
      return { kind: 'rest', plans: [plan] };
    return yield* answerPlan(this, plan, this.#record ?? newRecord());
  }

  /** Only rows of one page that is PLAIN, without DEFLATE and without nulls are an array in the file. */
  viewColumn(column: number, start: number, count: number): Uint8Array {
    this.file.requireOpen('viewColumn');
    const schema = this.file.columns[column];
    if (schema === undefined)
      throw new ArgumentError('ERR_ARGUMENT', 'column', `a column number below ${this.fields.length}`, String(column));
    if (
      !Number.isSafeInteger(start) ||
      !Number.isSafeInteger(count) ||
      start < 0 ||
      count < 0 ||
      count > this.rowCount - start
    ) {
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'rows',
        `a range within ${this.rowCount} rows`,
        `${count} rows from ${start}`,
      );
    }
    if (schema.nullable)
      throw new CannotViewError(
        'ERR_HAS_NULLS',
        `column ${JSON.stringify(schema.name)} may hold nulls`,
        'copy it with toArray()',
      );
    if (schema.type.itemBytes === 0)
      throw new CannotViewError(
        'ERR_NOT_VIEWABLE',
        `column ${JSON.stringify(schema.name)} has no fixed width`,
        'copy it with toArray()',
      );
    if (count === 0) return new Uint8Array(0);
    return runSync(this.#viewPage(column, start, count));
  }

  close(): void {
    this.file.keptPages = null;
    this.file.source.close();
  }

  *#reading(request: ReadRequest): Work<readonly Chunk[]> {
    this.file.requireOpen('read');
    return yield* readRows(this.file, request);
  }

  *#viewPage(column: number, start: number, count: number): Work<Uint8Array> {
    const { file } = this;
    yield* file.loadBlocks([column]);
    const group = stretchOfRow(start, file.rowGroups);
    const { firstRow, pageRows } = file.group(group);
    const page = Math.floor((start - firstRow) / pageRows);
    const inPage = start - firstRow - page * pageRows;
    const rowCount = rowsOfPage(file.group(group), page);
    if (inPage + count > rowCount)
      throw new CannotViewError(
        'ERR_NOT_CONTIGUOUS',
        'the rows lie in more than one page of the file',
        'copy them with toArray()',
      );
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
    openPage(bytes, {
      expected,
      verifyCrc,
      place: file.place('page', byteOffset, column, group, page),
      scratch: new Scratch(0),
      dictionary: null,
    });
    this.#viewedPages.add(byteOffset);
    return values;
  }
}

const encoded = (): CannotViewError =>
  new CannotViewError(
    'ERR_NOT_VIEWABLE',
    'the page is encoded',
    "copy it with toArray(), or write the file with { mode: 'plain' }",
  );
