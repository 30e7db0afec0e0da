// An open .cstore file: a table with Python's indexing, and the factories that write a file and open it.
import { ArgumentError, checkOptions, describeValue, pickOptions } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { run, runSync } from '@colkit/io/effects';
import { Table } from '@colkit/table';
import type { ArrowTableLike, Column, ColumnsInput, RecordBatch, RowInput, TableTypes } from '@colkit/table';
import type { StoredTable } from './columns/stored-table.ts';
import { selectRows } from './get.ts';
import type { RowSelector } from './get.ts';
import { infoOf } from './info.ts';
import type { FileInfo } from './info.ts';
import { readStatistics } from './layout/read-layout.ts';
import { OPEN_OPTIONS, openTable, openTableSync, reopening } from './open-table.ts';
import type { OpenOptions } from './open-table.ts';
import { WRITE_OPTIONS, write, writeSync } from './write/write.ts';
import type { WriteInput, WriteOptions } from './write/write.ts';

/** How to write, and how to open what was written. */
export interface CreateOptions extends WriteOptions, OpenOptions {}

type NameOf<S extends TableTypes> = keyof S & string;

/**
 * All rows and columns of one file. Every view of it reads from it; `close()` closes it for all of them. Safe to use
 * from several async calls at once.
 */
export class ColStore<S extends TableTypes = TableTypes> extends Table<S> {
  readonly #stored: StoredTable;

  constructor(stored: StoredTable) {
    super(stored);
    this.#stored = stored;
  }

  /** Writes columns by name and opens the file. @throws as `write` and `open`. */
  static async fromColumns(columns: ColumnsInput, path: string | URL, options?: CreateOptions): Promise<ColStore> {
    return create(columns, path, options);
  }

  static fromColumnsSync(columns: ColumnsInput, path: string | URL, options?: CreateOptions): ColStore {
    return createSync(columns, path, options);
  }

  /** Writes packed records and opens the file. */
  static async fromRecords(records: RecordBatch, path: string | URL, options?: CreateOptions): Promise<ColStore> {
    return create(records, path, options);
  }

  static fromRecordsSync(records: RecordBatch, path: string | URL, options?: CreateOptions): ColStore {
    return createSync(records, path, options);
  }

  /** Writes row objects and opens the file. */
  static async fromRows(rows: readonly RowInput[], path: string | URL, options?: CreateOptions): Promise<ColStore> {
    return create(rows, path, options);
  }

  static fromRowsSync(rows: readonly RowInput[], path: string | URL, options?: CreateOptions): ColStore {
    return createSync(rows, path, options);
  }

  /** Writes an Arrow table and opens the file. */
  static async fromArrow(table: ArrowTableLike, path: string | URL, options?: CreateOptions): Promise<ColStore> {
    return create(table, path, options);
  }

  static fromArrowSync(table: ArrowTableLike, path: string | URL, options?: CreateOptions): ColStore {
    return createSync(table, path, options);
  }

  /** Path or name of the file. */
  get path(): string {
    return this.#stored.name;
  }

  /**
   * Python's ds[rows, columns], lazy: one name gives a Column, an array of names (or none) a Table. Rows: a number (a
   * view of one row), { start, end, step }, row numbers or a mask.
   * @throws UnknownColumnError, and ArgumentError for what cannot stand for rows or columns, at once; OutOfRangeError
   * when the view is materialised.
   */
  get(rows: RowSelector): Table<S>;
  get<Name extends NameOf<S>>(rows: RowSelector, column: Name): Column<S[Name]>;
  get<Name extends NameOf<S>>(rows: RowSelector, columns: readonly Name[]): Table<Pick<S, Name>>;
  get<Name extends NameOf<S>>(
    rows: RowSelector,
    columns?: Name | readonly Name[],
  ): Table<S> | Table<Pick<S, Name>> | Column<S[Name]> {
    if (columns === undefined) return selectRows<Table<S>>(this, rows);
    if (typeof columns === 'string') return selectRows<Column<S[Name]>>(this.column(columns), rows);
    if (Array.isArray(columns) && firstNoName(columns) === -1)
      return selectRows<Table<Pick<S, Name>>>(
        this.select<Name>(columns as readonly unknown[] as readonly Name[]),
        rows,
      );
    throw new ArgumentError('ERR_ARGUMENT', 'columns', 'a column name or an array of them', describeColumns(columns));
  }

  /**
   * The file as it is now, with the rows that a writer committed since: a table of its own, which is to be closed too.
   * This one, and every view of it, keeps its rows: a table does not change under those who hold it.
   * @throws IoError ERR_FILE_CHANGED where a file with other columns is in its place, ERR_NOT_FOUND;
   * UnsupportedError for a source of your own that cannot be opened again; ClosedError.
   */
  async reload(): Promise<ColStore<S>> {
    return new ColStore<S>(await run(reopening(this.#stored, 'reload')));
  }

  reloadSync(): ColStore<S> {
    return new ColStore<S>(runSync(reopening(this.#stored, 'reloadSync')));
  }

  /** What the file says of itself; reads the statistics footer, where there is one. @throws ClosedError. */
  async info(): Promise<FileInfo> {
    const { layout, source } = this.#stored.opened('info');
    return infoOf(layout, await run(readStatistics(source, layout)));
  }

  infoSync(): FileInfo {
    const { layout, source } = this.#stored.opened('infoSync');
    return infoOf(layout, runSync(readStatistics(source, layout)));
  }
}

function firstNoName(columns: readonly unknown[]): number {
  return columns.findIndex((name) => typeof name !== 'string');
}

function describeColumns(given: unknown): string {
  if (!Array.isArray(given)) return describeValue(given);
  const position = firstNoName(given);
  return `${describeValue(given[position])} at position ${String(position)}`;
}

const CREATE_OPTIONS: OptionSet<CreateOptions> = { ...WRITE_OPTIONS, ...OPEN_OPTIONS };

async function create(data: WriteInput, path: string | URL, options: CreateOptions = {}): Promise<ColStore> {
  checkOptions('ColStore.from', CREATE_OPTIONS, options);
  await write(path, data, pickOptions(WRITE_OPTIONS, options));
  return new ColStore(await openTable(path, pickOptions(OPEN_OPTIONS, options)));
}

function createSync(data: WriteInput, path: string | URL, options: CreateOptions = {}): ColStore {
  checkOptions('ColStore.from', CREATE_OPTIONS, options);
  writeSync(path, data, pickOptions(WRITE_OPTIONS, options));
  return new ColStore(openTableSync(path, pickOptions(OPEN_OPTIONS, options)));
}
