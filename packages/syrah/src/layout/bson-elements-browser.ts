// The same name as bson-elements.ts for browsers, where the package would be larger than all of the reader: a walk over
// a document whose structure was checked (bson.ts), and which has only these types.
import { BSON_BINARY, BSON_DOCUMENT, BSON_INT32, BSON_INT64, BSON_STRING } from './constants.ts';
import type { BsonPosition } from './bson-elements.ts';

export function* elementsAt(bytes: Uint8Array, start: number): Iterable<BsonPosition> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = start + 4; ; ) {
    const type = bytes[at] as number;
    if (type === 0) return;
    const nameOffset = at + 1;
    const nameLength = bytes.indexOf(0, nameOffset) - nameOffset;
    const offset = nameOffset + nameLength + 1;
    const length = lengthOf(type, view, offset);
    yield [type, nameOffset, nameLength, offset, length];
    at = offset + length;
  }
}

/** Bytes of a value, its length prefix included. */
function lengthOf(type: number, view: DataView, offset: number): number {
  switch (type) {
    case BSON_INT32:
      return 4;
    case BSON_INT64:
      return 8;
    case BSON_DOCUMENT:
      return view.getInt32(offset, true);
    case BSON_STRING:
      return 4 + view.getInt32(offset, true);
    case BSON_BINARY:
      return 5 + view.getInt32(offset, true);
    default:
      throw new TypeError(`BSON type ${String(type)} passed the check`);
  }
}
