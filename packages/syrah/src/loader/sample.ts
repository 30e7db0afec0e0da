// One sample's values through the functions of its keys: process functions on the consumer's thread, and those of a
// process module wherever items are read.
import { ArgumentError, describeValue, isMap } from '@colkit/io';
import type { SyrahValue } from '../layout/dtype.ts';
import { hash32, randomFrom } from './order/hash.ts';
import { SampleError } from './loader-errors.ts';
import type { SampleOrigin } from './loader-errors.ts';

/**
 * What a function may know of its sample. The random numbers depend on seed, epoch and index only: the same for any
 * number of workers.
 */
export interface SampleContext {
  readonly index: number;
  readonly epoch: number;
  readonly seed: number;
  /** In [0, 1). */
  random(): number;
}

/**
 * One key's array (or string) -> what the model gets: a typed array, a { data, shape }, a number, text, … Its parameter
 * may be declared as one of the arrays that there are, as a method's may.
 */
export type ProcessFunction<Value = SyrahValue, Result = unknown> = {
  of(value: Value, context: SampleContext): Result;
}['of'];
export type ProcessFunctions = Readonly<Record<string, ProcessFunction>> | ReadonlyMap<string, ProcessFunction>;

type AnyProcess = (value: unknown, context: SampleContext) => unknown;

export function makeContext(index: number, epoch: number, seed: number): SampleContext {
  let random: (() => number) | null = null;
  return {
    index,
    epoch,
    seed,
    random: () => {
      random ??= randomFrom(hash32(seed, epoch, index));
      return random();
    },
  };
}

/**
 * The functions in the order of `keys`, null where there is none.
 * @throws ArgumentError for one whose key is not among them.
 */
export function functionsFor(
  given: ProcessFunctions | undefined,
  keys: readonly string[],
): readonly (AnyProcess | null)[] {
  const functions = isMap(given) ? given : new Map(Object.entries(given ?? {}));
  for (const [key, process] of functions) {
    if (!keys.includes(key))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'process',
        `functions of the keys ${keys.map((name) => JSON.stringify(name)).join(', ')}`,
        JSON.stringify(key),
      );
    if (typeof process !== 'function')
      throw new ArgumentError(
        'ERR_ARGUMENT',
        `process of ${JSON.stringify(key)}`,
        'a function',
        describeValue(process),
      );
  }
  return keys.map((key) => (functions.get(key) as AnyProcess | undefined) ?? null);
}

/** Applies functions to a sample's values. @throws SampleError with the key whose function threw. */
export async function applyFunctions(
  values: readonly unknown[],
  functions: readonly (AnyProcess | null)[],
  keys: readonly string[],
  origin: SampleOrigin,
  context: SampleContext,
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const [k, value] of values.entries()) {
    try {
      const process = functions[k];
      results.push(process ? await process(value, context) : value);
    } catch (error) {
      throw new SampleError(origin, keys[k] ?? null, error);
    }
  }
  return results;
}

/** The same for functions that return at once. */
export function applyFunctionsSync(
  values: readonly unknown[],
  functions: readonly (AnyProcess | null)[],
  keys: readonly string[],
  origin: SampleOrigin,
  context: SampleContext,
): unknown[] {
  return values.map((value, k) => {
    try {
      const process = functions[k];
      const result = process ? process(value, context) : value;
      if (result instanceof Promise)
        throw new ArgumentError('ERR_ARGUMENT', 'process', 'a function that returns at once (or use get)', 'a promise');
      return result;
    } catch (error) {
      throw new SampleError(origin, keys[k] ?? null, error);
    }
  });
}
