// What an option may hold: a sentence for messages and a check. The kinds of a set are data; TypeScript compares them
// with the interface of the options.
import { isMap } from '../errors/tags.ts';
import { describeValue } from '../errors/describe-value.ts';
import { isCount } from '../values/integers.ts';

/** What is asked of one option at run time. */
export interface OptionCheck {
  /** For the message: 'true or false'. */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  /** Says what was given, where a description of the whole would not say what is wrong with it. */
  readonly describe?: (value: unknown) => string;
  /** Of options inside of options. */
  readonly inner?: OptionChecks;
}

export type OptionChecks = Readonly<Record<string, OptionCheck>>;

/** `T` is exactly what is accepted: a kind of a narrower or a wider type does not compile in its place. */
export interface OptionKind<T> extends OptionCheck {
  /** Never there: it makes the type exact. */
  readonly exactly?: (value: T) => T;
}

/**
 * One kind for each option of an interface: a missing or an extra one fails to compile. `undefined` is always accepted,
 * and is no choice.
 */
export type OptionSet<O> = { readonly [Name in keyof O]-?: OptionKind<Exclude<O[Name], undefined>> };

const names: OptionKind<readonly string[]> = {
  expected: 'an array of names',
  accepts: (value) => Array.isArray(value) && firstNoText(value) === -1,
  describe: (value) => {
    if (!Array.isArray(value)) return describeValue(value);
    const position = firstNoText(value);
    return `${describeValue(value[position])} at position ${String(position)}`;
  },
};

/** The kinds that there are. */
export const option = {
  flag: kind<boolean>('true or false', (value) => typeof value === 'boolean'),
  text: kind<string>('a text', (value) => typeof value === 'string'),
  names,
  /** An AbortSignal, of whichever realm. */
  signal: kind<AbortSignal>('an AbortSignal', isSignal),
  count,
  word,
  callback,
  object,
  byName,
  inner,
  kind,
};

/** @param what in the plural, for the message: 'rows'. */
function count(what: string, least = 0, most = Number.MAX_SAFE_INTEGER): OptionKind<number> {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `from ${String(least)} on` : `in [${String(least)}, ${String(most)}]`;
  return kind(`a count of ${what}, an integer ${range}`, (value) => isCount(value) && value >= least && value <= most);
}

function word<const W extends string>(...words: readonly W[]): OptionKind<W> {
  return kind(`one of ${words.join(', ')}`, (value) => (words as readonly unknown[]).includes(value));
}

/** A function, or an async one. */
function callback<F extends (...values: never[]) => unknown>(): OptionKind<F> {
  return kind('a function', (value) => typeof value === 'function');
}

/** An object, a Map included, whose own check comes later. */
function object<T extends object>(expected: string): OptionKind<T> {
  return kind(expected, (value) => typeof value === 'object' && value !== null);
}

/** Values by name, in an object or a Map, whose own check comes later. A list, a Set and a Date have no names. */
function byName<T extends object>(expected: string): OptionKind<T> {
  return kind(expected, isByName);
}

/** Options of its own. */
function inner<O>(set: OptionSet<O>): OptionKind<O> {
  return { expected: 'an object of options', accepts: isOptions, inner: set };
}

function firstNoText(values: readonly unknown[]): number {
  return values.findIndex((value) => typeof value !== 'string');
}

/** Any other kind. */
function kind<T>(expected: string, accepts: (value: unknown) => boolean): OptionKind<T> {
  return { expected, accepts };
}

/**
 * Whether it can hold values by name: an object that is no list and nothing of the language's own (Set, Date, Promise,
 * …), or a Map.
 */
export function isByName(value: unknown): value is Readonly<Record<string, unknown>> | ReadonlyMap<unknown, unknown> {
  return isMap(value) || isOptions(value);
}

/** Whether it can hold options: an object that is no list, no Map and no function. */
export function isOptions(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  return (
    Object.getPrototypeOf(value) === Object.prototype || Object.prototype.toString.call(value) === '[object Object]'
  );
}

function isSignal(value: unknown): boolean {
  const { aborted, addEventListener } = (value ?? {}) as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}
