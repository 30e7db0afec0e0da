// Where a command reads and writes: results on stdout, notes and progress on stderr. Progress is for people: only where stderr is a terminal.
import type { Writable } from 'node:stream';

export interface Terminal {
  /** One line of the result. */
  print(line: string): void;
  /** One line beside the result. */
  note(line: string): void;
  /** Shows how far something is; overwritten by the next call, gone after `progress(null)`. Does nothing where stderr is no terminal. */
  progress(text: string | null): void;
}

export interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** @param progressEveryMs progress that comes sooner than this after what was shown last is not shown: for commands that report every item. */
export function terminalOf({ stdout, stderr }: Streams, progressEveryMs = 0): Terminal {
  let shownAt: number | null = null;
  const progress = (text: string | null): void => {
    if (stderr.isTTY !== true || (text === null && shownAt === null)) return;
    const now = performance.now();
    if (text !== null && shownAt !== null && now - shownAt < progressEveryMs) return;
    shownAt = text === null ? null : now;
    stderr.write(`\r\u001b[2K${text ?? ''}`);
  };
  return {
    print: (line) => void stdout.write(`${line}\n`),
    note: (line) => {
      progress(null);
      stderr.write(`${line}\n`);
    },
    progress,
  };
}

export function count(value: number): string {
  return value.toLocaleString('en');
}
