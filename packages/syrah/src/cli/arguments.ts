// Words of a command line -> positional arguments and options, checked; what is wrong is a UsageError, which ends in exit code 2.
import { parseArgs } from 'node:util';
import type { Terminal } from './terminal.ts';

/** The command line is wrong. */
export class UsageError extends Error {}

export interface OptionSpec {
  readonly type: 'boolean' | 'string';
  /** What stands behind it in the help, such as `N`. */
  readonly value?: string;
  readonly help: string;
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Names of the positional arguments; the last may be repeated where `repeated` says so. */
  readonly positionals: readonly string[];
  readonly repeated?: boolean;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Resolves to the exit code. */
  run(given: Given, terminal: Terminal): Promise<number>;
}

/** What was given. */
export class Given {
  readonly positionals: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(positionals: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.positionals = positionals;
    this.#values = values;
  }

  positional(index: number): string {
    return this.positionals[index] ?? '';
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** @throws UsageError unless it is a whole number from `smallest` on. */
  count(name: string, smallest = 0): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === '' || !Number.isSafeInteger(value) || value < smallest) throw new UsageError(`--${name}: expected a whole number from ${String(smallest)} on but found ${JSON.stringify(text)}`);
    return value;
  }
}

/** @throws UsageError. */
export function parseCommandLine(command: Command, words: readonly string[]): Given {
  const options = Object.fromEntries(Object.entries(command.options).map(([name, { type }]) => [name, { type }]));
  let parsed: { positionals: string[]; values: Record<string, unknown> };
  try {
    parsed = parseArgs({ args: words.map(guardNegative), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const positionals = parsed.positionals.map((word) => (word.startsWith(GUARD) ? word.slice(GUARD.length) : word));
  const wanted = command.positionals.length;
  if (positionals.length < wanted || (positionals.length > wanted && command.repeated !== true)) {
    throw new UsageError(`expected ${command.positionals.join(' ')} but found ${positionals.length === 0 ? 'nothing' : positionals.map((word) => JSON.stringify(word)).join(' ')}`);
  }
  return new Given(positionals, parsed.values);
}

export function usageOf({ name, positionals, repeated = false }: Command): string {
  return ['usage: syrah', name, ...positionals, ...(repeated ? ['…'] : []), '[options]'].join(' ');
}

export function helpOf(command: Command): string[] {
  const left = Object.entries(command.options).map(([name, { value }]) => `--${name}${value === undefined ? '' : ` ${value}`}`);
  const width = Math.max(...left.map((text) => text.length));
  return [usageOf(command), '', command.summary, '', ...Object.values(command.options).map(({ help }, i) => `  ${(left[i] ?? '').padEnd(width)}  ${help}`)];
}

/** A negative item number looks like an option; it is hidden from the parser behind a character that no option has. */
const GUARD = '\u0000';
const guardNegative = (word: string): string => (/^-\d+$/.test(word) ? `${GUARD}${word}` : word);
