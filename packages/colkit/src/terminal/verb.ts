// What a verb of the command is: its words for commander, and what it does with them. What a user typed wrongly is a
// UsageError, which ends in exit code 2.
import { UnknownColumnError } from '@colkit/io';
import { InvalidArgumentError, Option } from 'commander';
import type { Terminal } from './terminal.ts';

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {}

export interface Verb<Options extends object = object> {
  readonly name: string;
  /** One line for the list of verbs. */
  readonly summary: string;
  /** As commander has them: `<FILE>`, `[PREDICATE]`, `<ITEM...>`. */
  readonly arguments: readonly string[];
  /** For the words of the first argument that are known beforehand. */
  readonly choices?: readonly string[];
  readonly options: readonly Option[];
  /** Each a whole command line. */
  readonly examples: readonly string[];
  /** Resolves to the exit code. */
  run(words: readonly string[], options: Options, terminal: Terminal): Promise<number>;
}

/** What all verbs have that print. */
export interface JsonOption {
  readonly json?: true;
}

/** `-n, --rows <N>`: what stands between the angle brackets is text. */
export function text(flags: string, help: string): Option {
  return new Option(flags, help);
}

export const flag = text;

export function choice(flags: string, help: string, choices: readonly string[]): Option {
  return new Option(flags, help).choices(choices);
}

/** A whole number from `smallest` on. */
export function whole(flags: string, help: string, smallest = 0): Option {
  return new Option(flags, help).argParser((word: string) => {
    const value = Number(word);
    if (/^\d+$/.test(word) && Number.isSafeInteger(value) && value >= smallest) return value;
    throw new InvalidArgumentError(`expected a count${smallest === 0 ? '' : ` from ${smallest} on`}`);
  });
}

/** May be given several times. */
export function list(flags: string, help: string): Option {
  return new Option(flags, help).argParser((word: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    word,
  ]);
}

export const COLUMNS = '--keys, --columns <A,B>';

/**
 * The names that were asked for, or undefined for all. A name that holds a comma is found too.
 * @throws UsageError; UnknownColumnError.
 */
export function chosenNames(asked: string | undefined, available: readonly string[]): readonly string[] | undefined {
  if (asked === undefined) return undefined;
  const names = namesBetween(asked, available);
  const unknown = names.find((name) => !available.includes(name));
  if (unknown !== undefined) throw new UnknownColumnError(unknown, available);
  return names;
}

/** Names between commas. @throws UsageError. */
export function namesBetween(asked: string, available: readonly string[] = [], name = 'columns'): readonly string[] {
  if (available.includes(asked)) return [asked];
  const names = asked.split(',').map((each) => each.trim());
  if (!names.includes('')) return names;
  throw new UsageError(`--${name}: expected names between commas but found ${JSON.stringify(asked)}`);
}

export const JSON_LINES = flag('--json', 'one JSON object a line');
export const AS_JSON = flag('--json', 'as JSON');

/**
 * Both sides of the last '=' of each word of an option that may be repeated.
 * @throws UsageError; so for a name that stands there twice, of which one would be lost.
 */
export function uniquePairs(name: string, expected: string, words: readonly string[]): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const word of words) {
    const at = word.lastIndexOf('=');
    if (at < 1 || at === word.length - 1)
      throw new UsageError(`--${name}: expected ${expected} but found ${JSON.stringify(word)}`);
    const key = word.slice(0, at);
    if (pairs.has(key))
      throw new UsageError(`--${name}: expected each name once but found ${JSON.stringify(key)} twice`);
    pairs.set(key, word.slice(at + 1));
  }
  return pairs;
}
