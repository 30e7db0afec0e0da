// .cstore files as parts of a dataset. Of each the header is read once, and its statistics where it has any.
import type { RandomAccessSource } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { mergeStatistics, requireVersion, versionOf } from '@colkit/table';
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
import { recordStatistics } from '../columns/record-statistics.ts';
import { StoredTable } from '../columns/stored-table.ts';
import type { StoredTableOptions } from '../columns/stored-table.ts';
import { layoutBy } from '../layout/open-layout.ts';
import { readStatistics } from '../layout/read-layout.ts';
import type { FileLayout } from '../layout/read-layout.ts';
import type { Statistics } from '../layout/statistics-footer.ts';

/** `.cstore` files as parts of a dataset: `openDataset(folder, { formats: [cstoreParts] })`. */
export const cstoreParts: PartFormat = { name: 'cstore', extension: '.cstore', read: readHead };

function* readHead(place: PartPlace, { backend }: PartOptions): Work<PartHead> {
  const { source, layout } = yield* layoutBy(() => place.open());
  try {
    const statistics = layout.statisticsOffset < layout.endOffset ? null : yield* readStatistics(source, layout);
    return new StoredHead(place, layout, statistics, versionOf(source, null), backend === undefined ? {} : { backend });
  } finally {
    source.close();
  }
}

class StoredHead implements PartHead {
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly version: PartVersion;
  readonly knowsPlans = true;
  readonly #place: PartPlace;
  readonly #layout: FileLayout;
  readonly #statistics: Statistics | null;
  readonly #options: StoredTableOptions;

  constructor(
    place: PartPlace,
    layout: FileLayout,
    statistics: Statistics | null,
    version: PartVersion,
    options: StoredTableOptions,
  ) {
    this.rowCount = layout.rowCount;
    this.fields = layout.columns.map(({ name, dtype }) => ({ name, dtype: dtype.name, nullable: false }));
    this.version = version;
    this.#place = place;
    this.#layout = layout;
    this.#statistics = statistics;
    this.#options = options;
  }

  statisticsOf(column: number): ColumnStatistics | null {
    if (this.#statistics === null) return null;
    return mergeStatistics(this.#records().map(({ number, rowCount }) => this.#statisticsOf(column, number, rowCount)));
  }

  // eslint-disable-next-line require-yield -- the header has it
  *groups(columns: readonly number[]): Work<readonly PartGroup[]> {
    return this.#records().map(({ number, rowCount }) => ({
      rowCount,
      byteLengths: columns.map((column) => rowCount * (this.#layout.columns[column]?.dtype.itemBytes ?? 0)),
      statistics: columns.map((column) => this.#statisticsOf(column, number, rowCount)),
    }));
  }

  *open(): Work<TableSource> {
    const source: RandomAccessSource = yield* this.#place.open();
    try {
      requireVersion(this.#place.name, this.version, versionOf(source, null));
      return new StoredTable(source, this.#layout, this.#options);
    } catch (error) {
      source.close();
      throw error;
    }
  }

  #statisticsOf(column: number, record: number, rowCount: number): ColumnStatistics | null {
    return this.#statistics === null ? null : recordStatistics(this.#statistics, column, record, rowCount);
  }

  /** Those that have rows. */
  #records(): readonly { readonly number: number; readonly rowCount: number }[] {
    const { rowStarts } = this.#layout;
    return Array.from({ length: rowStarts.length - 1 }, (_, number) => ({
      number,
      rowCount: (rowStarts[number + 1] as number) - (rowStarts[number] as number),
    })).filter(({ rowCount }) => rowCount > 0);
  }
}
