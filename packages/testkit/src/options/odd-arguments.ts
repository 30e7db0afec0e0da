// Arguments that nobody means, and some that only look so: what a call makes of each of them. One list for all
// packages.
import { describeValue, isColkitError } from '@colkit/io';

function* generator(): Generator<string> {
  yield 'a';
}

/** By name, since some have no text; made anew, since a generator is spent by the first who walks it. */
export function oddArguments(): [name: string, value: unknown][] {
  return [
    ['null', null],
    ['NaN', NaN],
    ['1.5', 1.5],
    ['text', '3'],
    ['bigint', 1n],
    ['empty array', []],
    ['object', {}],
    ['Set', new Set(['a'])],
    ['generator', generator()],
    ['symbol', Symbol('s')],
    ['function', () => 1],
    ['Date', new Date(0)],
    ['2^53', 2 ** 53],
    ['bigint beyond 2^53', 2n ** 53n + 1n],
    ['-0', -0],
    ['undefined', undefined],
    ['boolean', true],
  ];
}

/** A call with one odd argument, and the names of those that have a meaning in it. */
export type OddCall = readonly [call: (odd: never) => unknown, works: readonly string[]];

/**
 * An error of the family that says what was given.
 * @param alsoSaid other texts that say it, where what was given is not what is at fault.
 */
export function saysWhatWasGiven(error: unknown, odd: unknown, alsoSaid: readonly string[] = []): boolean {
  if (!isColkitError(error)) return false;
  const shown =
    typeof odd === 'object' && odd !== null ? describeValue(odd).replace(/^an? /, '').slice(0, 6) : describeValue(odd);
  return [shown, ...alsoSaid].some((text) => error.message.includes(text));
}

/**
 * What a call misunderstood: it refused what has a meaning, took what has none, failed with an error of another family,
 * or did not say what it was given. Empty for a call that is right.
 */
export async function misunderstood([call, works]: OddCall, alsoSaid: readonly string[] = []): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, odd] of oddArguments()) {
    const thrown = await outcomeOf(() => call(odd as never));
    const isRight =
      thrown === null ? works.includes(name) : !works.includes(name) && saysWhatWasGiven(thrown.error, odd, alsoSaid);
    if (!isRight) wrong.push(`${name}: ${thrown === null ? 'taken' : String(thrown.error)}`);
  }
  return wrong;
}

async function outcomeOf(run: () => unknown): Promise<{ readonly error: unknown } | null> {
  try {
    await run();
    return null;
  } catch (error) {
    return { error };
  }
}
