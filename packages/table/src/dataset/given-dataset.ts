// What a user names as a dataset -> its files, or its manifest: a folder, a pattern, a list, the path or URL of a
// manifest, a store.
import { join } from 'node:path';
import { ArgumentError, describeValue } from '@colkit/io';
import type { ObjectStore, OpenSourceOptions, Openable, RandomAccessSource } from '@colkit/io';
import { FolderStore } from '@colkit/io/durable';
import { openedSource } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { filesBelow, filesMatching, hasWildcards, kindOfPath, lastFileOf, localPath } from '@colkit/io/listing';
import {
  datasetOfStore,
  isStore,
  manifestOf,
  pathOfUrl,
  placeOfOpenable,
  readManifest,
  requireOpenable,
  rootOfUrl,
} from './dataset-files.ts';
import type { DatasetRoot, GivenDataset, GivenFile } from './dataset-files.ts';
import type { PartPlace } from './part-format.ts';
import { MANIFESTS, manifestKey, versionOfKey } from './manifest.ts';

export interface GivenSettings {
  readonly source: OpenSourceOptions;
  /** Of the manifest; undefined: the newest, and none where there is none. */
  readonly version: number | undefined;
  /** Whether a file in a folder is a part, by its name. */
  readonly accepts: (path: string) => boolean;
}

/** A folder, a pattern, the path or URL of a manifest, a store, or a list of files, URLs, bytes, Blobs and patterns. */
export type DatasetInput = string | URL | ObjectStore | readonly Openable[];

/** @throws IoError ERR_NOT_FOUND; ArgumentError; what reading a manifest throws. */
export function* givenDataset(what: DatasetInput, settings: GivenSettings): Work<GivenDataset> {
  if (isStore(what)) return yield* datasetOfStore(what, settings.version, settings.accepts);
  if (Array.isArray(what)) return yield* datasetOfList(what as readonly Openable[], settings);
  if (typeof what !== 'string' && !(what instanceof URL))
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'source',
      'a folder, pattern, list, manifest or store',
      describeValue(what),
    );
  const manifest = manifestOf(what);
  const path = localPath(what);
  if (manifest !== null) {
    const root =
      path === null
        ? rootOfUrl(manifest.base, manifest.query, settings.source)
        : rootOfFolder(path.replace(/_manifests[/\\]\d{20}\.json$/u, '') || '.', settings.source);
    return { kind: 'manifest', root, manifest: yield* readManifest(root, manifest.key) };
  }
  if (path !== null && (yield* kindOfPath(path)) === 'folder') return yield* datasetOfFolder(path, settings);
  return { kind: 'files', name: String(what), files: yield* filesOf(what, settings) };
}

/** The folder as a store, where a path was given. */
export function storeOf(what: string | URL | ObjectStore): ObjectStore {
  if (isStore(what)) return what;
  const path = localPath(what);
  if (path === null)
    throw new ArgumentError('ERR_ARGUMENT', 'store', 'the path of a folder, or a store', describeValue(what));
  return new FolderStore(path);
}

function* datasetOfFolder(folder: string, { source, version, accepts }: GivenSettings): Work<GivenDataset> {
  const root = rootOfFolder(folder, source);
  const found = version ?? (yield* committedVersion(folder));
  if (found !== null) return { kind: 'manifest', root, manifest: yield* readManifest(root, manifestKey(found)) };
  const files = (yield* filesBelow(folder, accepts)).map((path) => ({
    place: placeOfPath(join(folder, path), source),
    path,
  }));
  return { kind: 'files', name: folder, files };
}

/**
 * The newest version of a folder that is committed to; null: it has no manifest.
 * Names of manifests sort as their numbers; one without a byte is that of a dead writer.
 */
export function* committedVersion(folder: string): Work<number | null> {
  if ((yield* kindOfPath(join(folder, MANIFESTS))) !== 'folder') return null;
  const isManifest = (name: string): boolean => versionOfKey(`${MANIFESTS}/${name}`) !== null;
  const last = yield* lastFileOf(join(folder, MANIFESTS), isManifest);
  return last === null ? null : versionOfKey(`${MANIFESTS}/${last}`);
}

function* datasetOfList(list: readonly Openable[], settings: GivenSettings): Work<GivenDataset> {
  const files: GivenFile[] = [];
  for (const [position, each] of list.entries()) {
    requireOpenable(each, position);
    for (const file of yield* filesOf(each, settings)) files.push(file);
  }
  const [first] = files;
  const name = first === undefined ? 'no files' : first.place.name;
  return { kind: 'files', name: files.length > 1 ? `${name} and ${String(files.length - 1)} more` : name, files };
}

/** One file, or those of a folder or a pattern. @throws ArgumentError for a folder that is committed to. */
function* filesOf(what: Openable, { source, accepts }: GivenSettings): Work<readonly GivenFile[]> {
  const path = localPath(what);
  if (path === null) return [{ place: placeOfOpenable(what, source), path: pathOfOther(what) }];
  const fileOf = (file: string, named: string): GivenFile => ({ place: placeOfPath(file, source), path: named });
  const kind = yield* kindOfPath(path);
  if (kind === 'folder') {
    if ((yield* committedVersion(path)) !== null)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'source',
        'files, or one committed dataset by itself',
        `${path} in a list`,
      );
    return (yield* filesBelow(path, accepts)).map((each) => fileOf(join(path, each), each));
  }
  // A file whose name has a bracket is that file.
  if (kind !== null || !hasWildcards(path))
    return [what === path ? fileOf(path, path) : { place: placeOfOpenable(what, source), path }];
  const matching = yield* filesMatching(path);
  // Of what a pattern matches, files of other kinds are left out, unless it names them.
  const isNamed = /\.[^/\\*?[\]]+$/u.test(path);
  return matching.filter((each) => isNamed || accepts(each)).map((each) => fileOf(each, each));
}

function pathOfOther(what: Openable): string {
  if (typeof File !== 'undefined' && what instanceof File) return what.name;
  return typeof what === 'string' || what instanceof URL ? pathOfUrl(String(what)) : '';
}

function rootOfFolder(folder: string, options: OpenSourceOptions): DatasetRoot {
  return { name: folder, placeOf: (key) => placeOfPath(join(folder, key), options) };
}

function placeOfPath(path: string, options: OpenSourceOptions): PartPlace {
  return new LocalPlace(path, options);
}

/** A local file; where nothing is said of how it is opened, small ones may be read together. */
class LocalPlace implements PartPlace {
  readonly name: string;
  readonly #options: OpenSourceOptions;

  constructor(path: string, options: OpenSourceOptions) {
    this.name = path;
    this.#options = options;
  }

  get path(): string {
    return this.#options.io === undefined ? this.name : '';
  }

  open(): Work<RandomAccessSource> {
    return openedSource(this.name, this.#options);
  }
}
