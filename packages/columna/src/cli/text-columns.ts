// Rows of cells -> lines of text in which columns stand below each other.

/** Rows of cells as lines: columns as wide as their widest cell; `right` marks those that are flush right. The first row is the heading. */
export function columnsOf(rows: readonly (readonly string[])[], right: readonly boolean[], indent = ''): string[] {
  const widths = right.map((_, column) => rows.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length), 0));
  return rows.map((row) => (indent + row.map((cell, column) => (right[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join('  ')).trimEnd());
}
