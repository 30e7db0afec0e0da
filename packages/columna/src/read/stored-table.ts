// An open .cna file as the source of a table: its columns, and what it knows without reading all of them.
import { ArgumentError, CannotViewError } from '@colkit/io';
import { runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { rangeOf } from '@colkit/table';
import type { Answer, ColumnStatistics, Plan, RowRange, TableSource } from '@colkit/table';
import { answerPlan, pageStatistics } from './answering.ts';
import { newRecord } from './filter/prune-record.ts';
import type { PruneRecord } from './filter/prune-record.ts';
import type { StoredFile } from './file/stored-file.ts';
import { viewPage } from './page-reading.ts';
import { StoredColumns } from './stored-columns.ts';

export class StoredTable extends StoredColumns implements TableSource {
  /** Where the pages begin of which views were handed out: they are what a view needs. */
  readonly #viewedPages = new Set<number>();

  readonly #record: PruneRecord | null;

  /**
   * Takes over the file's source: closing the table closes it.
   * @param record of a table that answers one plan: what becomes of the row groups. Null: nobody asks.
   */
  constructor(file: StoredFile, record: PruneRecord | null = null) {
    super(file);
    this.#record = record;
  }

  *execute(plan: Plan): Work<Answer> {
    this.file.requireOpen('read');
    if (rangeOf(plan.rows) === null || (plan.where === null && plan.want.kind !== 'aggregates'))
      return { kind: 'rest', plans: [plan] };
    return yield* answerPlan(this, plan, this.#record ?? newRecord());
  }

  /** Of pages that lie in these rows. */
  statisticsOf(column: number, rows: RowRange): Work<readonly ColumnStatistics[]> {
    this.file.requireOpen('read');
    return pageStatistics(this.file, column, rows);
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
    return runSync(viewPage(this.file, column, { start, count, viewed: this.#viewedPages }));
  }

  close(): void {
    this.file.forget();
    this.file.source.close();
  }
}
