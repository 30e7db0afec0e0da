// What a scan gives back: columns, and what it cost to find them.
import { visibleText } from '@colkit/io';
import type { PruneRecord } from './filter/prune-record.ts';

export interface ScanStats {
  /** Rows that match. */
  readonly matched: number;
  /** Rows of the row groups that were not skipped. */
  readonly scanned: number;
  readonly groups: number;
  readonly groupsSkipped: number;
  /** Pages (of all columns at once) skipped in row groups that were not. */
  readonly pagesSkipped: number;
  /** Every byte asked of the source, the footer's included. */
  readonly bytesRead: number;
}

export class ScanResult<Columns> {
  /** Arrays by column name, in the order asked for: a null-prototype object. */
  readonly columns: Columns;
  /** Rows in the columns. */
  readonly rowCount: number;
  readonly stats: ScanStats;
  readonly #lines: readonly string[];

  constructor(columns: Columns, rowCount: number, stats: ScanStats, lines: readonly string[]) {
    this.columns = columns;
    this.rowCount = rowCount;
    this.stats = stats;
    this.#lines = lines;
  }

  /** One line: rows matched and scanned, row groups skipped, bytes read. */
  summary(): string {
    const { matched, scanned, groups, groupsSkipped, bytesRead } = this.stats;
    const skipped = `${groupsSkipped}/${groups} groups skipped`;
    return `${matched} matched / ${scanned} scanned, ${skipped}, ${bytesRead} bytes read`;
  }

  /** The summary, and for every row group and page that was skipped the statistic that proves it. */
  explain(): string {
    return [this.summary(), ...this.#lines].map(visibleText).join('\n');
  }
}

export function scanStats(
  { groups, groupsSkipped, pagesSkipped, scanned, matched }: PruneRecord,
  bytesRead: number,
): ScanStats {
  return Object.freeze({ matched, scanned, groups, groupsSkipped, pagesSkipped, bytesRead });
}

export function reasonLines({ reasons }: PruneRecord): readonly string[] {
  return reasons.map(
    ({ group, page, reason }) => `row group ${group}${page === null ? '' : `, page ${page}`}: skipped, ${reason}`,
  );
}
