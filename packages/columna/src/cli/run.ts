// The program: what it can do, of which `@colkit/io/command` makes an exit code.
import { fileHints, runProgram } from '@colkit/io/command';
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
    ...fileHints('columna'),
    ["({ onError: 'skip' } leaves such rows out)", '(--skip-rejected leaves such rows out)'],
    ['({ names } gives others)', '(--names gives others)'],
    ['choose other columns with { columns }', 'choose other columns with --columns'],
    ['select() the others, or cast it', 'choose the others with --columns'],
    ['which has no form as text; drop() it', 'which has no form as text; choose the others with --columns'],
    ['for which Arrow has no type; drop() it', 'for which Arrow has no type; choose the others with --columns'],
    ['open it with { limits: { maxDecodedBytes } } to raise it, or read by batches() or fewer columns', 'choose fewer columns with --columns'],
  ],
};

export function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(PROGRAM, words, terminal);
}
