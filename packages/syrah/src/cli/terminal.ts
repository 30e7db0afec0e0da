// Where a command writes: results on stdout, notes and progress on stderr. Progress is for people: only where stderr is a terminal.
import type { Writable } from 'node:stream';

export interface Terminal {
  /** One line of the result. */
  print(line: string): void;
  /** One line beside the result. */
  note(line: string): void;
  /** How far something is; overwritten by the next call, gone after `progress(null)`. Nothing where stderr is no terminal. */
  progress(text: string | null): void;
}

/** Often enough for an eye, seldom enough for a terminal. */
const PROGRESS_EVERY_MS = 100;

export function terminalOf({ stdout, stderr }: { readonly stdout: Writable; readonly stderr: Writable & { readonly isTTY?: boolean } }): Terminal {
  let shown = false;
  let last = -Infinity;
  const progress = (text: string | null): void => {
    if (stderr.isTTY !== true || (text === null && !shown)) return;
    if (text !== null && performance.now() - last < PROGRESS_EVERY_MS) return;
    last = text === null ? -Infinity : performance.now();
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
  };
}

export const count = (value: number): string => value.toLocaleString('en');
