// The program: what it can do, of which `@colkit/io/command` makes an exit code.
import { runProgram } from '@colkit/io/command';
import type { Program, Terminal } from '@colkit/io/command';
import packageJson from '../../package.json' with { type: 'json' };
import { convertCommand } from './convert.ts';
import { getCommand } from './get.ts';
import { headCommand } from './head.ts';
import { infoCommand } from './info.ts';
import { recoverCommand } from './recover.ts';
import { verifyCommand } from './verify.ts';

/** Progress is told item by item: often enough for an eye, seldom enough for a terminal. */
const PROGRESS_EVERY_MS = 100;

export const PROGRAM: Program = {
  name: 'syrah',
  version: packageJson.version,
  commands: [infoCommand, headCommand, getCommand, convertCommand, verifyCommand, recoverCommand],
  progressEveryMs: PROGRESS_EVERY_MS,
  hints: [
    ['pass { overwrite: true } to replace it', '-f replaces it'], ['recover(path, { force: true })', 'syrah recover FILE --force'],
    ['recover(path) makes a whole file of it, { overwrite: true } throws it away', 'syrah recover FILE makes a whole file of it, -f throws it away'],
  ],
};

export function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(PROGRAM, words, terminal);
}
