// The command: its words -> an exit code. 0: done. 1: the data say no (damaged, different, missing, not writable). 2: the command line is wrong. Errors are one line, without a stack.
import { isColkitError } from '@colkit/io';
import { UsageError, parseCommandLine } from './arguments.ts';
import type { Command, OptionSpec } from './arguments.ts';
import { convertCommand } from './convert.ts';
import { diffCommand } from './diff.ts';
import { headCommand } from './head.ts';
import { inspectCommand } from './inspect.ts';
import { queryCommand } from './query.ts';
import { recoverCommand } from './recover.ts';
import { schemaCommand } from './schema.ts';
import type { Terminal } from './terminal.ts';
import { verifyCommand } from './verify.ts';

const COMMANDS: readonly Command[] = [inspectCommand, headCommand, schemaCommand, queryCommand, convertCommand, verifyCommand, recoverCommand, diffCommand];

/** Codes of errors that the words of the command line cause, such as an unknown column in them. */
const USAGE_CODES: ReadonlySet<string> = new Set(['ERR_QUERY_SYNTAX', 'ERR_QUERY_TYPE', 'ERR_UNKNOWN_COLUMN', 'ERR_ARGUMENT']);

export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const about = COMMANDS.find((command) => command.name === rest[0]);
    for (const line of about === undefined ? overview() : helpFor(about)) terminal.print(line);
    return name === undefined ? 2 : 0;
  }
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) return failed(terminal, `columna: unknown command ${JSON.stringify(name)} (there are ${COMMANDS.map((each) => each.name).join(', ')})`, 2);
  if (rest.includes('--help') || rest.includes('-h')) {
    for (const line of helpFor(command)) terminal.print(line);
    return 0;
  }
  try {
    return await command.run(parseCommandLine(command, rest), terminal);
  } catch (error) {
    return failed(terminal, ...describe(command, error));
  } finally {
    terminal.progress(null);
  }
}

function describe(command: Command, error: unknown): [string, number] {
  if (error instanceof UsageError) return [`columna ${command.name}: ${error.message}\n${usage(command)}`, 2];
  const message = error instanceof Error ? error.message : String(error);
  if (isColkitError(error)) return [`columna ${command.name}: ${message} (${error.code})`, USAGE_CODES.has(error.code) ? 2 : 1];
  return [`columna ${command.name}: ${message}`, 1];
}

function failed(terminal: Terminal, message: string, exitCode: number): number {
  terminal.note(message);
  return exitCode;
}

function overview(): string[] {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return [
    'usage: columna COMMAND …',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'columna COMMAND --help tells what a command takes. Exit codes: 0 done, 1 the data say no (damaged, different, missing), 2 the command line is wrong.',
  ];
}

function usage({ name, positionals, optional = 0, repeated = false }: Command): string {
  const words = positionals.map((word, i) => `${i >= positionals.length - optional ? `[${word}]` : word}${repeated && i === positionals.length - 1 ? ' …' : ''}`);
  return ['usage: columna', name, ...words, '[options]'].join(' ');
}

function helpFor(command: Command): string[] {
  const options: readonly (readonly [string, OptionSpec])[] = [...Object.entries(command.options), ['help', { kind: 'flag', short: 'h', help: 'this' }]];
  const left = options.map(([name, { short, value }]) => `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`);
  const width = Math.max(...left.map((text) => text.length));
  return [usage(command), '', command.summary, '', ...options.map(([, { help }], i) => `  ${(left[i] ?? '').padEnd(width)}  ${help}`)];
}
