// What the addon is asked where it groups and folds rows, and what its folds are of.
import type { PageDestination } from '@colkit/io';

/** What jobs for groups and folds have in common. */
export interface GroupingJob {
  readonly follows: boolean;
  readonly room: number;
  /** The rows of the page where these are not all of the span. */
  readonly rows: (PageDestination & { readonly count: number }) | null;
}

/** The values of a chunk's dictionary, 64 bits each. */
export type JobEntries = PageDestination & { readonly count: number };
/** The same, and whether behind the patterns comes a bit for each, 0 where it is a null. */
export type NullableEntries = JobEntries & { readonly hasNulls: boolean };

/** What jobs for groups say beside that. */
export interface KeysJob extends GroupingJob {
  /** What codes stand for, of a type; null where they are keys themselves, or there are none. */
  readonly entries: (JobEntries & { readonly typeId: number }) | null;
  /** Which integers have a number together; null: each has its own. */
  readonly ranges: (PageDestination & { readonly count: number }) | null;
}

/** What jobs for folds say beside that. */
export interface FoldingJob extends GroupingJob {
  readonly sums: boolean;
  readonly extremes: boolean;
  /** Alone. */
  readonly moments: boolean;
  /** Null where the chunk has no dictionary. */
  readonly entries: JobEntries | null;
}

/** What jobs for items say of the rows that are picked, and of codes. */
export interface ItemsJob {
  readonly rows: FoldingJob['rows'];
  readonly entries: NullableEntries | null;
}

/**
 * What is folded: values, or numbers on a line: value = (base + step * number) / 10^exponent, of which the integer is
 * exact as a double, and so are sums of it. Sums of floats are of values always.
 */
export type FoldedNumbers = 'values' | { readonly base: number; readonly step: number; readonly exponent: number };
