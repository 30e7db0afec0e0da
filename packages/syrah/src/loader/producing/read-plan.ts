// What a loader asks of its dataset before anything is made: whether others can read its samples.
import { ArgumentError } from '@colkit/io';
import type { CastSpec } from '../cast/cast-spec.ts';
import type { CollateFunction, CollateSpec } from '../collate.ts';
import type { ValueNames } from '../collate/value-names.ts';
import { SyrahSamples } from '../dataset.ts';
import type { Dataset, ReadPlan } from '../dataset.ts';

export interface ProducerOptions {
  readonly collate: CollateSpec | CollateFunction;
  readonly cast: CastSpec | null;
  readonly seed: number;
  readonly workers: number;
  /** A URL, or null. */
  readonly processModule: string | null;
  /** Whether this thread makes batches while the workers start. */
  readonly warmStart: boolean;
}

/** How a dataset is read, null where its samples are its own code's. */
export function planOf(dataset: Dataset): ReadPlan | null {
  return dataset instanceof SyrahSamples ? dataset.readPlan() : null;
}

/** What options may call the values of samples. Null where only the samples tell, or nothing. */
export function namesOf(dataset: Dataset, plan: ReadPlan | null): ValueNames | null {
  const keys = plan === null ? ownKeys(dataset) : [...new Set(plan.parts.flatMap((part) => part.keys))];
  return keys === null || (plan !== null && keys.length === 0) ? null : { keys, positions: plan === null };
}

/** The keys of a dataset whose samples are its own code's; null where it tells none. */
export function ownKeys({ keys }: Dataset): readonly string[] | null {
  const given: unknown = keys;
  return Array.isArray(given) && given.every((key) => typeof key === 'string') ? given : null;
}

export function checkProducer(
  plan: ReadPlan | null,
  { workers, processModule }: Pick<ProducerOptions, 'workers' | 'processModule'>,
): void {
  if (plan !== null) {
    // Refused before an epoch begins: what no other thread can open.
    if (workers > 0) for (const { file } of plan.parts) file.handle();
    return;
  }
  const found = 'a dataset with a get of its own, which only this thread can run';
  if (workers > 0)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'workers',
      '0, or samples that workers can make (put the code into processModule)',
      found,
    );
  if (processModule !== null)
    throw new ArgumentError('ERR_ARGUMENT', 'processModule', 'a dataset whose items it can be applied to', found);
}
