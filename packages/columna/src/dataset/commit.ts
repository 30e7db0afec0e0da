// Parts of datasets that are written and committed.
import { checkOptions, omitOptions, option } from '@colkit/io';
import type { ObjectStore, OptionSet } from '@colkit/io';
import { commitTo, partKey, pathTexts, referenceOf, storeOf } from '@colkit/table';
import type { CommitOptions, Committed, PartReference, NamedColumns, NamedValues } from '@colkit/table';
import { WRITE_OPTIONS, write } from '../write/write.ts';
import type { WriteOptions } from '../write/write.ts';
import type { WriteInput } from '../write/values/batch-input.ts';
import { cnaParts } from './cna-parts.ts';

/** A folder, which need not be there yet, or a store. */
export type CommitTarget = string | URL | ObjectStore;

export interface WritePartOptions extends Omit<WriteOptions, 'overwrite' | 'durability'> {
  /** Values that all rows have, which the part's path says: `{ region: 'EMEA' }`. The rows do not hold them. */
  readonly partition?: Readonly<Record<string, string | number | bigint | boolean | null>>;
}

const WRITE_PART_OPTIONS: OptionSet<WritePartOptions> = {
  ...omitOptions(WRITE_OPTIONS, 'overwrite', 'durability'),
  partition: option.byName('values by name'),
};

/**
 * Writes a `.cna` file under a name that no other attempt has, where nobody sees it before `commit`: a writer that
 * dies, or goes on when it was given up, changes nothing. Gives plain JSON, for `commit` in this process or another.
 * @throws as `write`.
 */
export async function writePart<C extends NamedColumns<C>, R extends NamedValues<R>>(
  target: CommitTarget,
  data: WriteInput | C | readonly R[],
  options: WritePartOptions = {},
): Promise<PartReference> {
  checkOptions('writePart', WRITE_PART_OPTIONS, options);
  const { partition = {}, ...settings } = options;
  const store = storeOf(target);
  const key = partKey(pathTexts(partition), cnaParts.extension);
  const sink = await store.create(key, options.signal === undefined ? {} : { signal: options.signal });
  try {
    await write(sink, data, settings);
  } catch (error) {
    await sink.abort().catch(() => undefined);
    throw error;
  }
  return referenceOf(store, key, cnaParts);
}

/**
 * Publishes parts (of `writePart`, or the keys of files that are in the folder) as the next version of a dataset: one
 * manifest, written whole or not at all. `expected` is the version that was looked at; where another one is there by
 * now, or somebody else commits in the same moment, nothing happens (ERR_CONFLICT). What is there is added to, or
 * replaced.
 * @throws IoError ERR_CONFLICT; ERR_NOT_FOUND, ERR_FILE_CHANGED for a part that is not there as it was written;
 * ERR_WRITE where it is not known whether it was committed; ArgumentError ERR_SCHEMA for parts of other columns;
 * UnsupportedError ERR_FEATURE for a store that does not keep two writers of one key apart.
 */
export async function commit(
  target: CommitTarget,
  parts: readonly (PartReference | string)[],
  options: CommitOptions,
): Promise<Committed> {
  return commitTo(target, parts, options, [cnaParts]);
}
