// The bucket that tests write to: of the strict server, or of a real one that `npm run test:s3` started.
import { S3_KEYS, s3Server } from '@colkit/testkit/s3-server';
import type { S3Server, S3ServerOptions } from '@colkit/testkit/s3-server';
import { onTestFinished } from 'vitest';
import { s3Store } from '../src/index.ts';
import type { S3Store, S3StoreOptions } from '../src/index.ts';

/** Of a real server: what the same tests run against. */
export const REAL = process.env['COLKIT_S3_ENDPOINT'];

export const quick = { retry: { attempts: 4, baseMs: 1, maxMs: 20 } } as const;

/** A strict server for one test. */
export async function strictServer(options: S3ServerOptions = {}): Promise<S3Server> {
  const server = await s3Server(options);
  onTestFinished(() => server.close());
  return server;
}

export function storeOf(server: S3Server, options: Partial<S3StoreOptions> = {}): S3Store {
  const { endpoint, bucketName: bucket, keys: credentials, region } = server;
  return s3Store({ endpoint, bucket, credentials, region, ...quick, ...options });
}

/** A place of its own in the bucket of the real server, or of a strict one. */
export async function newStore(options: Partial<S3StoreOptions> = {}): Promise<S3Store> {
  if (REAL === undefined) return storeOf(await strictServer({ pageSize: 3 }), options);
  const prefix = `${crypto.randomUUID()}/${options.prefix ?? 'p'}`;
  return s3Store({ endpoint: REAL, bucket: 'bucket', credentials: S3_KEYS, ...quick, ...options, prefix });
}

export function bytesOf(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let at = 0, state = seed; at < words.length; at += 1) words[at] = state = (state * 1664525 + 1013904223) >>> 0;
  return new Uint8Array(words.buffer, 0, length);
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
