// The one check of options, in every function that takes them: unknown names are refused and told the nearest known
// one, known names are held against their kind.
import { describeValue } from '../errors/describe-value.ts';
import { ArgumentError } from '../errors/errors.ts';
import { nearestName } from '../errors/nearest-name.ts';
import { isOptions } from './option-kinds.ts';
import type { OptionCheck, OptionChecks, OptionSet } from './option-kinds.ts';

/**
 * Passes options of which each is known and of its kind; `undefined` is as good as absent.
 * @param operation the function that was called, for the message.
 * @throws ArgumentError ERR_ARGUMENT.
 */
export function checkOptions<O>(operation: string, set: OptionSet<O>, given: O | undefined): void {
  if (given !== undefined) checkInner(operation, '', set, given);
}

function checkInner(operation: string, prefix: string, kinds: OptionChecks, given: unknown): void {
  if (!isOptions(given))
    throw new ArgumentError('ERR_ARGUMENT', `${operation}: options`, 'an object', describeValue(given));
  // Inherited ones count too: they would be read.
  for (const name in given) {
    const path = prefix + name;
    if (!Object.hasOwn(kinds, name)) throw unknownOption(operation, prefix, name, Object.keys(kinds));
    const kind = kinds[name] as OptionCheck;
    const value = given[name];
    if (value === undefined) continue;
    if (!kind.accepts(value)) throw new ArgumentError('ERR_ARGUMENT', path, kind.expected, described(kind, value));
    if (kind.inner !== undefined && isOptions(value)) checkInner(operation, `${path}.`, kind.inner, value);
  }
}

function described(kind: OptionCheck, value: unknown): string {
  if (kind.describe !== undefined) return kind.describe(value);
  return typeof value === 'bigint' ? `${describeValue(value)}, a bigint` : describeValue(value);
}

function unknownOption(operation: string, prefix: string, name: string, known: readonly string[]): ArgumentError {
  const nearest = nearestName(name, known);
  const hint =
    nearest === null
      ? `there ${known.length === 1 ? 'is' : 'are'} ${known.map((each) => prefix + each).join(', ')}`
      : `did you mean ${JSON.stringify(prefix + nearest)}?`;
  const given = describeValue(prefix + name);
  return new ArgumentError(
    'ERR_ARGUMENT',
    'options',
    nearest ?? known.join(', '),
    given,
    `${operation}: unknown option ${given}; ${hint}`,
  );
}

/** The options as they are now, inherited ones too: for a call that goes on while its caller may change them. */
export function optionsNow<O extends object>(given: O): O {
  const copy = { ...given };
  for (const name in given) copy[name] = given[name];
  return copy;
}

/** Of options that say more, those of a set; checked before. */
export function pickOptions<O>(set: OptionSet<O>, given: O): O {
  const picked: Partial<O> = {};
  for (const name of Object.keys(set) as (keyof O)[]) {
    if (given[name] !== undefined) picked[name] = given[name];
  }
  return picked as O;
}

/** A set without some of its options. */
export function omitOptions<S extends object, Name extends keyof S>(set: S, ...names: readonly Name[]): Omit<S, Name> {
  const kept: Partial<S> = { ...set };
  for (const name of names) Reflect.deleteProperty(kept, name);
  return kept as Omit<S, Name>;
}
