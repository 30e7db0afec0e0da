// A program of several commands: its words -> an exit code. 0: done. 1: the data say no (damaged, different, missing, not
// writable). 2: the command line is wrong. Errors are one line, without a stack. What is shown goes through the printer.
import { isColkitError } from '../errors.ts';
import { UsageError, parseCommandLine } from './arguments.ts';
import type { Command, OptionSpec } from './arguments.ts';
import { inWordsOf } from './hints.ts';
import type { Hints } from './hints.ts';
import { terminalOf } from './terminal.ts';
import type { Terminal } from './terminal.ts';

export interface Program {
  readonly name: string;
  /** Of the package: what `--version` prints. */
  readonly version: string;
  readonly commands: readonly Command[];
  /** Least time between two notes of progress; default 0, all are shown. */
  readonly progressEveryMs?: number;
  /** What the library's errors tell a programmer to pass, and what somebody at a command line types instead. */
  readonly hints?: Hints;
}

/** Codes of errors that the words of the command line cause, such as an unknown column in them. */
const USAGE_CODES: ReadonlySet<string> = new Set(['ERR_QUERY_SYNTAX', 'ERR_QUERY_TYPE', 'ERR_UNKNOWN_COLUMN', 'ERR_ARGUMENT', 'ERR_INDEX_OUT_OF_RANGE']);

/** Runs the program in this process, with its words, its streams and its exit code. */
export function startProgram(program: Program): void {
  // A reader that goes away (`columna head … | head -1`) is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  const terminal = terminalOf(process, program.progressEveryMs);
  // Node would print the message as it is, and it may quote a file.
  process.on('uncaughtException', (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    for (const line of text.split('\n')) terminal.note(line);
    process.exit(1);
  });
  void runProgram(program, process.argv.slice(2), terminal).then((exitCode) => {
    process.exitCode = exitCode;
  });
}

/** Resolves to the exit code; never rejects. */
export async function runProgram(program: Program, words: readonly string[], terminal: Terminal): Promise<number> {
  const { commands } = program;
  const [name, ...rest] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const about = commands.find((command) => command.name === rest[0]);
    for (const line of about === undefined ? overview(program) : helpFor(program, about)) terminal.print(line);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    terminal.print(program.version);
    return 0;
  }
  const command = commands.find((each) => each.name === name);
  if (command === undefined) {
    terminal.note(`${program.name}: unknown command ${JSON.stringify(name)} (there are ${commands.map((each) => each.name).join(', ')})`);
    return 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    for (const line of helpFor(program, command)) terminal.print(line);
    return 0;
  }
  try {
    return await command.run(parseCommandLine(command, rest), terminal);
  } catch (error) {
    const [message, exitCode] = explain(program, error);
    terminal.note(`${program.name} ${command.name}: ${message}`);
    if (error instanceof UsageError) terminal.note(usage(program, command));
    return exitCode;
  } finally {
    terminal.progress(null);
  }
}

function explain(program: Program, error: unknown): [string, number] {
  if (error instanceof UsageError) return [error.message, 2];
  if (!isColkitError(error)) return [error instanceof Error ? error.message : String(error), 1];
  return [`${inWordsOf(program.hints ?? [], error.message)} (${error.code})`, USAGE_CODES.has(error.code) ? 2 : 1];
}

function overview({ name, commands }: Program): string[] {
  const width = commands.reduce((widest, { name }) => Math.max(widest, name.length), 0);
  return [
    `usage: ${name} COMMAND …`,
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    '',
    `${name} COMMAND --help tells what a command takes, ${name} --version which version this is. Exit codes: 0 done, 1 the data say no (damaged, different, missing, not writable), 2 the command line is wrong.`,
  ];
}

function usage(program: Program, { name, positionals, optional = 0, repeated = false }: Command): string {
  const words = positionals.map((word, i) => `${i >= positionals.length - optional ? `[${word}]` : word}${repeated && i === positionals.length - 1 ? ' …' : ''}`);
  return [`usage: ${program.name}`, name, ...words, '[options]'].join(' ');
}

function helpFor(program: Program, command: Command): string[] {
  const options: readonly (readonly [string, OptionSpec])[] = [...Object.entries(command.options), ['help', { kind: 'flag', short: 'h', help: 'this' }]];
  const left = options.map(([name, { short, value }]) => `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`);
  const width = left.reduce((widest, text) => Math.max(widest, text.length), 0);
  return [usage(program, command), '', command.summary, '', ...options.map(([, { help }], i) => `  ${(left[i] ?? '').padEnd(width)}  ${help}`)];
}
