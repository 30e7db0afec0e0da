// The objects of a bucket, page by page.
import { checkKey } from '@colkit/io';
import type { ListOptions, StoredObject } from '@colkit/io';
import type { Client } from './client.ts';
import { failed } from './failure.ts';
import { textOf } from './xml.ts';
import type { Element } from './xml.ts';

/** What UTF-8 has in another order than UTF-16. */
const NOT_ALIKE = /[\uD800-\uFFFF]/;

/**
 * In the order of keys by their UTF-16 code units. Servers have them in that of UTF-8, which differs where characters
 * from U+E000 on meet those beyond U+FFFF: such neighbours are held until all of them are known.
 */
export async function* listObjects(
  client: Client,
  prefix: string,
  options: ListOptions,
): AsyncGenerator<StoredObject, void, undefined> {
  let held: StoredObject[] = [];
  let place: string | null = null;
  for await (const object of pages(client, prefix, options)) {
    const at = object.key.search(NOT_ALIKE);
    const now = at === -1 ? null : object.key.slice(0, at);
    if (now === null || now !== place) {
      yield* inOrder(held);
      held = [];
    }
    place = now;
    if (now === null) yield object;
    else held.push(object);
  }
  yield* inOrder(held);
}

function inOrder(objects: StoredObject[]): StoredObject[] {
  return objects.sort((left, right) => (left.key < right.key ? -1 : 1));
}

async function* pages(
  client: Client,
  prefix: string,
  { signal, after = '' }: ListOptions,
): AsyncGenerator<StoredObject, void, undefined> {
  // Where the orders differ, the server may leave out what is behind the key by ours.
  const startAfter = after === '' || NOT_ALIKE.test(after) ? null : after;
  const { bucket } = client.settings;
  const purpose = { operation: 'list', path: bucket.name } as const;
  for (let token: string | null = null; ; ) {
    const { root } = await client.send({
      ...purpose,
      root: 'ListBucketResult',
      method: 'GET',
      key: null,
      query: {
        'list-type': '2',
        prefix: `${bucket.prefix}${prefix}`,
        // XML cannot say every character.
        'encoding-type': 'url',
        ...(startAfter === null ? {} : { 'start-after': `${bucket.prefix}${startAfter}` }),
        ...(token === null ? {} : { 'continuation-token': token }),
      },
      signal,
    });
    const page = root as Element;
    const isEncoded = textOf(page, 'EncodingType') === 'url';
    for (const each of page.elements) {
      if (each.name !== 'Contents') continue;
      const object = objectOf(each, isEncoded);
      if (object === null) throw failed(purpose, 'the server tells no key, size or time of an object');
      if (!object.key.startsWith(`${bucket.prefix}${prefix}`)) throw failed(purpose, 'the server ignores the prefix');
      const key = object.key.slice(bucket.prefix.length);
      if (isKey(key) && key > after) yield { ...object, key };
    }
    if (textOf(page, 'IsTruncated') !== 'true') return;
    const next = textOf(page, 'NextContinuationToken');
    if (next === null || next === '' || next === token)
      throw failed(purpose, 'the server does not say where its list goes on');
    token = next;
  }
}

function objectOf(contents: Element, isEncoded: boolean): StoredObject | null {
  const key = textOf(contents, 'Key');
  const byteLength = Number(textOf(contents, 'Size') ?? NaN);
  const modified = Date.parse(textOf(contents, 'LastModified') ?? '');
  if (key === null || !Number.isSafeInteger(byteLength) || byteLength < 0 || Number.isNaN(modified)) return null;
  try {
    const plain = isEncoded ? decodeURIComponent(key.replaceAll('+', '%20')) : key;
    return { key: plain, byteLength, modified, etag: textOf(contents, 'ETag') };
  } catch {
    return null;
  }
}

/** Others, such as `folder/`, are no objects of a store. */
function isKey(key: string): boolean {
  try {
    checkKey(key);
    return true;
  } catch {
    return false;
  }
}
