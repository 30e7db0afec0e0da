// The printer: the only code that writes to the streams of the command. Results go to stdout, notes and progress to
// stderr; progress is for people, only where stderr is a terminal. Names, values, paths and messages come from files
// and arguments: each line is made visible here, so that no caller can forget it, and no text can begin a line of its
// own.
import type { Writable } from 'node:stream';
import { IoError, visibleJson, visibleText } from '@colkit/io';
import spinner from 'yocto-spinner';
import { toJson } from './json.ts';

export interface Terminal {
  /** One line of the result; of JSON in one line too, which parses to the same value. */
  print(line: string): void;
  /** A value of the result as JSON, in one line or, with `indent`, in several. */
  json(value: unknown, indent?: number): void;
  /** Part of a result that is a file; resolves when the stream takes more. Only where stdout is no terminal. */
  bytes(piece: Uint8Array): Promise<void>;
  /** Whether a person looks at the result. */
  readonly isForPeople: boolean;
  /** One line beside the result. */
  note(line: string): void;
  /** Shows how far something is, until the next call or `progress(null)`. Does nothing where stderr is no terminal. */
  progress(text: string | null): void;
}

export interface Streams {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** Often enough for an eye, seldom enough for what reports every item. */
const PROGRESS_EVERY_MS = 100;

/** @param progressEveryMs progress that comes sooner after what was shown last is not shown. */
export function terminalOf({ stdout, stderr }: Streams, progressEveryMs = PROGRESS_EVERY_MS): Terminal {
  const shown = isForPeople(stderr) ? spinner({ stream: stderr as unknown as NodeJS.WriteStream }) : null;
  let shownAt = -Infinity;
  const progress = (text: string | null): void => {
    if (shown === null) return;
    if (text === null) {
      shown.stop();
      shownAt = -Infinity;
      return;
    }
    const now = performance.now();
    if (now - shownAt < progressEveryMs) return;
    shownAt = now;
    if (shown.isSpinning) shown.text = visibleText(text);
    else shown.start(visibleText(text));
  };
  return {
    print: (line) => void stdout.write(`${visibleText(line)}\n`),
    json: (value, indent) => void stdout.write(`${visibleJson(toJson(value, indent))}\n`),
    isForPeople: stdout.isTTY === true,
    bytes: (piece) =>
      new Promise((resolve, reject) => {
        stdout.write(piece, (error) => {
          if (!error) resolve();
          // Of a reader that went away nobody is told, and whoever watches the stream ends the program.
          else if (!isClosedPipe(error)) reject(outputFailure(error));
        });
      }),
    note: (line) => {
      progress(null);
      stderr.write(`${visibleText(line)}\n`);
    },
    progress,
  };
}

export function isClosedPipe(error: Error): boolean {
  return 'code' in error && error.code === 'EPIPE';
}

/** What a full disk behind standard output, and the like, are to whoever wrote to it. */
export function outputFailure(error: Error): IoError {
  return new IoError('ERR_WRITE', 'write', 'standard output', error.message, error);
}

/** Else the spinner would print a line for each of its texts. */
function isForPeople({ isTTY }: Streams['stderr']): boolean {
  return isTTY === true && process.env['TERM'] !== 'dumb' && process.env['CI'] === undefined;
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

/** `1 row`, `2 rows`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}
