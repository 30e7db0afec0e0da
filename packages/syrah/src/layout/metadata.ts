// The BSON metadata of any form -> keys, item names and an index of arrays. From here on nobody asks which form it was.
import { CorruptFileError } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { BlobIndex } from './array-index.ts';
import type { KeyBlobs } from './array-index.ts';
import { field, readTopLevel } from './fields.ts';
import type { Metadata } from './fields.ts';
import { readItemByItem } from './item-by-item/reading.ts';
import { binaryRange, peekInnerType, readElements, stringValue } from './bson.ts';
import {
  BSON_BINARY,
  BSON_DOCUMENT,
  BSON_INT32,
  BSON_INT64,
  BSON_STRING,
  FIELD_LIMIT,
  KEY_LIMIT,
} from './constants.ts';
import type { SyrahDType } from './dtype.ts';
import { isSyrahDType, parseStoredDType } from './dtype.ts';
import type { MetadataBytes } from './metadata-bytes.ts';

export type { KeyField, Metadata } from './fields.ts';

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
