// What the demo prints on stdout: lines, sizes, and a small table whose first column is words and whose others are
// numbers.
import pc from 'picocolors';

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The first row is the heading. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length), 0),
  );
  for (const [index, row] of rows.entries()) {
    const line = row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('   ');
    print(index === 0 ? pc.bold(line) : line);
  }
}
