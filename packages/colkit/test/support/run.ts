// The command: as a process of its own, and inside this one, with streams that are looked at afterwards.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '@colkit/testkit/command-checks';
import { runProgram } from '../../src/program/program.ts';
import { terminalOf } from '../../src/terminal/terminal.ts';

export const BIN = fileURLToPath(new URL('../../bin/colkit.js', import.meta.url));
const BUILT = new URL('../../dist/command.js', import.meta.url);

/** Every call is a process, and each does the same whatever the backend of the tests. */
export const processes = { skip: process.env['COLKIT_BACKEND'] !== 'js', timeout: 180_000 };

/** As its user starts it. */
export function run(...words: readonly string[]): Promise<Outcome> {
  return runWith('', ...words);
}

/** @param input of standard input. */
export function runWith(input: string, ...words: readonly string[]): Promise<Outcome> {
  if (!existsSync(BUILT)) throw new Error('the command is not built: npm run build');
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [BIN, ...words], { maxBuffer: 1 << 26 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
    child.stdin?.end(input);
  });
}

export type { Outcome } from '@colkit/testkit/command-checks';

/** A stream that a spinner takes for a terminal. */
export class Recorder extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns = 10_000;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  cursorTo(): void {
    this.write('\r');
  }

  moveCursor(): void {
    throw new Error('progress is one line');
  }

  clearLine(): void {
    this.write(CLEARED);
  }
}

const CLEARED = '\u001b[2K';

/** What the spinner itself says to a terminal. */
export function withoutSpinner(text: string): string {
  // eslint-disable-next-line no-control-regex -- what a spinner writes
  return text.replace(/\r?\u001b(?:\[2K|\[\?25[hl]|\[\?2026[hl]|\[\d+m)/g, '');
}

/** `isTTY`: whether stderr is a terminal. */
export async function runHere(isTTY: boolean, ...words: readonly string[]): Promise<Outcome> {
  const [stdout, stderr] = [new Recorder(false), new Recorder(isTTY)];
  const { CI } = process.env;
  if (isTTY) delete process.env['CI'];
  try {
    const code = await runProgram(words, terminalOf({ stdout, stderr }, 0));
    return { code, out: stdout.text, err: stderr.text };
  } finally {
    if (CI !== undefined) process.env['CI'] = CI;
  }
}

/** The same as lines. */
export async function linesOf(...words: readonly string[]): Promise<{ code: number; out: string[]; notes: string[] }> {
  const { code, out, err } = await runHere(false, ...words);
  return { code, out: split(out), notes: split(err).filter((note) => !note.startsWith('usage: colkit ')) };
}

const split = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
