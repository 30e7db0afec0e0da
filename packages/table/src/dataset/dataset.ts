// What a user holds of a dataset: a table, and what its files are.
import type { Field } from '../field.ts';
import { Table } from '../output/table.ts';
import type { ExpectedSchema, TableTypes } from '../schema.ts';
import type { StatisticsValue } from '../query/proof/column-statistics.ts';
import { checkOptions } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import type { DatasetSource } from './dataset-source.ts';
import { SPLIT_OPTIONS, splitsOf } from './splits.ts';
import type { Split, SplitOptions } from './splits.ts';

/** One file of a dataset. */
export interface DatasetFile {
  /** Path or URL. */
  readonly path: string;
  readonly rowCount: number;
  readonly byteLength: number;
  /** What its path says, by column; in the column's own form. */
  readonly values: Readonly<Record<string, StatisticsValue | null>>;
}

/**
 * The rows of many files as one table, file after file. `close()` closes what is open of them. Safe to use from several
 * async calls at once.
 */
export class Dataset<S extends TableTypes = TableTypes> extends Table<S> {
  readonly #source: DatasetSource;

  /** @throws ArgumentError ERR_SCHEMA where the columns are not those that are expected. */
  constructor(source: DatasetSource, expect?: ExpectedSchema) {
    super(expect === undefined ? source : new Table(source).expectSchema(expect).view);
    this.#source = source;
  }

  /** In the order of their rows. */
  get files(): readonly DatasetFile[] {
    return this.#source.files.map(({ place, head, constants }) => ({
      path: place.name,
      rowCount: head.rowCount,
      byteLength: head.version.byteLength,
      values: Object.fromEntries(constants.map(({ field, value }) => [field.name, value])),
    }));
  }

  /** How many files are open now. */
  get openCount(): number {
    return this.#source.openCount;
  }

  /** Columns that not all files have, with `onMismatch: 'drop'`. */
  get dropped(): readonly string[] {
    return [...this.#source.united.dropped];
  }

  /** Columns whose values the paths say. */
  get pathColumns(): readonly Field[] {
    return (this.#source.files[0]?.constants ?? []).map(({ field }) => ({ ...field }));
  }

  /** Of the manifest that it was opened from: what `commit` calls `expected`. 0: there was none. */
  get version(): number {
    return this.#source.manifest?.version ?? 0;
  }

  /**
   * The rows as pieces of work for others: consecutive row groups of one file, whose asked columns have about
   * `targetBytes`, without those in which nothing can match. Plain JSON, each pinned to the version of its file. Cost:
   * the footers, of a manifest nothing.
   * @throws QueryError, UnknownColumnError; ArgumentError where a file is bytes or a Blob, which others cannot open;
   * what reading footers throws.
   */
  async splits(options: SplitOptions = {}): Promise<readonly Split[]> {
    checkOptions('splits', SPLIT_OPTIONS, options);
    return run(splitsOf(this.#source, options), contextOf(options));
  }

  splitsSync(options: SplitOptions = {}): readonly Split[] {
    checkOptions('splitsSync', SPLIT_OPTIONS, options);
    return runSync(splitsOf(this.#source, options), contextOf(options));
  }
}
