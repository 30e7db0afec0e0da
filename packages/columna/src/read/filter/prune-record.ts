// What becomes of the row groups and pages of a scan.
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';

/** What became of the row groups; grows while the spans are drawn. */
export interface PruneRecord {
  /** Row groups that have rows of the scan. */
  groups: number;
  groupsSkipped: number;
  /** Pages of rows skipped in row groups that were not. */
  pagesSkipped: number;
  /** Rows of the row groups that were not skipped. */
  scanned: number;
  /** Rows that match, of those whose values were read or added up. */
  matched: number;
  /** Why, for every row group and page that was skipped. */
  readonly reasons: SkipReason[];
  /** Spans of which every row matches, as their statistics prove. */
  readonly sure: Set<Span>;
}

interface SkipReason {
  readonly group: number;
  /** Null: the whole row group. */
  readonly page: number | null;
  readonly reason: string;
}

export function newRecord(): PruneRecord {
  return { groups: 0, groupsSkipped: 0, pagesSkipped: 0, scanned: 0, matched: 0, reasons: [], sure: new Set() };
}

/** What becomes of a file that is read as a whole. */
export function wholeRecord({ footer, rowGroups }: StoredFile): PruneRecord {
  return { ...newRecord(), groups: rowGroups.length, scanned: footer.rowCount, matched: footer.rowCount };
}
