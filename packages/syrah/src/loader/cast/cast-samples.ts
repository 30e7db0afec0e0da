// Samples for a collate function, with the arrays of some keys in other element types.
import { castValue } from './cast.ts';
import { castNames, castOf } from './cast-spec.ts';
import type { CastSpec } from './cast-spec.ts';
import { checkNamesOf, keysOfTuples, nameIn } from '../collate/sample-names.ts';
import { SampleError } from '../loader-errors.ts';
import type { SampleOrigin } from '../loader-errors.ts';

/**
 * @param keys names of a tuple's values; their positions where there are none.
 * @throws SampleError; ArgumentError for a name that no value of the batch has.
 */
export function castSamples(
  samples: readonly unknown[],
  origins: readonly SampleOrigin[],
  keys: readonly string[] | null,
  cast: CastSpec,
): unknown[] {
  checkNamesOf(samples, castNames(cast), keys, isPlain);
  const ofTuples = keysOfTuples(samples, keys);
  return samples.map((sample, k) => {
    const changed = (value: unknown, key: string, name = key): unknown => {
      const dtype = castOf(cast, name);
      try {
        return dtype === null ? value : castValue(value, dtype);
      } catch (error) {
        throw new SampleError(origins[k] ?? { index: k, item: null, path: null }, key, error);
      }
    };
    if (Array.isArray(sample))
      return sample.map((value: unknown, index) =>
        changed(value, ofTuples?.[index] ?? String(index), nameIn(cast, index, ofTuples)),
      );
    if (!isPlain(sample)) return sample;
    return Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, changed(value, key)]));
  });
}

/** An object that can be made anew with other values. */
function isPlain(sample: unknown): sample is Readonly<Record<string, unknown>> {
  if (typeof sample !== 'object' || sample === null) return false;
  const prototype: unknown = Object.getPrototypeOf(sample);
  return prototype === Object.prototype || prototype === null;
}
