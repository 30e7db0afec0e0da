// What samplers that users make are told, and how it is checked.
import { ArgumentError, checkOptions, describeValue, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { hasLength } from '../../items/list-arguments.ts';

export interface SamplerOptions {
  /** Decides every draw, with the epoch; 0 by default. */
  readonly seed?: number;
  /** Positions of an epoch; by default as many as there are samples. */
  readonly length?: number;
}

export const SAMPLER_OPTIONS: OptionSet<SamplerOptions> = {
  seed: option.count('an integer'),
  length: option.count('positions'),
};

/**
 * @param list what is given for each sample, called `name`.
 * @throws ArgumentError where it is no list, or an option is wrong; where there are positions and no samples.
 */
export function checkedSampler<O extends SamplerOptions>(
  owner: string,
  kinds: OptionSet<O>,
  list: unknown,
  name: string,
  options: O,
): { readonly seed: number; readonly length: number } {
  checkOptions(owner, kinds, options);
  if (!hasLength(list)) throw new ArgumentError('ERR_ARGUMENT', name, 'one for each sample', describeValue(list));
  const { seed = 0, length = list.length } = options;
  if (list.length === 0 && length > 0)
    throw new ArgumentError('ERR_ARGUMENT', 'length', '0, because there are no samples', String(length));
  return { seed, length };
}
