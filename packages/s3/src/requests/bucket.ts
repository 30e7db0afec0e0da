// Where a bucket and its objects are: URLs for requests, and names without anything secret for messages.
import { ArgumentError, checkKey, visibleUrl } from '@colkit/io';

export type Addressing = 'path' | 'host';

export interface Bucket {
  /** For messages: the URL of the bucket, and the prefix. */
  readonly name: string;
  /** With a `/` at its end, or empty. */
  readonly prefix: string;
  readonly region: string;
  readonly base: string;
}

/** @throws ArgumentError. */
export function bucketOf(options: {
  readonly endpoint?: string | URL;
  readonly bucket: string;
  readonly prefix?: string;
  readonly region?: string;
  readonly addressing?: Addressing;
}): Bucket {
  const { bucket, region = 'us-east-1' } = options;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/u.test(bucket))
    throw new ArgumentError('ERR_ARGUMENT', 'bucket', 'the name of a bucket', JSON.stringify(bucket));
  if (!/^[A-Za-z0-9-]{1,64}$/u.test(region))
    throw new ArgumentError('ERR_ARGUMENT', 'region', 'the name of a region', JSON.stringify(region));
  const prefix = (options.prefix ?? '').replace(/\/$/u, '');
  if (prefix !== '') checkKey(prefix);
  const url = endpointOf(options.endpoint ?? `https://s3.${region}.amazonaws.com`);
  // AWS wants names of hosts, and its certificates know none with dots in them; others know paths.
  const byHost = options.addressing ?? (options.endpoint === undefined && !bucket.includes('.') ? 'host' : 'path');
  if (byHost === 'host') url.hostname = `${bucket}.${url.hostname}`;
  const base = url.href.replace(/\/$/u, '') + (byHost === 'host' ? '' : `/${bucket}`);
  const folder = prefix === '' ? '' : `${prefix}/`;
  return { name: `${base}/${folder}`.replace(/\/$/u, ''), prefix: folder, region, base };
}

function endpointOf(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(given) : null;
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (isPlain && /^https?:$/u.test(url.protocol)) return url;
  throw new ArgumentError(
    'ERR_ARGUMENT',
    'endpoint',
    'an http: or https: URL without user, query and fragment',
    JSON.stringify(visibleUrl(given)),
  );
}

/** The URL of an object, or with null that of the bucket. @throws ArgumentError for what is no key. */
export function urlOf({ base, prefix }: Bucket, key: string | null): string {
  if (key === null) return base;
  checkKey(key);
  if (/[\uD800-\uDFFF]/u.test(key))
    throw new ArgumentError('ERR_ARGUMENT', 'key', 'well-formed Unicode', JSON.stringify(key));
  return `${base}/${`${prefix}${key}`.split('/').map(encoded).join('/')}`;
}

/** As signatures have it: what is not a letter, a digit or one of - . _ ~ is a percent sign and two digits. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
