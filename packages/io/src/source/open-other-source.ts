// What can be opened without a file system: bytes, Blobs, URLs, and sources that exist already. Shared by Node and
// browsers.
import { BlobSource } from './blob-source.ts';
import { ArgumentError } from '../errors/errors.ts';
import { describeValue } from '../errors/describe-value.ts';
import { ownBytes } from '../memory/own-bytes.ts';
import { MemorySource } from './memory-source.ts';
import { completeSource, isSource } from './own-source.ts';
import type { OwnSource } from './own-source.ts';
import type { RandomAccessSource } from './source.ts';

/** The handle of a file, as browsers have them: what the file holds when it is opened is read. */
export interface ReadableHandle {
  readonly name: string;
  getFile(): Promise<Blob>;
}

/**
 * Everything that `openSource` takes. A string is a path, or a URL where it starts as one: http://, https://, file://,
 * blob: or data:.
 */
export type Openable = string | URL | Uint8Array | ArrayBuffer | Blob | ReadableHandle | RandomAccessSource | OwnSource;

/** A source that needs no opening; null for the others. @throws ArgumentError for anything that is not Openable. */
export function sourceOf(what: Exclude<Openable, string | URL | ReadableHandle>): RandomAccessSource;
export function sourceOf(what: Openable): RandomAccessSource | null;
export function sourceOf(what: Openable): RandomAccessSource | null {
  if (typeof what === 'string' || what instanceof URL || isHandle(what)) return null;
  const bytes = ownBytes(what);
  if (bytes !== null) return new MemorySource(bytes);
  // By what it has: Blobs of another realm are none of this one's class, those of test environments have no tag.
  const blob = what as Partial<Blob> | null;
  if (blob?.arrayBuffer !== undefined && blob.slice !== undefined) return new BlobSource(blob as Blob);
  if (isSource(what)) return completeSource(what);
  throw new ArgumentError(
    'ERR_ARGUMENT',
    'what',
    'a path, URL, Uint8Array, ArrayBuffer, Blob or source',
    describeValue(what),
  );
}

export function isHandle(what: unknown): what is ReadableHandle {
  return typeof (what as { getFile?: unknown } | null | undefined)?.getFile === 'function';
}
