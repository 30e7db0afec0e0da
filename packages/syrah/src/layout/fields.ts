// What metadata says in either form; its documents: their elements, and the fields of one by name.
import type { Work } from '@colkit/io/effects';
import type { ArrayIndex } from './array-index.ts';
import { readElements } from './bson.ts';
import type { BsonElement } from './bson.ts';
import { BSON_DOCUMENT } from './constants.ts';
import type { StoredDType } from './dtype.ts';
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

export function* readTopLevel(metadata: MetadataBytes, limit: number, what: string): Work<BsonElement[]> {
  const { length } = metadata.bytes;
  const elements = yield* readElements(metadata, 0, length, { types: [BSON_DOCUMENT], limit, what });
  const declared = metadata.view.getInt32(0, true);
  if (declared !== length)
    throw metadata.corrupt(0, `a document of ${String(length)} bytes, as the header says`, String(declared));
  return elements;
}

export function field(
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
