// .syr files by hand, byte for byte: what the tests give the reader without asking the writer. BSON is put together
// here on its own, from the format's description.
import { Buffer } from 'node:buffer';

export type Part = Uint8Array | readonly number[];

export const concat = (...parts: readonly Part[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Uint8Array.from(part))));
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function i32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return new Uint8Array(bytes);
}

export function i64(value: number | bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return new Uint8Array(bytes);
}

export const cstring = (text: string): Uint8Array => concat(utf8(text), [0]);
/** A document of elements; `length` overrides what it declares. */
export const doc = (...elements: readonly Part[]): Uint8Array => {
  const body = concat(...elements);
  return concat(i32(body.length + 5), body, [0]);
};
export const docField = (name: string, document: Uint8Array): Uint8Array => concat([3], cstring(name), document);
export const text = (name: string, value: string): Uint8Array =>
  concat([2], cstring(name), i32(utf8(value).length + 1), cstring(value));
export const binary = (name: string, bytes: Part, subtype = 0): Uint8Array =>
  concat([5], cstring(name), i32(bytes.length), [subtype], bytes);
export const int32 = (name: string, value: number): Uint8Array => concat([0x10], cstring(name), i32(value));
export const int64 = (name: string, value: number | bigint): Uint8Array => concat([0x12], cstring(name), i64(value));
export const i64s = (values: readonly (number | bigint)[]): Uint8Array => concat(...values.map(i64));

/** A key of the current form. */
export function key(
  name: string,
  dtype: string,
  offsets: readonly (number | bigint)[],
  sizes: readonly (number | bigint)[],
): Uint8Array {
  return docField(name, doc(binary('offset', i64s(offsets)), binary('size', i64s(sizes)), text('dtype', dtype)));
}

/** A key of an item of the older forms. */
export function entry(name: string, dtype: string, offset: number, size: number): Uint8Array {
  return docField(name, doc(text('dtype', dtype), int32('offset', offset), int32('size', size)));
}

/** A whole file: data from byte 22 on, then the metadata. */
export function file(
  data: Part,
  metadata: Part,
  { version = [0, 0, 2, 0], magicLast = false }: { version?: readonly number[]; magicLast?: boolean } = {},
): Uint8Array {
  const fields = concat(i64(22 + data.length), i64(metadata.length));
  const header = magicLast ? concat(version, fields, [0x47, 0x53]) : concat([0x47, 0x53], version, fields);
  return concat(header, data, metadata);
}
