// Rows of cells -> lines of text in which columns stand below each other.
import { visibleText } from '@colkit/io';

/** Columns are as wide as their widest cell; `right` marks those that are flush right. The first row is the heading. */
export function columnsOf(cells: readonly (readonly string[])[], right: readonly boolean[], indent = ''): string[] {
  // As the printer shows them: else a name that grows there would push what stands beside it.
  const rows = cells.map((row) => row.map(visibleText));
  const widths = right.map((_, column) => rows.reduce((most, row) => Math.max(most, (row[column] ?? '').length), 0));
  const padded = (cell: string, column: number): string =>
    right[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => (indent + row.map(padded).join('  ')).trimEnd());
}
