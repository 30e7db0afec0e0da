// The printer: the only code that writes to the streams of a command. Results go to stdout, notes and progress to stderr;
// progress is for people, only where stderr is a terminal. Names, values, paths and messages come from files and
// arguments: each line is made visible here, so that no caller can forget it, and no text can begin a line of its own.
import type { Writable } from 'node:stream';
import { visibleJson, visibleText } from '../visible-text.ts';
import { toJson } from './json.ts';

export interface Terminal {
  /** One line of the result; of JSON in one line too, which parses to the same value. */
  print(line: string): void;
  /** A value of the result as JSON, in one line or, with `indent`, in several. */
  json(value: unknown, indent?: number): void;
  /** One line beside the result. */
  note(line: string): void;
  /**
   * Shows how far something is; overwritten by the next call, gone after `progress(null)`. Does nothing where stderr is
   * no terminal.
   */
  progress(text: string | null): void;
}

export interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/**
 * @param progressEveryMs progress that comes sooner than this after what was shown last is not shown: for commands that
 * report every item.
 */
export function terminalOf({ stdout, stderr }: Streams, progressEveryMs = 0): Terminal {
  let shownAt: number | null = null;
  const progress = (text: string | null): void => {
    if (stderr.isTTY !== true || (text === null && shownAt === null)) return;
    const now = performance.now();
    if (text !== null && shownAt !== null && now - shownAt < progressEveryMs) return;
    shownAt = text === null ? null : now;
    stderr.write(`\r\u001b[2K${visibleText(text ?? '')}`);
  };
  return {
    print: (line) => void stdout.write(`${visibleText(line)}\n`),
    json: (value, indent) => void stdout.write(`${visibleJson(toJson(value, indent))}\n`),
    note: (line) => {
      progress(null);
      stderr.write(`${visibleText(line)}\n`);
    },
    progress,
  };
}

export function count(value: number): string {
  return value.toLocaleString('en');
}
