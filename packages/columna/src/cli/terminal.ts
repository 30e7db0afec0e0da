// Where a command reads and writes: results on stdout, notes and progress on stderr. Progress is for people: only where stderr is a terminal.
import type { Writable } from 'node:stream';

export interface Terminal {
  /** One line of the result. */
  print(line: string): void;
  /** One line beside the result. */
  note(line: string): void;
  /** Shows how far something is; overwritten by the next call, gone after `progress(null)`. Does nothing where stderr is no terminal. */
  progress(text: string | null): void;
  /** Characters of a line. */
  readonly width: number;
}

export interface Streams {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

const DEFAULT_WIDTH = 120;

export function terminalOf({ stdout, stderr }: Streams): Terminal {
  let shown = false;
  const progress = (text: string | null): void => {
    if (stderr.isTTY !== true || (text === null && !shown)) return;
    shown = text !== null;
    stderr.write(`\r\u001b[2K${text ?? ''}`);
  };
  return {
    print: (line) => void stdout.write(`${line}\n`),
    note: (line) => {
      progress(null);
      stderr.write(`${line}\n`);
    },
    progress,
    width: stdout.columns ?? DEFAULT_WIDTH,
  };
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

/** Rows of cells as lines: columns as wide as their widest cell; `right` marks those that are flush right. The first row is the heading. */
export function columnsOf(rows: readonly (readonly string[])[], right: readonly boolean[], indent = ''): string[] {
  const widths = right.map((_, column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => (indent + row.map((cell, column) => (right[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join('  ')).trimEnd());
}
