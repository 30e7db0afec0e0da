// A file -> the same file with other statistics: its footer is written anew, CRCs and all, so that only the statistics
// lie.
import { encodeFooter } from '../../src/layout/footer.ts';
import type { Statistics } from '../../src/layout/statistics.ts';
import { readTable } from './table.ts';

export type ChangeStatistics = (
  statistics: Statistics,
  entry: { readonly column: number; readonly type: string; readonly rowCount: number },
) => Statistics;

export function withStatistics(bytes: Uint8Array, change: ChangeStatistics): Uint8Array {
  const { footer, chunks } = readTable(bytes);
  const changed = chunks.map((entries, column) =>
    entries.map((entry, group) => {
      const type = footer.schema.columns[column]!.type.name;
      const { rowCount, pageRows } = footer.rowGroups[group]!;
      const rowsOf = (page: number) => Math.min(pageRows, rowCount - page * pageRows);
      const pages = entry.pages.map((page, number) => ({
        ...page,
        statistics: change(page.statistics, { column, type, rowCount: rowsOf(number) }),
      }));
      // A chunk of one page has its statistics in one place only.
      return {
        ...entry,
        statistics: pages.length === 1 ? pages[0]!.statistics : change(entry.statistics, { column, type, rowCount }),
        pages,
      };
    }),
  );
  return new Uint8Array(
    Buffer.concat([
      bytes.subarray(0, footer.footerOffset),
      encodeFooter(footer.schema, footer.rowGroups, changed, footer.footerOffset, 0),
    ]),
  );
}
