// The metadata of the oldest files: documents item by item, each array of which is described by itself.
import { LimitError } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { checkStoredArray } from '../array-index.ts';
import type { ArrayIndex, StoredArray } from '../array-index.ts';
import { integerValue, readElements, stringValue } from '../bson.ts';
import type { BsonElement } from '../bson.ts';
import {
  ARRAY_LIMIT_ITEM_BY_ITEM,
  BSON_DOCUMENT,
  BSON_INT32,
  BSON_INT64,
  BSON_STRING,
  FIELD_LIMIT,
  KEY_LIMIT,
} from '../constants.ts';
import { parseStoredDType } from '../dtype.ts';
import type { StoredDType } from '../dtype.ts';
import { field, readTopLevel } from '../fields.ts';
import type { Metadata } from '../fields.ts';
import type { MetadataBytes } from '../metadata-bytes.ts';

export function* readItemByItem(metadata: MetadataBytes): Work<Metadata> {
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

/** The index of the item-by-item forms: item i has the entries [starts[i], starts[i + 1]). */
export class EntryIndex implements ArrayIndex {
  readonly itemCount: number;
  readonly #starts: readonly number[];
  readonly #keys: readonly string[];
  readonly #arrays: readonly StoredArray[];

  constructor(starts: readonly number[], keys: readonly string[], storedArrays: readonly StoredArray[]) {
    this.itemCount = starts.length - 1;
    this.#starts = starts;
    this.#keys = keys;
    this.#arrays = storedArrays;
  }

  keysOf(item: number): readonly string[] {
    return this.#keys.slice(this.#starts[item], this.#starts[item + 1]);
  }

  isReady(): boolean {
    return true;
  }

  // eslint-disable-next-line require-yield -- everything was read when the file was opened
  *prepare(): Work<void> {
    return;
  }

  arrayOf(item: number, key: string): StoredArray | null {
    const end = this.#starts[item + 1] ?? 0;
    for (let entry = this.#starts[item] ?? end; entry < end; entry += 1)
      if (this.#keys[entry] === key) return this.#arrays[entry] ?? null;
    return null;
  }

  arraysOf(item: number): readonly StoredArray[] {
    return this.#arrays.slice(this.#starts[item], this.#starts[item + 1]);
  }
}
