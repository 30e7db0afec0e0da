// What a format knows of the values of a column in one stretch of rows (a row group, a page, a record): what "this
// statistic proves that nothing matches" is worked out from.

/**
 * In the column's own form (see `Literal`); text may come as its UTF-8 bytes, which need not be whole characters where
 * a bound was cut.
 */
export type StatisticsValue = number | bigint | string | boolean | Uint8Array;

/** Null always means unknown, and what is unknown proves nothing. */
export interface ColumnStatistics {
  readonly rowCount: number;
  readonly nullCount: number | null;
  /**
   * NaN of float columns. Of datetimes and timedeltas: NaT, where `min` leaves NaT out; where `min` takes NaT for the
   * smallest integer that it is stored as, 0 or null are right too.
   */
  readonly nanCount: number | null;
  /** No value (nulls and NaN are none) is smaller. -0 and +0 are the same. */
  readonly min: StatisticsValue | null;
  /** No value is larger. */
  readonly max: StatisticsValue | null;
  /** Whether `min` is a value that is there; false where it was cut or widened. */
  readonly minExact: boolean;
  readonly maxExact: boolean;
}

/** The statistics of a column by its number; null where there are none. */
export type StatisticsOf = (column: number) => ColumnStatistics | null;
