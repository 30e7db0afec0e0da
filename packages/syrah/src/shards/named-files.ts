// The files of a dataset as they were named, before any is opened.
import { ArgumentError, describeValue, isSource, visibleUrl } from '@colkit/io';
import { isHandle } from '../items/handle.ts';
import type { Openable } from '../open.ts';
import type { ListedShard } from './shard-list.ts';

/**
 * A list of files, URLs, bytes, Blobs and patterns; a folder, whose .syr files are meant; a pattern; the path or URL of
 * a list in JSON (docs/formats/syrah.md); or one file, and where it is the first part of a set all parts.
 */
export type ShardsInput = Openable | readonly Openable[];

/** One file, with what a list says of it. */
export interface NamedShard extends Partial<Omit<ListedShard, 'path'>> {
  readonly what: Openable;
  /** For messages. */
  readonly path: string;
}

export type GivenShards =
  | { readonly kind: 'one'; readonly what: Openable }
  | { readonly kind: 'many'; readonly files: readonly NamedShard[] };

export function nameOf(what: Openable): string {
  if (typeof what === 'string' || what instanceof URL) return visibleUrl(what);
  if (typeof File !== 'undefined' && what instanceof File) return what.name;
  return 'path' in what && typeof what.path === 'string' ? what.path : '<memory>';
}

export function namedAs(what: string): { readonly what: string; readonly path: string } {
  return { what, path: nameOf(what) };
}

/** Where a list that is a URL has a file; its query goes along. */
export function listedUrl(list: string, path: string): string {
  const page = (globalThis as { location?: { href?: string } }).location?.href;
  const base = new URL(list, page);
  const url = new URL(path, base);
  if (url.search === '' && url.origin === base.origin) url.search = base.search;
  return url.href;
}

/** @throws ArgumentError where there are none. */
export function requireFiles(files: readonly NamedShard[]): GivenShards {
  if (files.length === 0) throw new ArgumentError('ERR_ARGUMENT', 'what', 'at least one file', 'none');
  return { kind: 'many', files };
}

/** @throws ArgumentError. */
export function requireShard(what: unknown, position: number): void {
  const isOpenable =
    (typeof what === 'string' && what !== '') ||
    what instanceof URL ||
    what instanceof Uint8Array ||
    what instanceof ArrayBuffer ||
    what instanceof Blob ||
    isSource(what) ||
    isHandle(what);
  if (isOpenable) return;
  throw new ArgumentError(
    'ERR_ARGUMENT',
    'what',
    'paths, URLs, bytes, Blobs, sources or handles',
    `${describeValue(what)} at position ${String(position)}`,
  );
}
