// vacuum: removes what no version needs any more, and what dead writers left.
import { checkOptions, isColkitError, option } from '@colkit/io';
import type { ObjectStore, OptionSet } from '@colkit/io';
import { run } from '@colkit/io/effects';
import { StoreRoot, newestVersion, readManifest } from './dataset-files.ts';
import { storeOf } from './given-dataset.ts';
import { MANIFESTS, manifestKey, versionOfKey } from './manifest.ts';
import { PART_NAME } from './part-reference.ts';

export interface VacuumOptions {
  /**
   * Only what is older than so many milliseconds goes, by the store's clock: longer than any writer works between the
   * first part and its commit, and than any reader reads an old version. Default a week.
   */
  readonly olderThanMs?: number;
  /** Tells what would go, and removes nothing. */
  readonly dryRun?: boolean;
}

export const VACUUM_OPTIONS: OptionSet<VacuumOptions> = {
  olderThanMs: option.count('milliseconds'),
  dryRun: option.flag,
};

export interface Vacuumed {
  /** Versions whose manifests went. */
  readonly versions: readonly number[];
  /** Keys of parts. */
  readonly parts: readonly string[];
  readonly byteLength: number;
}

const WEEK = 7 * 24 * 3600 * 1000;

/**
 * Removes manifests that are older than `olderThanMs`, but for the newest; parts that no manifest names any more; and
 * parts of the same age that were never committed. Other files stay.
 * @throws what the store throws; what reading manifests throws.
 */
export async function vacuum(given: string | URL | ObjectStore, options: VacuumOptions = {}): Promise<Vacuumed> {
  checkOptions('vacuum', VACUUM_OPTIONS, options);
  const { olderThanMs = WEEK, dryRun = false } = options;
  const store = storeOf(given);
  const before = Date.now() - olderThanMs;
  const newest = await run(newestVersion(store));
  const root = new StoreRoot(store);
  const kept = new Set<string>();
  const dropped = new Set<string>();
  const versions: number[] = [];
  for await (const { key, byteLength, modified } of store.list(`${MANIFESTS}/`)) {
    const version = versionOfKey(key);
    if (version === null || byteLength === 0) continue;
    const goes = version !== newest && modified < before;
    if (goes) versions.push(version);
    for (const part of (await run(readManifest(root, key))).parts) (goes ? dropped : kept).add(part.key);
  }
  const parts: string[] = [];
  let bytes = 0;
  for await (const { key, byteLength, modified } of store.list('')) {
    const isOurs = PART_NAME.test(key) || dropped.has(key);
    if (!isOurs || kept.has(key) || modified >= before || key.startsWith(`${MANIFESTS}/`)) continue;
    parts.push(key);
    bytes += byteLength;
  }
  if (!dryRun) {
    // Manifests go first: none ever names a part that is not there.
    // The oldest first: what was made of a version that is there is there (a committer relies on it).
    for (const version of versions.sort((one, other) => one - other)) await remove(store, manifestKey(version));
    for (const key of parts) await remove(store, key);
  }
  return { versions, parts, byteLength: bytes };
}

async function remove(store: ObjectStore, key: string): Promise<void> {
  try {
    await store.delete(key);
  } catch (error) {
    // Another vacuum may have been there.
    if (!isColkitError(error) || error.code !== 'ERR_NOT_FOUND') throw error;
  }
}
