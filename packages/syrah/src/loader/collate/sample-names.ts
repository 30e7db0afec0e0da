// What options call the values of a batch's samples, by the samples: in browsers loaded with what casts and collates
// them.
import { isPosition, listOf, unknownName } from './value-names.ts';
import type { ByName } from './value-names.ts';

/**
 * The names of the values of a batch's tuples: the dataset's keys, or null for positions alone, because there are none
 * or not as many as values.
 */
export function keysOfTuples(samples: readonly unknown[], keys: readonly string[] | null): readonly string[] | null {
  return samples.every((sample) => !Array.isArray(sample) || sample.length === keys?.length) ? keys : null;
}

/**
 * As `checkNames`, by the samples of a batch.
 * @param keys of the dataset, if any: of an object they may be missing. @param isRecord whether its values have names.
 * @throws ArgumentError.
 */
export function checkNamesOf(
  samples: readonly unknown[],
  given: ByName,
  keys: readonly string[] | null,
  isRecord: (sample: unknown) => boolean,
): void {
  if (given.names.length === 0 || samples.length === 0) return;
  const ofTuples = keysOfTuples(samples, keys);
  const width = samples.reduce<number>((most, each) => (Array.isArray(each) ? Math.max(most, each.length) : most), 0);
  const records = samples.filter(isRecord);
  const ofRecords = new Set(records.flatMap((record) => Object.keys(record as object)));
  for (const name of given.names) {
    if (ofTuples?.includes(name) === true || ofRecords.has(name)) continue;
    if (isPosition(name) && Number(name) < width) continue;
    if (records.length > 0 && keys?.includes(name) === true) continue;
    if (records.length > 0) throw unknownName(given, name, `of the keys ${listOf([...ofRecords])}`);
    if (width === 0) throw unknownName(given, name, 'of samples that are tuples or plain objects');
    throw unknownName(given, name, `by position, 0 to ${String(width - 1)}, ${aboutKeys(keys, ofTuples, width)}`);
  }
}

/** The name under which an option speaks of a tuple's value: its key, or its position where no key is called so. */
export function nameIn(given: object | null | undefined, index: number, keys: readonly string[] | null): string {
  const position = String(index);
  const key = keys?.[index] ?? position;
  if (given == null || Object.hasOwn(given, key)) return key;
  return Object.hasOwn(given, position) && keys?.includes(position) !== true ? position : key;
}

function aboutKeys(keys: readonly string[] | null, ofTuples: readonly string[] | null, width: number): string {
  if (keys === null) return 'because its dataset has no keys';
  if (ofTuples === null) return `because the keys ${listOf(keys)} are not those of ${String(width)} values`;
  return `or of the keys ${listOf(keys)}`;
}
