// A bucket, or a folder of it, as a store.
import { ArgumentError, MemorySource, checkOptions, isColkitError, openSource, option } from '@colkit/io';
import type {
  ListOptions,
  ObjectStore,
  OpenSourceOptions,
  OptionSet,
  RandomAccessSource,
  Sink,
  StoreCallOptions,
  StoredObject,
} from '@colkit/io';
import { ObjectSource } from './object-source.ts';
import { bucketOf, urlOf } from './requests/bucket.ts';
import { Client } from './requests/client.ts';
import { CredentialsKeeper } from './requests/credentials.ts';
import type { Purpose } from './requests/failure.ts';
import { listObjects } from './requests/list.ts';
import { DEFAULTS, S3_STORE_OPTIONS } from './store-options.ts';
import type { S3StoreOptions } from './store-options.ts';
import { ObjectSink } from './writing/object-sink.ts';
import { putIfAbsent } from './writing/put.ts';
import { existsError } from './writing/upload.ts';

const CALL_OPTIONS: OptionSet<StoreCallOptions> = { signal: option.signal };
const LIST_OPTIONS: OptionSet<ListOptions> = { ...CALL_OPTIONS, after: option.text };

/**
 * A bucket as a store of objects, for datasets (`openDataset`, `writePart`, `commit`), and for any reader or writer:
 * `open` gives sources, `create` sinks. Nothing is asked of the server before the first call.
 * @throws ArgumentError.
 */
export function s3Store(options: S3StoreOptions): S3Store {
  return new S3Store(options);
}

/** See `s3Store`. */
export class S3Store implements ObjectStore {
  /** The URL of the bucket, and the prefix. */
  readonly name: string;
  readonly #client: Client;
  readonly #options: S3StoreOptions;

  constructor(options: S3StoreOptions) {
    checkOptions('s3Store', S3_STORE_OPTIONS, options);
    // Callers without types may give none.
    if (typeof (options as Partial<S3StoreOptions> | undefined)?.bucket !== 'string')
      throw new ArgumentError('ERR_ARGUMENT', 'bucket', 'the name of a bucket', 'nothing');
    const { credentials = null, retry = {}, timeoutMs = DEFAULTS.timeoutMs, totalTimeoutMs = null } = options;
    const bucket = bucketOf(options);
    this.name = bucket.name;
    this.#options = { ...options };
    this.#client = new Client({
      bucket,
      credentials: new CredentialsKeeper(credentials),
      fetch: options.fetch ?? fetch,
      retry: retry === false ? { ...DEFAULTS.retry, attempts: 1 } : { ...DEFAULTS.retry, ...retry },
      timeoutMs,
      totalTimeoutMs,
    });
  }

  /** One request for each 1,000 objects. */
  async *list(prefix: string, options: ListOptions = {}): AsyncGenerator<StoredObject, void, undefined> {
    checkOptions('list', LIST_OPTIONS, options);
    yield* listObjects(this.#client, prefix, options);
  }

  /** One request, or two of what is larger than 64 KiB. */
  async read(key: string, options: StoreCallOptions = {}): Promise<Uint8Array> {
    checkOptions('read', CALL_OPTIONS, options);
    const source = await this.open(key, options);
    try {
      const bytes = new Uint8Array(source.byteLength);
      await source.read(0, bytes, options.signal);
      return bytes;
    } finally {
      source.close();
    }
  }

  /** As `open` of a URL: ranges, pinned to the object's ETag, retried, coalesced. One request. */
  async open(key: string, options: StoreCallOptions = {}): Promise<RandomAccessSource> {
    checkOptions('open', CALL_OPTIONS, options);
    const { signal } = options;
    const client = this.#client;
    const { credentials, handleMs = DEFAULTS.handleMs, fetch: given } = this.#options;
    const plain = this.#sourceOptions();
    const url = urlOf(client.settings.bucket, key);
    try {
      const source = await openSource(new URL(url), {
        ...plain,
        ...(given === undefined ? {} : { fetch: (...asked) => client.fetch(...asked) }),
        ...(signal === undefined ? {} : { signal }),
        sign: async (asked) => ({ headers: await client.signed(asked.method, asked.url, asked.headers) }),
        ...(typeof credentials === 'function' ? { renew: () => this.#renewed(url) } : {}),
      });
      const whyNot =
        given === undefined ? null : 'opened through a store with { fetch }, and functions stay in their thread';
      const reopening = whyNot === null ? { what: await client.presigned(key, handleMs), options: { ...plain } } : null;
      return new ObjectSource({ source, reopening, whyNot });
    } catch (error) {
      // Servers tell no size with the refusal of a range.
      const isOfRange = isColkitError(error) && error.code === 'ERR_REMOTE_RANGE';
      if (isOfRange && (await this.#isEmpty(key, signal))) return new MemorySource(new Uint8Array(0));
      throw error;
    }
  }

  /**
   * Parts of `partBytes`, in memory until they are sent; what is less is one request. Bytes at the beginning can be
   * written again until it is finished (`writeAt`), later ones cannot.
   * @throws IoError ERR_EXISTS, at once or from `finish`; ERR_WRITE.
   */
  async create(key: string, options: StoreCallOptions = {}): Promise<Sink> {
    checkOptions('create', CALL_OPTIONS, options);
    const { signal } = options;
    const purpose = this.#purpose('create', key);
    // Said before anything is sent, and by servers that do not enforce it at the end.
    // Whoever may write and not list is told 403 of what is not there.
    const { status } = await this.#client.send({ ...purpose, method: 'HEAD', signal, answers: [403, 404] });
    if (status === 200) throw existsError(purpose);
    const { partBytes = DEFAULTS.partBytes, concurrentParts = DEFAULTS.concurrentParts } = this.#options;
    return new ObjectSink(this.#client, key, { partBytes, concurrentParts, signal });
  }

  async putIfAbsent(key: string, bytes: Uint8Array, options: StoreCallOptions = {}): Promise<boolean> {
    checkOptions('putIfAbsent', CALL_OPTIONS, options);
    return putIfAbsent(this.#client, this.#purpose('putIfAbsent', key), bytes.slice(), options);
  }

  async delete(key: string, options: StoreCallOptions = {}): Promise<void> {
    checkOptions('delete', CALL_OPTIONS, options);
    const { signal } = options;
    await this.#client.send({ ...this.#purpose('delete', key), method: 'DELETE', signal, answers: [404] });
  }

  #purpose<O extends Purpose['operation']>(operation: O, key: string): Purpose & { operation: O; key: string } {
    return { operation, path: this.#client.nameOf(key), key };
  }

  async #isEmpty(key: string, signal: AbortSignal | undefined): Promise<boolean> {
    const asked = { ...this.#purpose('open', key), method: 'HEAD', signal, answers: [404] } as const;
    const { status, headers } = await this.#client.send(asked);
    return status === 200 && headers.get('content-length') === '0';
  }

  #renewed(url: string): string {
    this.#client.settings.credentials.refused();
    return url;
  }

  #sourceOptions(): OpenSourceOptions {
    const { retry, timeoutMs, totalTimeoutMs, cache } = this.#options;
    return {
      ...(cache === undefined ? {} : { cache }),
      ...(retry === undefined ? {} : { retry }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(totalTimeoutMs === undefined ? {} : { totalTimeoutMs }),
    };
  }
}
