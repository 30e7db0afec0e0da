// The command: its words -> an exit code. 0: done. 1: the data say no (damaged, missing, not writable). 2: the command line is wrong. Errors are one line, without a stack.
import { isColkitError } from '@colkit/io';
import { UsageError, helpOf, parseCommandLine, usageOf } from './arguments.ts';
import type { Command } from './arguments.ts';
import { convertCommand } from './convert.ts';
import { getCommand } from './get.ts';
import { headCommand } from './head.ts';
import { infoCommand } from './info.ts';
import { recoverCommand } from './recover.ts';
import type { Terminal } from './terminal.ts';
import { verifyCommand } from './verify.ts';

const COMMANDS: readonly Command[] = [infoCommand, headCommand, getCommand, convertCommand, verifyCommand, recoverCommand];

/** Codes of errors that the words of a command line cause, such as an unknown key in them. */
const USAGE_CODES: ReadonlySet<string> = new Set(['ERR_UNKNOWN_COLUMN', 'ERR_ARGUMENT', 'ERR_INDEX_OUT_OF_RANGE']);

export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = words;
  const command = COMMANDS.find((each) => each.name === (name === 'help' ? rest[0] : name));
  const asks = name === undefined || name === 'help' || [name, ...rest].includes('--help') || [name, ...rest].includes('-h');
  if (asks) {
    for (const line of command === undefined ? overview() : helpOf(command)) terminal.print(line);
    return name === undefined ? 2 : 0;
  }
  if (command === undefined) {
    terminal.note(`syrah: unknown command ${JSON.stringify(name)} (there are ${COMMANDS.map((each) => each.name).join(', ')})`);
    return 2;
  }
  try {
    return await command.run(parseCommandLine(command, rest), terminal);
  } catch (error) {
    return explain(command, error, terminal);
  } finally {
    terminal.progress(null);
  }
}

function explain(command: Command, error: unknown, terminal: Terminal): number {
  if (error instanceof UsageError) {
    terminal.note(`syrah ${command.name}: ${error.message}\n${usageOf(command)}`);
    return 2;
  }
  const message = error instanceof Error ? error.message : String(error);
  terminal.note(`syrah ${command.name}: ${message}${isColkitError(error) ? ` (${error.code})` : ''}`);
  return isColkitError(error) && USAGE_CODES.has(error.code) ? 2 : 1;
}

function overview(): string[] {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return [
    'usage: syrah COMMAND …', '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`), '',
    'syrah COMMAND --help tells what a command takes. Exit codes: 0 done, 1 the data say no (damaged, missing, not writable), 2 the command line is wrong.',
  ];
}
