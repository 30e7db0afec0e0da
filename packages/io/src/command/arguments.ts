// Words of a command line -> options and positional arguments, checked; what is wrong is a UsageError, which ends in exit code 2.
import { parseArgs } from 'node:util';
import type { Terminal } from './terminal.ts';

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {}

export type OptionKind = 'flag' | 'text' | 'count' | 'names' | 'list';

export interface OptionSpec {
  readonly kind: OptionKind;
  readonly short?: string;
  /** What stands behind it in the help, such as `N`. */
  readonly value?: string;
  readonly help: string;
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Names of the positional arguments. */
  readonly positionals: readonly string[];
  /** How many of them may be left out, from the end. */
  readonly optional?: number;
  /** Whether the last one may be repeated. */
  readonly repeated?: boolean;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Resolves to the exit code. */
  run(given: Given, terminal: Terminal): Promise<number>;
}

/** Options as they were given. */
export class Given {
  readonly positionals: readonly string[];
  readonly #values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

  constructor(positionals: readonly string[], values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>) {
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

  list(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? (value as readonly string[]) : [];
  }

  /** Names between commas. */
  names(name: string): readonly string[] | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const names = text.split(',').map((each) => each.trim());
    if (names.includes('')) throw new UsageError(`--${name}: expected names between commas but found ${JSON.stringify(text)}`);
    return names;
  }

  /** @throws UsageError unless it is a whole number from `smallest` on. */
  count(name: string, smallest = 0): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < smallest) {
      throw new UsageError(`--${name}: expected a count${smallest === 0 ? '' : ` from ${String(smallest)} on`} but found ${JSON.stringify(text)}`);
    }
    return value;
  }
}

/** A negative number is no option: it is hidden from the parser behind a character that no option has. */
const GUARD = '\u0000';

/** @throws UsageError. */
export function parseCommandLine(command: Command, words: readonly string[]): Given {
  const options = Object.fromEntries(Object.entries(command.options).map(([name, { kind, short }]) => [
    name, { type: kind === 'flag' ? ('boolean' as const) : ('string' as const), ...(kind === 'list' ? { multiple: true } : {}), ...(short === undefined ? {} : { short }) },
  ]));
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: words.map((word) => (/^-\d+$/.test(word) ? GUARD + word : word)), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error));
  }
  const positionals = parsed.positionals.map(unguarded);
  const { positionals: names, optional = 0, repeated = false } = command;
  const [least, most] = [names.length - optional, repeated ? Infinity : names.length];
  if (positionals.length < least) throw new UsageError(`expected ${names[positionals.length] ?? 'more arguments'}`);
  if (positionals.length > most) throw new UsageError(`expected no more arguments but found ${JSON.stringify(positionals[most])}`);
  const values = Object.entries(parsed.values).map(([name, value]) => [name, Array.isArray(value) ? value.map(unguarded) : unguarded(value)] as const);
  return new Given(positionals, Object.fromEntries(values));
}

function unguarded<T>(word: T): T | string {
  return typeof word === 'string' && word.startsWith(GUARD) ? word.slice(GUARD.length) : word;
}
