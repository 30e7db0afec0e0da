// What is said of a bucket.
import { SOURCE_OPTIONS, option } from '@colkit/io';
import type { CacheOptions, OptionSet, RetryOptions } from '@colkit/io';
import { isCredentials } from './requests/credentials.ts';
import type { S3CredentialsInput } from './requests/credentials.ts';

export interface S3StoreOptions {
  /** Name of the bucket, which is there. */
  readonly bucket: string;
  /** The folder of the store in the bucket: keys are relative to it. Default: all of the bucket. */
  readonly prefix?: string;
  /** URL of the server. Default: that of AWS in the region. */
  readonly endpoint?: string | URL;
  /** Default 'us-east-1', as most other servers want; 'auto' for some. */
  readonly region?: string;
  /** Whether the bucket is a part of paths or of the host's name. Default: of the host's name at AWS, else of paths. */
  readonly addressing?: 'path' | 'host';
  /**
   * Keys, or a function that gives them: it is called at first, a minute before their `expiration`, and where the
   * server refuses them. Without it nothing is signed: for buckets that anybody may read.
   */
  readonly credentials?: S3CredentialsInput;
  /** In place of the global fetch. It stays in its thread: workers cannot open what was opened with it. */
  readonly fetch?: typeof fetch;
  /** As of `open`: 4 tries by default. What was written by a try whose answer was lost is found again. */
  readonly retry?: false | RetryOptions;
  /** Longest time without a byte from the server, of each try; of a part, all of its sending. Default 60 seconds. */
  readonly timeoutMs?: number;
  /** Longest time for each call, with all tries and the waits in between. Default: none. */
  readonly totalTimeoutMs?: number;
  /** As of `open`: keeps what is read of objects, in memory and in a folder; of workers, too. Default: nothing. */
  readonly cache?: CacheOptions;
  /**
   * Bytes of a part of an object that is larger than that. Default 8 MiB; an object has 10,000 parts at most. Writing
   * holds the first part, the one that is filled, and those that are sent.
   */
  readonly partBytes?: number;
  /** Parts that are sent at the same time. Default 3. */
  readonly concurrentParts?: number;
  /**
   * How long another thread can read by the handle of an object that was opened here: it holds a presigned URL, which
   * ends earlier where the credentials do. Default and most: 7 days.
   */
  readonly handleMs?: number;
}

/** What S3 takes. */
const LEAST_PART_BYTES = 5 << 20;
const MOST_PART_BYTES = 5 * 2 ** 30;
const WEEK_MS = 7 * 24 * 3600 * 1000;

export const S3_STORE_OPTIONS: OptionSet<S3StoreOptions> = {
  bucket: option.text,
  prefix: option.text,
  endpoint: option.kind<string | URL>('a URL', (value) => typeof value === 'string' || value instanceof URL),
  region: option.text,
  addressing: option.word('path', 'host'),
  credentials: {
    expected: '{ accessKeyId, secretAccessKey } or a function that gives them',
    accepts: (value) => typeof value === 'function' || isCredentials(value),
    // What is wrong with it is not told with what is in it.
    describe: (value) => (typeof value === 'object' ? 'an object without them' : typeof value),
  },
  fetch: SOURCE_OPTIONS.fetch,
  retry: SOURCE_OPTIONS.retry,
  timeoutMs: SOURCE_OPTIONS.timeoutMs,
  totalTimeoutMs: SOURCE_OPTIONS.totalTimeoutMs,
  cache: SOURCE_OPTIONS.cache,
  partBytes: option.count('bytes', LEAST_PART_BYTES, MOST_PART_BYTES),
  concurrentParts: option.count('parts', 1, 64),
  handleMs: option.count('milliseconds', 1000, WEEK_MS),
};

export const DEFAULTS = {
  retry: { attempts: 4, baseMs: 200, maxMs: 30_000 },
  timeoutMs: 60_000,
  partBytes: 8 << 20,
  concurrentParts: 3,
  handleMs: WEEK_MS,
} as const;
