// The BSON metadata of any form -> keys, item names and an index of arrays. From here on nobody asks which form it was.
import { CorruptFileError, LimitError } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { BlobIndex, EntryIndex, checkStoredArray } from './array-index.ts';
import type { ArrayIndex, StoredArray, KeyBlobs } from './array-index.ts';
import { binaryRange, integerValue, peekInnerType, readElements, stringValue } from './bson.ts';
import type { BsonElement } from './bson.ts';
import {
  ARRAY_LIMIT_ITEM_BY_ITEM,
  BSON_BINARY,
  BSON_DOCUMENT,
  BSON_INT32,
  BSON_INT64,
  BSON_STRING,
  FIELD_LIMIT,
  KEY_LIMIT,
} from './constants.ts';
import type { StoredDType, SyrahDType } from './dtype.ts';
import { isSyrahDType, parseStoredDType } from './dtype.ts';
import type { MetadataBytes } from './metadata-bytes.ts';

/** A key of a file: its name, and its dtype, or null where items differ in it (item-by-item files only). */
export interface KeyField {
  readonly name: string;
  readonly dtype: StoredDType | null;
}

export interface Metadata {
  readonly form: 'current' | 'item-by-item';
  readonly itemCount: number;
  readonly fields: readonly KeyField[];
  /** Only the item-by-item forms name their items. */
  readonly itemNames: readonly string[] | null;
  readonly index: ArrayIndex;
}

/** Reads as much of the metadata as is needed to know every key, dtype and count. */
export function* readMetadata(metadata: MetadataBytes): Work<Metadata> {
  const inner = yield* peekInnerType(metadata);
  const itemByItem = inner === BSON_DOCUMENT || (inner === 0 && metadata.bytes[4] === BSON_DOCUMENT);
  if (itemByItem) {
    yield* metadata.fillAll();
    return yield* readItemByItem(metadata);
  }
  return yield* readCurrent(metadata);
}

function* readTopLevel(metadata: MetadataBytes, limit: number, what: string): Work<BsonElement[]> {
  const { length } = metadata.bytes;
  const elements = yield* readElements(metadata, 0, length, { types: [BSON_DOCUMENT], limit, what });
  const declared = metadata.view.getInt32(0, true);
  if (declared !== length)
    throw metadata.corrupt(0, `a document of ${String(length)} bytes, as the header says`, String(declared));
  return elements;
}

function* readCurrent(metadata: MetadataBytes): Work<Metadata> {
  const keys: KeyBlobs[] = [];
  let itemCount = 0;
  for (const element of yield* readTopLevel(metadata, KEY_LIMIT, 'keys')) {
    const rules = {
      types: [BSON_BINARY, BSON_STRING, BSON_INT32, BSON_INT64, BSON_DOCUMENT],
      limit: FIELD_LIMIT,
      what: `fields of key ${JSON.stringify(element.name)}`,
    };
    const fields = yield* readElements(metadata, element.start, element.end, rules);
    const offsets = binaryRange(metadata, field(metadata, element, fields, 'offset', [BSON_BINARY]));
    const sizes = binaryRange(metadata, field(metadata, element, fields, 'size', [BSON_BINARY]));
    const dtype = stringValue(metadata, field(metadata, element, fields, 'dtype', [BSON_STRING]));
    const count = (offsets.end - offsets.start) / 8;
    if (keys.length === 0) itemCount = count;
    for (const [range, name] of [
      [offsets, 'offset'],
      [sizes, 'size'],
    ] as const) {
      const byteLength = range.end - range.start;
      if (byteLength === 8 * itemCount && Number.isInteger(itemCount)) continue;
      const expected = Number.isInteger(itemCount)
        ? `${String(8 * itemCount)} bytes of ${name}s, 8 for each item of the first key`
        : `a multiple of 8 bytes of ${name}s`;
      throw metadata.corrupt(range.start, expected, String(byteLength), element.name);
    }
    keys.push({
      name: element.name,
      dtype: currentDType(dtype, metadata.path),
      offsetsAt: offsets.start,
      sizesAt: sizes.start,
    });
  }
  const index = new BlobIndex(metadata, keys, itemCount);
  return {
    form: 'current',
    itemCount,
    fields: keys.map(({ name, dtype }) => ({ name, dtype })),
    itemNames: null,
    index,
  };
}

/** UCS-4 text was stored only before the first release, item by item. */
function currentDType(name: string, path: string): SyrahDType {
  if (isSyrahDType(name)) return name;
  const stored = parseStoredDType(name, path);
  throw new CorruptFileError('ERR_METADATA', {
    path,
    region: 'metadata',
    byteOffset: 0,
    expected: 'a dtype of the current form',
    found: stored,
  });
}

function* readItemByItem(metadata: MetadataBytes): Work<Metadata> {
  const items = yield* readTopLevel(metadata, ARRAY_LIMIT_ITEM_BY_ITEM, 'items described one by one');
  const starts = [0];
  const keys: string[] = [];
  const arrays: StoredArray[] = [];
  const dtypes = new Map<string, StoredDType | null>();
  for (const item of items) {
    const rules = { types: [BSON_DOCUMENT], limit: KEY_LIMIT, what: `keys of item ${JSON.stringify(item.name)}` };
    for (const key of yield* readElements(metadata, item.start, item.end, rules)) {
      const array = yield* readEntry(metadata, item, key);
      const known = dtypes.get(key.name);
      dtypes.set(key.name, known === undefined || known === array.dtype ? array.dtype : null);
      keys.push(key.name);
      arrays.push(array);
    }
    if (arrays.length > ARRAY_LIMIT_ITEM_BY_ITEM)
      throw new LimitError(
        'ERR_LIMIT',
        `${metadata.path}: arrays described one by one`,
        ARRAY_LIMIT_ITEM_BY_ITEM,
        arrays.length,
      );
    starts.push(arrays.length);
  }
  return {
    form: 'item-by-item',
    itemCount: items.length,
    fields: [...dtypes].map(([name, dtype]) => ({ name, dtype })),
    itemNames: items.map(({ name }) => name),
    index: new EntryIndex(starts, keys, arrays),
  };
}

function* readEntry(metadata: MetadataBytes, item: BsonElement, key: BsonElement): Work<StoredArray> {
  const rules = {
    types: [BSON_STRING, BSON_INT32, BSON_INT64],
    limit: FIELD_LIMIT,
    what: `fields of key ${JSON.stringify(key.name)}`,
  };
  const fields = yield* readElements(metadata, key.start, key.end, rules);
  const dtype = parseStoredDType(
    stringValue(metadata, field(metadata, key, fields, 'dtype', [BSON_STRING])),
    metadata.path,
  );
  const byteOffset = integerValue(metadata, field(metadata, key, fields, 'offset', [BSON_INT32, BSON_INT64]));
  const byteLength = integerValue(metadata, field(metadata, key, fields, 'size', [BSON_INT32, BSON_INT64]));
  const array = { dtype, byteOffset, byteLength };
  checkStoredArray(
    array,
    metadata.fileOffset,
    metadata.path,
    JSON.stringify(item.name),
    key.name,
    metadata.fileOffset + key.start,
  );
  return array;
}

function field(
  metadata: MetadataBytes,
  key: BsonElement,
  fields: readonly BsonElement[],
  name: string,
  types: readonly number[],
): BsonElement {
  const found = fields.find((element) => element.name === name);
  if (found === undefined)
    throw metadata.corrupt(
      key.start,
      `a field ${JSON.stringify(name)}`,
      fields.map((element) => JSON.stringify(element.name)).join(', ') || 'none',
      key.name,
    );
  if (!types.includes(found.type))
    throw metadata.corrupt(
      found.start,
      `${name} of BSON type ${types.join(' or ')}`,
      `type ${String(found.type)}`,
      key.name,
    );
  return found;
}
