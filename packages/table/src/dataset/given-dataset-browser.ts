// The same names as in given-dataset.ts for browsers: lists of URLs and files, manifests, stores; no folders.
import { UnsupportedError } from '@colkit/io';
import type { ObjectStore, Openable } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
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
import type { GivenDataset } from './dataset-files.ts';
import type { DatasetInput, GivenSettings } from './given-dataset.ts';

export type { DatasetInput, GivenSettings };

/** @throws UnsupportedError for a path; ArgumentError. */
export function* givenDataset(what: DatasetInput, settings: GivenSettings): Work<GivenDataset> {
  if (isStore(what)) return yield* datasetOfStore(what, settings.version, settings.accepts);
  const found = manifestOf(what);
  if (found !== null) {
    const root = rootOfUrl(found.base, found.query, settings.source);
    return { kind: 'manifest', root, manifest: yield* readManifest(root, found.key) };
  }
  if (!Array.isArray(what))
    throw new UnsupportedError(
      'ERR_FEATURE',
      'folders',
      'a browser opens a list of URLs or files, the URL of a manifest, or a store; it cannot look into a folder',
    );
  const files = (what as readonly unknown[]).map((each, position) => {
    requireOpenable(each, position);
    return { place: placeOfOpenable(each, settings.source), path: pathOfName(each) };
  });
  return { kind: 'files', name: `${String(files.length)} files`, files };
}

/** The path of a URL, or a file's name. */
export function pathOfName(what: Openable): string {
  if (typeof File !== 'undefined' && what instanceof File)
    return (what as { webkitRelativePath?: string }).webkitRelativePath || what.name;
  if (typeof what !== 'string' && !(what instanceof URL)) return '';
  return pathOfUrl(String(what));
}

/** Stores only. @throws UnsupportedError for a path. */
export function storeOf(what: unknown): ObjectStore {
  if (isStore(what)) return what;
  throw new UnsupportedError('ERR_FEATURE', 'folders', 'a browser commits to a store, not to a folder');
}

/** Null: a browser has no folders. */
// eslint-disable-next-line require-yield -- in Node it looks at the folder
export function* committedVersion(): Work<null> {
  return null;
}
