// The one door to the `bson` package when reading: a document of the metadata -> its elements, located but not parsed
// (blobs stay where they are). Before the package sees a document, a walk over its structure has checked types,
// lengths, terminators and the number of elements, so that hostile bytes are refused before anything is allocated.
import { LimitError } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { elementsAt } from './bson-elements.ts';
import {
  BSON_BINARY,
  BSON_DOCUMENT,
  BSON_INT32,
  BSON_INT64,
  BSON_SMALLEST_DOCUMENT,
  BSON_STRING,
  NAME_LIMIT_BYTES,
} from './constants.ts';
import type { MetadataBytes } from './metadata-bytes.ts';

/** An element of a document: positions count from the start of the metadata. */
export interface BsonElement {
  readonly type: number;
  readonly name: string;
  /** The value, its length prefix included. */
  readonly start: number;
  readonly end: number;
}

/** What a document may hold. */
interface DocumentRules {
  readonly types: readonly number[];
  /** Most elements, and what they are in the error's words. */
  readonly limit: number;
  readonly what: string;
}

/** Strings of the metadata are dtype names. */
const STRING_LIMIT_BYTES = 256;
/** Type, a usual name, and the fixed part of a value. */
const USUAL_ELEMENT_BYTES = 128;
/**
 * Length and subtype of a binary value: the longest fixed part that is read before a value is skipped; integers need 8.
 */
const FIXED_PART_BYTES = 8;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The elements of the document at `start`, which must end at or before `limitEnd`, in file order.
 * @throws CorruptFileError ERR_METADATA, LimitError ERR_LIMIT.
 */
export function* readElements(
  metadata: MetadataBytes,
  start: number,
  limitEnd: number,
  rules: DocumentRules,
): Work<BsonElement[]> {
  yield* checkDocument(metadata, start, limitEnd, rules);
  const elements: BsonElement[] = [];
  const names = new Set<string>();
  for (const [type, nameOffset, nameLength, offset, length] of elementsAt(metadata.bytes, start)) {
    const name = decodeUtf8(metadata, nameOffset, nameOffset + nameLength);
    if (names.has(name)) throw metadata.corrupt(nameOffset, 'different names', `${JSON.stringify(name)} twice`);
    names.add(name);
    elements.push({ type, name, start: offset, end: offset + length });
  }
  return elements;
}

/**
 * The type of the first element of the document that is the first element's value, or 0 where there is none: what tells
 * the forms of metadata apart.
 */
export function* peekInnerType(metadata: MetadataBytes): Work<number> {
  yield* metadata.fill(0, USUAL_ELEMENT_BYTES);
  if (metadata.bytes[4] !== BSON_DOCUMENT) return 0;
  const inner = (yield* findNameEnd(metadata, BSON_SMALLEST_DOCUMENT, metadata.bytes.length)) + 1;
  yield* metadata.fill(inner, inner + BSON_SMALLEST_DOCUMENT);
  return metadata.bytes[inner + 4] ?? 0;
}

/** The bytes of a binary value of subtype 0, as positions. */
export function binaryRange(
  metadata: MetadataBytes,
  element: BsonElement,
): { readonly start: number; readonly end: number } {
  const subtype = metadata.bytes[element.start + 4];
  if (subtype !== 0) throw metadata.corrupt(element.start + 4, 'a binary of subtype 0', `subtype ${String(subtype)}`);
  return { start: element.start + 5, end: element.end };
}

export function stringValue(metadata: MetadataBytes, element: BsonElement): string {
  return decodeUtf8(metadata, element.start + 4, element.end - 1);
}

/** An int32 or int64. */
export function integerValue(metadata: MetadataBytes, element: BsonElement): number {
  if (element.type === BSON_INT32) return metadata.view.getInt32(element.start, true);
  return metadata.view.getInt32(element.start + 4, true) * 2 ** 32 + metadata.view.getUint32(element.start, true);
}

/** Walks the structure of one document, one level deep; what it has walked over is filled. */
function* checkDocument(metadata: MetadataBytes, start: number, limitEnd: number, rules: DocumentRules): Work<void> {
  const { bytes, view } = metadata;
  if (limitEnd - start < BSON_SMALLEST_DOCUMENT)
    throw metadata.corrupt(start, 'a BSON document', `${String(limitEnd - start)} bytes`);
  yield* metadata.fill(start, start + USUAL_ELEMENT_BYTES);
  const byteLength = view.getInt32(start, true);
  if (byteLength < BSON_SMALLEST_DOCUMENT || byteLength > limitEnd - start) {
    throw metadata.corrupt(
      start,
      `a BSON document of ${String(BSON_SMALLEST_DOCUMENT)} to ${String(limitEnd - start)} bytes`,
      String(byteLength),
    );
  }
  const last = start + byteLength - 1;
  let count = 0;
  for (let at = start + 4; ; ) {
    yield* metadata.fill(at, at + USUAL_ELEMENT_BYTES);
    const type = bytes[at] ?? 0;
    if (type === 0) {
      if (at !== last)
        throw metadata.corrupt(
          at,
          `the end of the document at byte ${String(metadata.fileOffset + last)}`,
          'its terminator here',
        );
      return;
    }
    if (at >= last) throw metadata.corrupt(last, 'a zero byte, the end of the document', String(type));
    if (!rules.types.includes(type))
      throw metadata.corrupt(at, `an element of BSON type ${rules.types.join(' or ')}`, `type ${String(type)}`);
    count += 1;
    if (count > rules.limit) throw new LimitError('ERR_LIMIT', `${metadata.path}: ${rules.what}`, rules.limit, count);
    const value = (yield* findNameEnd(metadata, at + 1, last)) + 1;
    yield* metadata.fill(value, value + FIXED_PART_BYTES);
    const valueBytes = valueLength(metadata, type, value, last);
    if (type === BSON_STRING) yield* metadata.fill(value, value + valueBytes);
    if (type === BSON_STRING && bytes[value + valueBytes - 1] !== 0)
      throw metadata.corrupt(value + valueBytes - 1, 'a zero byte, the end of the string', 'another byte');
    at = value + valueBytes;
  }
}

/** The position of the zero byte that ends the name at `from`; `last` is the document's own terminator. */
function* findNameEnd(metadata: MetadataBytes, from: number, last: number): Work<number> {
  for (let byteLength = USUAL_ELEMENT_BYTES; ; byteLength *= 4) {
    const end = Math.min(from + Math.min(byteLength, NAME_LIMIT_BYTES + 1), last);
    yield* metadata.fill(from, end);
    const found = metadata.bytes.subarray(from, end).indexOf(0);
    if (found !== -1) return from + found;
    if (end < from + byteLength)
      throw metadata.corrupt(
        from,
        `a name of at most ${String(NAME_LIMIT_BYTES)} bytes that ends within the document`,
        'no end',
      );
  }
}

/** The bytes that a value takes, its length prefix included; it ends before the document's terminator. */
function valueLength(metadata: MetadataBytes, type: number, at: number, last: number): number {
  const room = last - at;
  const fits = (byteLength: number, smallest: number): number => {
    if (byteLength >= smallest && byteLength <= room) return byteLength;
    throw metadata.corrupt(at, `a value of ${String(smallest)} to ${String(room)} bytes`, String(byteLength));
  };
  if (type === BSON_INT32) return fits(4, 4);
  if (type === BSON_INT64) return fits(8, 8);
  if (room < 4) throw metadata.corrupt(at, 'the length of a value', `${String(room)} bytes`);
  const declared = metadata.view.getInt32(at, true);
  switch (type) {
    case BSON_DOCUMENT:
      return fits(declared, BSON_SMALLEST_DOCUMENT);
    case BSON_BINARY:
      return fits(declared + 5, 5);
    case BSON_STRING:
      if (declared > STRING_LIMIT_BYTES)
        throw metadata.corrupt(at, `a string of at most ${String(STRING_LIMIT_BYTES)} bytes`, String(declared));
      return fits(declared + 4, 5);
    default:
      throw metadata.corrupt(at, 'a BSON type of this format', `type ${String(type)}`);
  }
}

function decodeUtf8(metadata: MetadataBytes, start: number, end: number): string {
  try {
    // A copy: browsers decode no shared memory.
    return utf8.decode(metadata.bytes.slice(start, end));
  } catch {
    throw metadata.corrupt(start, 'UTF-8 text', 'bytes that are not');
  }
}
