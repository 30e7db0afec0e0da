// What datasets are given, refused by name where it is something else.
import { ArgumentError, describeValue } from '@colkit/io';
import type { SyrahFile } from '../items/file.ts';
import { checkKeyList } from '../items/list-arguments.ts';
import type { SyrahShards } from '../shards/shards.ts';
import { functionsFor } from './sample.ts';
import type { ProcessFunctions } from './sample.ts';

/** What can be refused before a file is opened. @throws ArgumentError. */
export function checkKeys(keys: unknown, process: ProcessFunctions | undefined): void {
  if (keys === undefined) return;
  if (typeof keys === 'object' && keys !== null && !Array.isArray(keys))
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'keys',
      'a list of keys, or undefined for all of them; options come behind it',
      describeValue(keys),
    );
  checkKeyList(keys);
  functionsFor(process, keys as readonly string[]);
}

/** The default must not fail before the file was looked at. */
export function keysOf(file: SyrahFile | SyrahShards): readonly string[] {
  requireFile(file);
  return file.keys;
}

export function requireFile(given: unknown): asserts given is SyrahFile | SyrahShards {
  const { keys, itemNumber } = (given ?? {}) as Partial<SyrahFile>;
  if (Array.isArray(keys) && itemNumber !== undefined) return;
  throw new ArgumentError(
    'ERR_ARGUMENT',
    'file',
    'an open file, as open() gives (SyrahDataset.open takes a path)',
    describeValue(given),
  );
}

export function describeFractions(given: unknown): string {
  const fractions: readonly unknown[] = Array.isArray(given) ? given : [];
  const index = fractions.findIndex((each) => typeof each !== 'number' || !(each >= 0 && each <= 1));
  return index === -1 ? describeValue(given) : `${describeValue(fractions[index])} at position ${String(index)}`;
}
