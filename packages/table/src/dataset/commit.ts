// commit: one new manifest, or nothing. Two that commit to the same version write the same key, which one of them gets.
import { ArgumentError, IoError, UnsupportedError, checkOptions, isColkitError, option } from '@colkit/io';
import type { ObjectStore, OptionSet } from '@colkit/io';
import { contextOf, run } from '@colkit/io/effects';
import type { Field } from '../field.ts';
import { StoreRoot, newestVersion, readManifest } from './dataset-files.ts';
import { formatOf } from './dataset-source.ts';
import { storeOf } from './given-dataset.ts';
import { inOrder } from './in-order.ts';
import {
  MANIFESTS,
  formatManifest,
  isPartKey,
  manifestKey,
  parseManifest,
  probeKey,
  versionOfKey,
} from './manifest.ts';
import type { Manifest, ManifestPart } from './manifest.ts';
import type { PartFormat } from './part-format.ts';
import { parseReference, referenceOf } from './part-reference.ts';
import type { NewPart, PartReference } from './part-reference.ts';
import { requireVersion, versionOf } from './part-version.ts';
import { pathColumns } from './path-values.ts';
import type { PartitionType } from './path-values.ts';

export interface CommitOptions {
  /**
   * The version that the commit is made of: `dataset.version` of what was looked at, 0 where nothing was committed yet.
   * Where another one is there by now, nothing is committed (ERR_CONFLICT).
   */
  readonly expected: number;
  /** 'append', the default, adds the parts to those that are there; 'replace' takes their place. */
  readonly operation?: 'append' | 'replace';
  /** Further formats that parts may have, where they are given by their keys. */
  readonly formats?: readonly PartFormat[];
  /** Gives up what was not committed yet. */
  readonly signal?: AbortSignal;
}

export const COMMIT_OPTIONS: OptionSet<CommitOptions> = {
  expected: option.count('versions'),
  operation: option.word('append', 'replace'),
  formats: option.kind<readonly PartFormat[]>('a list of formats', (value) => Array.isArray(value)),
  signal: option.signal,
};

/** What was committed. */
export interface Committed {
  /** What the next commit calls `expected`. */
  readonly version: number;
  /** Of the manifest. */
  readonly key: string;
  readonly rowCount: number;
  readonly partCount: number;
}

/** @throws as the `commit` of the formats. */
export async function commitTo(
  given: string | URL | ObjectStore,
  parts: readonly (PartReference | string)[],
  options: Partial<CommitOptions> = {},
  own: readonly PartFormat[] = [],
): Promise<Committed> {
  checkOptions('commit', COMMIT_OPTIONS, options);
  if (!Array.isArray(parts)) throw new ArgumentError('ERR_ARGUMENT', 'parts', 'a list', typeof parts);
  const { expected, operation = 'append', signal } = options;
  if (expected === undefined)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'expected',
      'the version that was looked at (dataset.version; 0 for a new dataset)',
      'nothing',
    );
  const store = storeOf(given);
  const context = contextOf(signal === undefined ? {} : { signal });
  const since = (known?: number): Promise<number | null> => run(newestVersion(store, known), context);
  // Of many versions only the last ones are listed.
  const now = (expected > 1 ? await since(expected) : null) ?? (await since()) ?? 0;
  if (now !== expected) throw conflict(store, expected, `its version is ${String(now)} by now`);
  await requireExclusive(store, signal);
  const formats = [...own, ...(options.formats ?? [])];
  const added = await inOrder<PartReference | string, NewPart>(parts, (part, position) =>
    newPart(store, part, position, formats),
  );
  const before = now === 0 ? null : await run(readManifest(new StoreRoot(store), manifestKey(now)), context);
  const manifest = nextManifest(before, operation, added);
  signal?.throwIfAborted();
  await publish(store, manifest);
  await requireSuccession(store, manifest);
  const rowCount = manifest.parts.reduce((sum, part) => sum + part.rowCount, 0);
  const { version } = manifest;
  return { version, key: manifestKey(version), rowCount, partCount: manifest.parts.length };
}

/** One version of a dataset. */
export interface HistoryEntry {
  readonly version: number;
  /** ISO 8601, by the committer's clock. */
  readonly time: string;
  readonly operation: 'append' | 'replace';
  readonly rowCount: number;
  readonly partCount: number;
}

/** The versions that are kept, the oldest first. @throws what reading manifests throws. */
export async function history(given: string | URL | ObjectStore): Promise<readonly HistoryEntry[]> {
  const store = storeOf(given);
  const root = new StoreRoot(store);
  const keys: string[] = [];
  for await (const { key, byteLength } of store.list(`${MANIFESTS}/`))
    if (byteLength > 0 && versionOfKey(key) !== null) keys.push(key);
  return inOrder(keys, async (key) => {
    const { version, time, operation, parts } = await run(readManifest(root, key));
    const rowCount = parts.reduce((sum, part) => sum + part.rowCount, 0);
    return { version, time, operation, rowCount, partCount: parts.length };
  });
}

async function newPart(
  store: ObjectStore,
  given: PartReference | string,
  position: number,
  formats: readonly PartFormat[],
): Promise<NewPart> {
  if (typeof given === 'string')
    return parseReference(await referenceOf(store, given, formatOf(given, formats)), position);
  const part = parseReference(given, position);
  // What was removed, or written anew, in between is not committed.
  const source = await store.open(part.part.key);
  const found = versionOf(source, part.part.version.footerCrc);
  source.close();
  requireVersion(`${store.name}/${part.part.key}`, part.part.version, found);
  return part;
}

function nextManifest(before: Manifest | null, operation: 'append' | 'replace', added: readonly NewPart[]): Manifest {
  const kept = operation === 'append' ? (before?.parts ?? []) : [];
  const schemas: (readonly Field[])[] = operation === 'append' ? [...(before?.schemas ?? [])] : [];
  const parts: ManifestPart[] = [...kept];
  const keys = new Set(kept.map(({ key }) => key));
  for (const { fields, part } of added) {
    if (keys.has(part.key) || !isPartKey(part.key))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'parts',
        'each part once, and no names that start with . or _',
        JSON.stringify(part.key),
      );
    keys.add(part.key);
    const text = JSON.stringify(fields);
    let schema = schemas.findIndex((each) => JSON.stringify(each) === text);
    if (schema === -1) {
      requireSame(schemas[0], fields, part.key);
      schema = schemas.push(fields) - 1;
    }
    parts.push({ ...part, schema });
  }
  const types = operation === 'append' ? (before?.partitions as Record<string, PartitionType> | undefined) : undefined;
  const columns = pathColumns(
    parts.map(({ partition }) => new Map(Object.entries(partition))),
    types,
  );
  const version = (before?.version ?? 0) + 1;
  return {
    version,
    previous: version - 1,
    previousId: before?.id ?? null,
    id: crypto.randomUUID(),
    time: new Date().toISOString(),
    operation,
    schemas,
    partitions: Object.fromEntries((columns[0] ?? []).map(({ field }) => [field.name, field.dtype])),
    parts,
  };
}

/** The same names and types, in any order. @throws ArgumentError ERR_SCHEMA. */
function requireSame(first: readonly Field[] | undefined, fields: readonly Field[], key: string): void {
  if (first === undefined) return;
  const text = (all: readonly Field[]): string =>
    all
      .map(({ name, dtype }) => `${name} ${dtype}`)
      .sort()
      .join(', ');
  if (text(first) === text(fields)) return;
  throw new ArgumentError('ERR_SCHEMA', key, `the columns of the dataset: ${text(first)}`, text(fields));
}

async function publish(store: ObjectStore, manifest: Manifest): Promise<void> {
  const key = manifestKey(manifest.version);
  const bytes = formatManifest(manifest, `${store.name}/${key}`);
  let failure: unknown = null;
  try {
    if (await store.putIfAbsent(key, bytes)) return;
  } catch (error) {
    failure = error;
  }
  // An answer may have been lost: the manifest may be ours.
  const there = await manifestAt(store, key);
  if (there?.id === manifest.id) return;
  if (failure !== null) throw failure as Error;
  throw conflict(
    store,
    manifest.previous,
    there === null
      ? 'another commit is under way, or a writer died in the moment of one on a file system without hard links ' +
          `(then delete ${key}, which has no byte)`
      : `version ${String(manifest.version)} was committed by somebody else in this moment`,
  );
}

/**
 * Whoever waited for longer than the age of a vacuum may have written the key of a version that was there and is gone:
 * then there are later versions, and none of them is made of this one. Nobody reads it, and it goes.
 * @throws IoError ERR_CONFLICT; ERR_WRITE where this manifest is gone, too.
 */
async function requireSuccession(store: ObjectStore, { version, previous, id }: Manifest): Promise<void> {
  const newest = await run(newestVersion(store, version));
  if (newest === version) return;
  const next = await manifestAt(store, manifestKey(version + 1));
  if (next?.previousId === id) return;
  const key = manifestKey(version);
  // A vacuum removes the oldest first: where this one is there, so is what was made of it.
  if ((await manifestAt(store, key))?.id !== id) {
    const message = `version ${String(version)} was written, and is gone; whether others are made of it is not known`;
    throw new IoError('ERR_WRITE', 'commit', store.name, message);
  }
  await store.delete(key);
  throw conflict(store, previous, `its version is ${String(newest)} by now`);
}

async function manifestAt(store: ObjectStore, key: string): Promise<Manifest | null> {
  try {
    return parseManifest(await store.read(key), `${store.name}/${key}`);
  } catch (error) {
    if (isColkitError(error)) return null;
    throw error;
  }
}

/** Stores that were seen to write a key once. */
const EXCLUSIVE = new WeakSet<ObjectStore>();

/** @throws UnsupportedError ERR_FEATURE for a store where a second write of a key takes the first one's place. */
async function requireExclusive(store: ObjectStore, signal: AbortSignal | undefined): Promise<void> {
  if (EXCLUSIVE.has(store)) return;
  const key = probeKey();
  const options = signal === undefined ? {} : { signal };
  const probe = async (): Promise<void> => {
    const isExclusive =
      (await store.putIfAbsent(key, Uint8Array.of(1), options)) &&
      !(await store.putIfAbsent(key, Uint8Array.of(2), options));
    if (!isExclusive)
      throw new UnsupportedError(
        'ERR_FEATURE',
        'commit',
        `${store.name}: the store writes a key that is there already, so that one commit would undo another; use a ` +
          'store that enforces If-None-Match',
      );
  };
  try {
    await probe();
  } catch (error) {
    // Where nothing can be written, often nothing can be deleted: what happened first is told.
    await store.delete(key).catch(() => undefined);
    throw error;
  }
  await store.delete(key);
  EXCLUSIVE.add(store);
}

function conflict(store: ObjectStore, expected: number, why: string): IoError {
  return new IoError(
    'ERR_CONFLICT',
    'commit',
    store.name,
    `version ${String(expected)} was expected, and ${why}; nothing of this commit is visible`,
  );
}
