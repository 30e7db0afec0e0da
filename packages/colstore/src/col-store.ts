// An open .cstore file: a table with Python's indexing, and the factories that write a file and open it.
import { ArgumentError, describeValue } from '@colkit/io';
import { run, runSync } from '@colkit/io/effects';
import { Table } from '@colkit/table';
import type {
  ArrowTableLike,
  Column,
  ColumnsInput,
  ExpectedSchema,
  ExpectedTypes,
  NamedColumns,
  NamedValues,
  RecordBatch,
  TableTypes,
  TypesOfColumns,
  TypesOfRows,
} from '@colkit/table';
import { selectRows } from './get.ts';
import type { RowSelector } from './get.ts';
import type { FileInfo } from './info.ts';
import { createTable, createTableSync } from './creating.ts';
import type { CreateOptions } from './creating.ts';
import { ManyFiles } from './many/many-files.ts';
import type { OpenedTable } from './opened-table.ts';
import { infoOfTable, reopening } from './opening.ts';

type NameOf<S extends TableTypes> = keyof S & string;
/** What `expect` says, or what the input says where no schema changes it. The format has no nulls. */
type CreatedTypes<S extends TableTypes, O> = O extends { readonly expect: ExpectedSchema }
  ? ExpectedTypes<O>
  : O extends { readonly schema: object }
    ? TableTypes
    : { readonly [Name in keyof S]: { readonly dtype: S[Name]['dtype']; readonly nullable: false } };

/**
 * All rows and columns of one file, or of several one after another. Every view of it reads from it; `close()` closes
 * it for all of them. Safe to use from several async calls at once.
 */
export class ColStore<S extends TableTypes = TableTypes> extends Table<S> {
  readonly #stored: OpenedTable;

  /** @throws ArgumentError ERR_SCHEMA where the columns are not those that are expected. */
  constructor(stored: OpenedTable, expect?: ExpectedSchema) {
    super(expect === undefined ? stored : new Table(stored).expectSchema(expect).view);
    this.#stored = stored;
  }

  /** Writes columns by name and opens the file. @throws as `write` and `open`. */
  static async fromColumns<C extends ColumnsInput | NamedColumns<C>, const O extends CreateOptions = object>(
    columns: C,
    path: string | URL,
    options?: O,
  ): Promise<ColStore<CreatedTypes<TypesOfColumns<C>, O>>> {
    return colStoreOf(await createTable(columns, path, options), options?.expect);
  }

  static fromColumnsSync<C extends ColumnsInput | NamedColumns<C>, const O extends CreateOptions = object>(
    columns: C,
    path: string | URL,
    options?: O,
  ): ColStore<CreatedTypes<TypesOfColumns<C>, O>> {
    return colStoreOf(createTableSync(columns, path, options), options?.expect);
  }

  /** Writes packed records and opens the file. */
  static async fromRecords<S extends TableTypes, const O extends CreateOptions = object>(
    records: RecordBatch<S>,
    path: string | URL,
    options?: O,
  ): Promise<ColStore<CreatedTypes<S, O>>> {
    return colStoreOf(await createTable(records, path, options), options?.expect);
  }

  static fromRecordsSync<S extends TableTypes, const O extends CreateOptions = object>(
    records: RecordBatch<S>,
    path: string | URL,
    options?: O,
  ): ColStore<CreatedTypes<S, O>> {
    return colStoreOf(createTableSync(records, path, options), options?.expect);
  }

  /** Writes row objects and opens the file. */
  static async fromRows<R extends NamedValues<R>, const O extends CreateOptions = object>(
    rows: readonly R[],
    path: string | URL,
    options?: O,
  ): Promise<ColStore<CreatedTypes<TypesOfRows<R>, O>>> {
    return colStoreOf(await createTable(rows, path, options), options?.expect);
  }

  static fromRowsSync<R extends NamedValues<R>, const O extends CreateOptions = object>(
    rows: readonly R[],
    path: string | URL,
    options?: O,
  ): ColStore<CreatedTypes<TypesOfRows<R>, O>> {
    return colStoreOf(createTableSync(rows, path, options), options?.expect);
  }

  /** Writes an Arrow table and opens the file. */
  static async fromArrow(table: ArrowTableLike, path: string | URL, options?: CreateOptions): Promise<ColStore> {
    return new ColStore(await createTable(table, path, options));
  }

  static fromArrowSync(table: ArrowTableLike, path: string | URL, options?: CreateOptions): ColStore {
    return new ColStore(createTableSync(table, path, options));
  }

  /** Path or name of the file; of several, what they were named by. */
  get path(): string {
    return this.#stored.name;
  }

  /** The paths or names of the files, in the order of their rows. */
  get paths(): readonly string[] {
    return this.#stored instanceof ManyFiles ? this.#stored.parts.map(({ name }) => name) : [this.#stored.name];
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
   * The file as it is now, or the files and the folder, with the rows that a writer committed since: a table of its
   * own, which is to be closed too.
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

  /**
   * What the file says of itself; of several, what they say together, and each. Reads the statistics footer, where
   * there is one. @throws ClosedError.
   */
  async info(): Promise<FileInfo> {
    return run(infoOfTable(this.#stored, 'info'));
  }

  infoSync(): FileInfo {
    return runSync(infoOfTable(this.#stored, 'infoSync'));
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

/** Closes the file where its columns are not those that are expected. */
export function colStoreOf<S extends TableTypes>(stored: OpenedTable, expect: ExpectedSchema | undefined): ColStore<S> {
  try {
    return new ColStore<S>(stored, expect);
  } catch (error) {
    stored.close();
    throw error;
  }
}
