// The program: what it can do, of which `@colkit/io/command` makes an exit code.
import { fileHints, runProgram } from '@colkit/io/command';
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
  hints: fileHints('syrah'),
};

export function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(PROGRAM, words, terminal);
}
