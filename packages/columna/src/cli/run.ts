// The program: what it can do, of which `@colkit/io/command` makes an exit code.
import { runProgram } from '@colkit/io/command';
import type { Program, Terminal } from '@colkit/io/command';
import packageJson from '../../package.json' with { type: 'json' };
import { convertCommand } from './convert.ts';
import { diffCommand } from './diff.ts';
import { headCommand } from './head.ts';
import { inspectCommand } from './inspect.ts';
import { queryCommand } from './query.ts';
import { recoverCommand } from './recover.ts';
import { schemaCommand } from './schema.ts';
import { verifyCommand } from './verify.ts';

export const PROGRAM: Program = {
  name: 'columna',
  version: packageJson.version,
  commands: [inspectCommand, headCommand, schemaCommand, queryCommand, convertCommand, verifyCommand, recoverCommand, diffCommand],
  hints: [
    ['pass { overwrite: true } to replace it', '-f replaces it'],
    ['recover(path, { force: true })', 'columna recover FILE --force'],
    ['recover(path) makes a whole file of it, { overwrite: true } throws it away', 'columna recover FILE makes a whole file of it, -f throws it away'],
    ["({ onError: 'skip' } leaves such rows out)", '(--skip-rejected leaves such rows out)'],
    ['({ names } gives others)', '(--names gives others)'],
  ],
};

export function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(PROGRAM, words, terminal);
}
