// Samples for a collate function, with the arrays of some keys in other element types.
import { castValue } from './cast.ts';
import { castOf } from './cast-spec.ts';
import type { CastSpec } from './cast-spec.ts';
import { SampleError } from '../loader-errors.ts';
import type { SampleOrigin } from '../loader-errors.ts';

/** @param keys names of a tuple's values; their indexes where there are none. @throws SampleError. */
export function castSamples(
  samples: readonly unknown[],
  origins: readonly SampleOrigin[],
  keys: readonly string[] | null,
  cast: CastSpec,
): unknown[] {
  return samples.map((sample, k) => {
    const changed = (value: unknown, key: string): unknown => {
      const dtype = castOf(cast, key);
      try {
        return dtype === null ? value : castValue(value, dtype);
      } catch (error) {
        throw new SampleError(origins[k] ?? { index: k, item: null, path: null }, key, error);
      }
    };
    if (Array.isArray(sample))
      return sample.map((value: unknown, index) => changed(value, keys?.[index] ?? String(index)));
    if (typeof sample !== 'object' || sample === null) return sample;
    const prototype: unknown = Object.getPrototypeOf(sample);
    if (prototype !== Object.prototype && prototype !== null) return sample;
    return Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, changed(value, key)]));
  });
}
