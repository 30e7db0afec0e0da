// The program: its words -> an exit code. 0: done. 1: the data say no (damaged, different, missing, not writable). 2:
// the command line is wrong. commander takes the words apart; errors are one line, without a stack; whatever is shown
// goes through the printer.
import { isColkitError, nearestName } from '@colkit/io';
import { removeUnfinished } from '@colkit/io/durable';
import { Argument, Command, CommanderError } from 'commander';
import { existsSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { isClosedPipe, outputFailure, terminalOf } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/verb.ts';
import type { Verb } from '../terminal/verb.ts';
import { append } from '../verbs/append.ts';
import { convert } from '../verbs/convert.ts';
import { diff } from '../verbs/diff.ts';
import { get, head, tail } from '../verbs/head.ts';
import { info, schema } from '../verbs/info.ts';
import { inspect } from '../verbs/inspect.ts';
import { query } from '../verbs/query.ts';
import { recover } from '../verbs/recover.ts';
import { compact, concat, upgrade } from '../verbs/rewrite.ts';
import { serveArrowVerb } from '../verbs/serve-arrow.ts';
import { stats } from '../verbs/stats.ts';
import { verify } from '../verbs/verify.ts';
import { SHELLS, completionScript, isShell } from './completion.ts';
import { inWordsOfUsers } from './hints.ts';

const NAME = 'colkit';
const QUOTES = 'several files are a pattern between quotes';
const ABOUT =
  'Looks into .cstore, .cna and .syr files, queries, converts, verifies, recovers and compares them.\n' +
  'What a file is, its first bytes tell.';
const EXIT_CODES =
  '\nExit codes: 0 done, 1 the data say no (damaged, different, missing, not writable), ' +
  '2 the command line is wrong.';

/** Codes of errors that the words of the command line cause, such as an unknown column in them. */
const USAGE_CODES: ReadonlySet<string> = new Set([
  'ERR_QUERY_SYNTAX',
  'ERR_QUERY_TYPE',
  'ERR_UNKNOWN_COLUMN',
  'ERR_ARGUMENT',
  'ERR_INDEX_OUT_OF_RANGE',
]);

/** Runs the program in this process, with its words, its streams and its exit code. */
export function startProgram(): void {
  const terminal = terminalOf(process);
  let hasFailed = false;
  process.stdout.on('error', (error: Error) => {
    // A reader that goes away (`colkit head … | head -1`) is no error.
    if (isClosedPipe(error)) process.exit(0);
    if (hasFailed) return;
    hasFailed = true;
    // A verb that waits for what it wrote tells it first, and tidies up.
    setImmediate(() => {
      if (process.exitCode === undefined || process.exitCode === 0) {
        const verb = process.argv[2] ?? '';
        const { message, code } = outputFailure(error);
        terminal.note(`${NAME} ${verb}: ${message} (${code})`);
      }
      process.exit(1);
    });
  });
  // Node would print the message as it is, and it may quote a file.
  process.on('uncaughtException', (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    for (const line of text.split('\n')) terminal.note(line);
    process.exit(1);
  });
  // Also where a reader went away in the middle of the work.
  process.on('exit', removeUnfinished);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      removeUnfinished();
      // Without a listener it ends the process, as whoever waits for that expects.
      process.kill(process.pid, signal);
    });
  void runProgram(process.argv.slice(2), terminal).then((exitCode) => {
    process.exitCode = exitCode;
  });
}

/** Resolves to the exit code; never rejects. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  const done = { exitCode: 0 };
  const program = programOf(terminal, done);
  if (words.length === 0) {
    program.outputHelp();
    return 2;
  }
  try {
    await program.parseAsync([...words], { from: 'user' });
    return done.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    terminal.progress(null);
    const failed = program.commands.find((command) => command.name() === words[0]);
    const [message, exitCode] = explain(error, failed, program);
    terminal.note(`${NAME}${failed === undefined ? '' : ` ${failed.name()}`}: ${message}`);
    if (failed !== undefined && (error instanceof UsageError || error instanceof CommanderError)) {
      terminal.note(`usage: ${NAME} ${failed.name()} ${failed.usage()}`);
    }
    return exitCode;
  } finally {
    terminal.progress(null);
  }
}

function explain(error: unknown, failed: Command | undefined, program: Command): [string, number] {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '');
    if (error.code === 'commander.unknownOption') return [withNearest(message, optionsOf(failed ?? program)), 2];
    if (error.code === 'commander.unknownCommand') {
      return [
        withNearest(
          message,
          program.commands.map((command) => command.name()),
        ),
        2,
      ];
    }
    const isExtra = error.code === 'commander.excessArguments';
    const extra = isExtra ? failed?.args[failed.registeredArguments.length] : undefined;
    // A shell makes names of a pattern that is not between quotes.
    const quotes = failed?.args.slice(1).some((word) => existsSync(word)) === true ? `; ${QUOTES}` : '';
    return [extra === undefined ? message : message.replace(/\.$/, `: ${JSON.stringify(extra)}${quotes}`), 2];
  }
  if (error instanceof UsageError) return [error.message, 2];
  if (!isColkitError(error)) return [error instanceof Error ? error.message : String(error), 1];
  return [`${inWordsOfUsers(error.message)} (${error.code})`, USAGE_CODES.has(error.code) ? 2 : 1];
}

/** The nearest of the names that there are, else all: as options of functions have it. */
function withNearest(message: string, known: readonly string[]): string {
  const given = /'-*(?<name>[\s\S]*)'$/.exec(message)?.groups?.['name'] ?? '';
  const plain = new Map(known.map((name) => [name.replace(/^-+/, ''), name]));
  const nearest = nearestName(given, plain.keys());
  return nearest === null
    ? `${message}; there are ${known.join(', ')}`
    : `${message} (did you mean ${plain.get(nearest) ?? nearest}?)`;
}

/** Every long name, those that stand first of two (`--keys, --columns`) too. */
function optionsOf(command: Command): readonly string[] {
  const options = command.createHelp().visibleOptions(command);
  return options
    .flatMap(({ short, long }) => [short, long])
    .filter((name) => name?.startsWith('--') === true) as string[];
}

/** All verbs, as commander knows them. */
export function programOf(terminal: Terminal, done = { exitCode: 0 }): Command {
  const program = new Command(NAME);
  const printLines = (text: string): void => {
    for (const line of text.replace(/\n$/, '').split('\n')) terminal.print(line);
  };
  program
    .description(ABOUT)
    .version(packageJson.version, '-v, --version', 'which version this is')
    .helpOption('-h, --help', 'what a command takes')
    .helpCommand('help [command]', 'what a command takes')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({ writeOut: printLines, writeErr: () => undefined, outputError: () => undefined })
    .showSuggestionAfterError(false)
    .exitOverride();
  const add = <Options extends object>(verb: Verb<Options>): void => {
    addVerb(program, verb, terminal, done);
  };
  add(info);
  add(head);
  add(tail);
  add(get);
  add(schema);
  add(query);
  add(convert);
  add(inspect);
  add(verify);
  add(recover);
  add(diff);
  add(stats);
  add(append);
  add(compact);
  add(concat);
  add(upgrade);
  add(serveArrowVerb);
  add(completion(() => program));
  return program;
}

function addVerb<Options extends object>(
  program: Command,
  verb: Verb<Options>,
  terminal: Terminal,
  done: { exitCode: number },
): void {
  const command = program.command(verb.name).copyInheritedSettings(program).description(verb.summary);
  for (const [at, name] of verb.arguments.entries()) {
    const argument = new Argument(name);
    command.addArgument(at === 0 && verb.choices !== undefined ? argument.choices(verb.choices) : argument);
  }
  for (const option of verb.options) command.addOption(option);
  command.addHelpText('after', ['', 'Examples:', ...verb.examples.map((each) => `  $ ${each}`)].join('\n'));
  command.action(async () => {
    done.exitCode = await verb.run(command.args, command.opts<Options>(), terminal);
  });
}

function completion(program: () => Command): Verb {
  return {
    name: 'completion',
    summary: 'what a shell needs to complete commands, options and files, to be loaded by it',
    arguments: ['<SHELL>'],
    choices: SHELLS,
    options: [],
    examples: [
      'colkit completion bash >> ~/.bashrc',
      'colkit completion zsh > "${fpath[1]}/_colkit"',
      'colkit completion fish > ~/.config/fish/completions/colkit.fish',
    ],
    run([shell = ''], _, terminal) {
      // commander has checked the choice.
      if (isShell(shell)) for (const line of completionScript(shell, program())) terminal.print(line);
      return Promise.resolve(0);
    },
  };
}
