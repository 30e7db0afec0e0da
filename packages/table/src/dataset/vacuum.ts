// vacuum: removes what no version needs any more, and what dead writers left.
import { checkOptions, isColkitError, option } from '@colkit/io';
import type { ObjectStore, OptionSet, StoredObject } from '@colkit/io';
import { run } from '@colkit/io/effects';
import { StoreRoot, newestVersion, readManifest } from './dataset-files.ts';
import { storeOf } from './given-dataset.ts';
import { inOrder } from './in-order.ts';
import { MANIFESTS, PROBES, manifestKey, probeKey, versionOfKey } from './manifest.ts';
import { PART_NAME } from './part-reference.ts';

export interface VacuumOptions {
  /**
   * Only what is older than so many milliseconds goes, by the store's clock too where this machine's is ahead (which a
   * dry run does not find out): longer than any writer works between the first part and its commit, and than any reader
   * reads an old version. Default a week.
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
  /** Keys of parts, and of what dead writers left of some. */
  readonly parts: readonly string[];
  readonly byteLength: number;
}

/** Of parts, manifests and probes; what others write in the folder is theirs. */
const UNFINISHED = new RegExp(`^(?:${MANIFESTS}|${PROBES})/|(?:^|/)\\.part-[0-9a-f]{8}-[^/]*$`, 'u');
/** Some stores tell whole seconds. */
const SAME_MS = 1000;
const WEEK = 7 * 24 * 3600 * 1000;

/**
 * Removes manifests that are older than `olderThanMs`, but for the newest; parts that no manifest names any more; parts
 * of the same age that were never committed, and what is left of parts that were never whole. Other files stay.
 * @throws what the store throws; what reading manifests throws.
 */
export async function vacuum(given: string | URL | ObjectStore, options: VacuumOptions = {}): Promise<Vacuumed> {
  checkOptions('vacuum', VACUUM_OPTIONS, options);
  const { olderThanMs = WEEK, dryRun = false } = options;
  const store = storeOf(given);
  const before = Date.now() - olderThanMs;
  const found = await unneeded(store, before);
  if (dryRun || found.versions.length + found.parts.length === 0) return found;
  // By a clock that is ahead what was just written is old.
  const beforeThere = (await timeOf(store)) - olderThanMs;
  const going = beforeThere < before - SAME_MS ? await unneeded(store, beforeThere) : found;
  // Manifests go first: none ever names a part that is not there.
  // The oldest first: what was made of a version that is there is there (a committer relies on it).
  for (const version of going.versions) await remove(store, manifestKey(version));
  await inOrder(going.parts, (key) => remove(store, key));
  return going;
}

/** What was last written before that time, and goes. */
async function unneeded(store: ObjectStore, before: number): Promise<Vacuumed> {
  const newest = await run(newestVersion(store));
  const root = new StoreRoot(store);
  const kept = new Set<string>();
  const dropped = new Set<string>();
  const versions: number[] = [];
  const manifests: { readonly key: string; readonly names: Set<string> }[] = [];
  for await (const { key, byteLength, modified } of store.list(`${MANIFESTS}/`)) {
    const version = versionOfKey(key);
    if (version === null || byteLength === 0) continue;
    const goes = version !== newest && modified < before;
    if (goes) versions.push(version);
    manifests.push({ key, names: goes ? dropped : kept });
  }
  await inOrder(manifests, async ({ key, names }) => {
    for (const part of (await run(readManifest(root, key))).parts) names.add(part.key);
  });
  const parts: string[] = [];
  let bytes = 0;
  const take = ({ key, byteLength, modified }: StoredObject, isOurs: boolean): void => {
    if (!isOurs || kept.has(key) || modified >= before) return;
    parts.push(key);
    bytes += byteLength;
  };
  for await (const each of store.list('')) {
    const { key } = each;
    take(each, PART_NAME.test(key) || dropped.has(key) || key.startsWith(`${PROBES}/`));
  }
  for await (const each of store.listUnfinished?.() ?? []) take(each, UNFINISHED.test(each.key));
  return { versions: versions.sort((one, other) => one - other), parts, byteLength: bytes };
}

/** Now, by the clock that says when objects were written; or a while before. */
async function timeOf(store: ObjectStore): Promise<number> {
  const key = probeKey();
  try {
    await store.putIfAbsent(key, Uint8Array.of(1));
    for await (const each of store.list(key)) if (each.key === key) return each.modified;
  } catch (error) {
    // There may be no room: a full disk is why somebody removes what is not needed.
    if (isColkitError(error) && error.code === 'ERR_WRITE') return await newestOf(store);
    throw error;
  } finally {
    await store.delete(key);
  }
  // What was written is not listed yet.
  return Date.now();
}

/** When an object was last written. */
async function newestOf(store: ObjectStore): Promise<number> {
  let newest = 0;
  for await (const { modified } of store.list('')) newest = Math.max(newest, modified);
  return newest;
}

async function remove(store: ObjectStore, key: string): Promise<void> {
  try {
    await store.delete(key);
  } catch (error) {
    // Another vacuum may have been there.
    if (!isColkitError(error) || error.code !== 'ERR_NOT_FOUND') throw error;
  }
}
