// What a table of several sources is made of: one file, told by what its header says. It is opened when it is needed.
import type { Work } from '@colkit/io/effects';
import type { Field } from '../field.ts';
import type { ColumnStatistics, StatisticsValue } from '../query/proof/column-statistics.ts';
import type { TableSource } from '../source.ts';

/** A column that all rows of a part have one value of, such as the `region` of `region=EMEA/part.cna`. */
export interface ConstantColumn {
  readonly field: Field;
  /** In the column's own form (see `Literal`); null where the rows are null. */
  readonly value: StatisticsValue | null;
}

export interface Part {
  /** Path or name, for messages. */
  readonly name: string;
  readonly rowCount: number;
  /** The columns that it holds, in its order. */
  readonly fields: readonly Field[];
  /** Further ones that it does not hold. */
  readonly constants: readonly ConstantColumn[];
  /** Whether it is worth being opened to be asked about plans (`TableSource.execute`): it knows more than values. */
  readonly knowsPlans: boolean;
  /**
   * What is known of all values of one of its columns (by its own number) without opening it: a manifest, or a footer,
   * said so. Absent or null: nothing.
   */
  statisticsOf?(column: number): ColumnStatistics | null;
  /** Opens it, as often as it is asked to; whoever asks closes what it gives. Its fields are those above. */
  open(): Work<TableSource>;
  /** Whether it and another one can be opened as one, since both are in memory. Absent: none can. */
  fits?(other: Part): boolean;
  /** Opens it and others that fit as one, their rows in this order: what each of them costs is then paid once. */
  openWith?(others: readonly Part[]): Work<TableSource>;
}
