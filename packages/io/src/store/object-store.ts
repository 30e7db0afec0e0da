// Objects under keys: a folder of files, or a bucket behind a server. What datasets are committed to, and what shards
// and parts are written to and read from, without a word about where that is.
import type { Sink } from '../memory/sink.ts';
import type { RandomAccessSource } from '../source/source.ts';

/** One object of a store. */
export interface StoredObject {
  /** `orders/part-1.cna`: relative, `/` between its parts. */
  readonly key: string;
  readonly byteLength: number;
  /** When it was last written, by the clock of whoever keeps it: milliseconds since 1970. */
  readonly modified: number;
  /** Another text for each version of the object; null where the store tells none. */
  readonly etag: string | null;
}

/**
 * A place for objects. Keys have one or more parts with `/` between them; a part is not empty, `.` or `..`, and has no
 * NUL and no backslash. Two stores with the same name have the same objects. An object is there whole or not at all.
 */
export interface ObjectStore {
  /** A path or URL, for messages: without anything secret. */
  readonly name: string;
  /** The objects whose keys start with `prefix`, by ascending keys (UTF-16 code units). @throws IoError ERR_READ. */
  list(prefix: string, options?: ListOptions): AsyncIterable<StoredObject>;
  /**
   * What is being written, or was when its writer died, where the store keeps that as something `delete` takes by its
   * key. In no order.
   * @throws IoError ERR_READ.
   */
  listUnfinished?(): AsyncIterable<StoredObject>;
  /** All bytes of an object. @throws IoError ERR_NOT_FOUND, ERR_READ. */
  read(key: string, options?: StoreCallOptions): Promise<Uint8Array>;
  /** An object for reads at any offset; whoever asks closes it. @throws IoError ERR_NOT_FOUND, ERR_READ. */
  open(key: string, options?: StoreCallOptions): Promise<RandomAccessSource>;
  /**
   * A new object, which is there once the sink is finished. `writeAt` may be refused by stores that take bytes from
   * front to back alone (UnsupportedError ERR_FEATURE).
   * @throws IoError ERR_EXISTS, at once or from `finish`; ERR_WRITE.
   */
  create(key: string, options?: StoreCallOptions): Promise<Sink>;
  /**
   * Writes an object unless there is one with its key, in one step: of two that write at the same time one alone does.
   * @returns whether it was written. @throws IoError ERR_WRITE where it is not known whether it was.
   */
  putIfAbsent(key: string, bytes: Uint8Array, options?: StoreCallOptions): Promise<boolean>;
  /** No error where there is none. @throws IoError ERR_WRITE. */
  delete(key: string, options?: StoreCallOptions): Promise<void>;
}

/** What each call takes. */
export interface StoreCallOptions {
  /** Gives the call up with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ListOptions extends StoreCallOptions {
  /** Nobody asks for this key, and for those before it: a store leaves them out where that saves time. */
  readonly after?: string;
}
