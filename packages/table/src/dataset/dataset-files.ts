// What a dataset is made of when it is opened: files that were found, or those of a manifest.
import type { Openable, OpenSourceOptions, RandomAccessSource } from '@colkit/io';
import { ArgumentError, UnsupportedError, isSource, sortedNaturally, visibleUrl } from '@colkit/io';
import type { ObjectStore } from '@colkit/io';
import { openedSource, perform, readBytes } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import {
  MANIFESTS,
  MOST_MANIFEST_BYTES,
  isPartKey,
  manifestKey,
  parseManifest,
  versionOfKey,
  wrongManifest,
} from './manifest.ts';
import type { Manifest } from './manifest.ts';
import type { PartPlace } from './part-format.ts';

/** A file that was found. */
export interface GivenFile {
  readonly place: PartPlace;
  /** What of its path may say values: `region=EMEA/part.cna`. */
  readonly path: string;
}

export type GivenDataset =
  | { readonly kind: 'files'; readonly name: string; readonly files: readonly GivenFile[] }
  | { readonly kind: 'manifest'; readonly root: DatasetRoot; readonly manifest: Manifest };

/** The folder of a dataset, wherever it is. */
export interface DatasetRoot {
  /** A path or URL, for messages and splits. */
  readonly name: string;
  /** @param key relative to it. */
  placeOf(key: string): PartPlace;
}

/** A file, URL, bytes or Blob. */
export function placeOfOpenable(what: Openable, options: OpenSourceOptions): PartPlace {
  return { name: nameOf(what), isUnnamed: !isNamed(what), open: () => openedSource(what, options) };
}

export function nameOf(what: Openable): string {
  return isNamed(what) ? visibleUrl(what) : '<memory>';
}

function isNamed(what: Openable): what is string | URL {
  return typeof what === 'string' || what instanceof URL;
}

/** @throws ArgumentError for what cannot be opened again. */
export function requireOpenable(what: unknown, position: number): asserts what is Openable {
  if (Array.isArray(what) || isSource(what) || what === null || what === undefined)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'sources',
      'paths, URLs, bytes or Blobs, which can be opened again',
      `${Array.isArray(what) ? 'a list' : 'something else'} at position ${String(position)}`,
    );
}

export function isStore(what: unknown): what is ObjectStore {
  return typeof what === 'object' && what !== null && 'putIfAbsent' in what && 'list' in what;
}

/** A store as the folder of a dataset. */
export class StoreRoot implements DatasetRoot {
  readonly name: string;
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.name = store.name;
    this.#store = store;
  }

  placeOf(key: string): PartPlace {
    return { name: `${this.name}/${key}`, open: () => this.#open(key) };
  }

  *#open(key: string): Work<RandomAccessSource> {
    return yield* perform({
      run: ({ signal }) => this.#store.open(key, signal === undefined ? {} : { signal }),
      runSync: () => {
        throw noSync(this.name);
      },
    });
  }
}

function noSync(name: string): UnsupportedError {
  return new UnsupportedError('ERR_FEATURE', 'Sync', `${name}: a store is not read synchronously; use the async form`);
}

/** What a store holds: its newest manifest (or that of a version), else the files that `accepts` takes. */
export function* datasetOfStore(
  store: ObjectStore,
  version: number | undefined,
  accepts: (key: string) => boolean,
): Work<GivenDataset> {
  const root = new StoreRoot(store);
  const found = version ?? (yield* newestVersion(store));
  if (found !== null) return { kind: 'manifest', root, manifest: yield* readManifest(root, manifestKey(found)) };
  const keys = yield* perform({
    run: async ({ signal }) => {
      const all: string[] = [];
      for await (const { key } of store.list('', signal === undefined ? {} : { signal }))
        if (isPartKey(key) && accepts(key)) all.push(key);
      return all;
    },
    runSync: () => {
      throw noSync(store.name);
    },
  });
  const files = sortedNaturally(keys).map((key) => ({ place: root.placeOf(key), path: key }));
  return { kind: 'files', name: store.name, files };
}

/**
 * The newest version that was committed; null: none. Manifests without a byte are those of dead writers.
 * @param known a version that is looked for with those after it, and none before it.
 */
export function* newestVersion(store: ObjectStore, known = 1): Work<number | null> {
  return yield* perform({
    run: async ({ signal }) => {
      let newest: number | null = null;
      const options = {
        ...(signal === undefined ? {} : { signal }),
        ...(known > 1 ? { after: manifestKey(known - 1) } : {}),
      };
      for await (const { key, byteLength } of store.list(`${MANIFESTS}/`, options)) {
        const version = byteLength === 0 ? null : versionOfKey(key);
        if (version !== null && version > (newest ?? 0)) newest = version;
      }
      return newest;
    },
    runSync: () => {
      throw noSync(store.name);
    },
  });
}

/** @throws IoError ERR_NOT_FOUND; as `parseManifest`. */
export function* readManifest(root: DatasetRoot, key: string): Work<Manifest> {
  const place = root.placeOf(key);
  const manifest = parseManifest(yield* readWhole(place), place.name);
  const { version } = manifest;
  if (version !== versionOfKey(key))
    throw wrongManifest(place.name, 'the version that its name says', `version ${String(version)}`);
  return manifest;
}

/** All bytes of a manifest. @throws LimitError. */
export function* readWhole(place: PartPlace): Work<Uint8Array> {
  const source = yield* place.open();
  try {
    const { byteLength } = source;
    if (byteLength > MOST_MANIFEST_BYTES)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'source',
        `a manifest of at most ${String(MOST_MANIFEST_BYTES)} bytes`,
        `${place.name}: ${String(byteLength)}`,
      );
    return yield* readBytes(source, 0, byteLength);
  } finally {
    source.close();
  }
}

/** A manifest by its own path or URL; null for what is none. */
export function manifestOf(
  what: unknown,
): { readonly base: string; readonly key: string; readonly query: string } | null {
  const text = typeof what === 'string' ? what : what instanceof URL ? what.href : '';
  const found = /^(.*?)[/\\]?(_manifests[/\\]\d{20}\.json)(\?.*)?$/u.exec(text);
  if (found === null) return null;
  const [, base = '', key = '', query = ''] = found;
  return { base, key: key.replace('\\', '/'), query };
}

/** Parts of a dataset by URL: keys are parts of paths, and a query of the manifest's goes along. */
export function rootOfUrl(base: string, query: string, options: OpenSourceOptions): DatasetRoot {
  const urlOf = (key: string): string =>
    `${base === '' ? '' : `${base}/`}${key.split('/').map(encodeURIComponent).join('/')}${query}`;
  return { name: nameOf(base), placeOf: (key) => placeOfOpenable(urlOf(key), options) };
}

/** The path that a URL is of: what is encoded for the URL is no more. */
export function pathOfUrl(url: string): string {
  return url
    .replace(/[?#].*$/u, '')
    .split('/')
    .map((part) => {
      try {
        return decodeURIComponent(part).replaceAll('/', '%2F');
      } catch {
        return part;
      }
    })
    .join('/');
}
