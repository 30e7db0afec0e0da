// The same names as in collating.ts, awaited: what they need is loaded with the first batch that needs it. Most stacks
// come straight from the file.
import type { Tensor } from '../../items/gather/gather-items.ts';
import type { CastSpec } from '../cast/cast-spec.ts';
import type { CollateSpec } from '../collate.ts';
import type { SampleOrigin } from '../loader-errors.ts';
import type { CollateInput } from './collate-samples.ts';

export async function castSamples(
  samples: readonly unknown[],
  origins: readonly SampleOrigin[],
  keys: readonly string[] | null,
  cast: CastSpec,
): Promise<unknown[]> {
  return (await import('../cast/cast-samples.ts')).castSamples(samples, origins, keys, cast);
}

export async function castStacks(
  stacks: readonly Tensor[],
  keys: readonly string[],
  cast: CastSpec,
): Promise<Tensor[]> {
  return (await import('../cast/cast.ts')).castStacks(stacks, keys, cast);
}

export async function collateSamples(spec: CollateSpec, input: CollateInput): Promise<unknown> {
  return (await import('./collate-samples.ts')).collateSamples(spec, input);
}
