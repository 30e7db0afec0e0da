// BSON as a tree that can be changed and written again with right lengths: the types that .syr metadata uses.
import { join, putNumber, viewOf } from '../run/bytes.ts';

export interface Element {
  type: number;
  name: Uint8Array;
  /** A document's elements, or the value's bytes behind its length (and its subtype, of binary values). */
  value: Element[] | Uint8Array;
  subtype: number;
}

export const STRING = 2;
export const DOCUMENT = 3;
export const BINARY = 5;
export const INT32 = 16;
export const INT64 = 18;

/** The elements of a sound document at `at`. */
export function parseBson(bytes: Uint8Array, at = 0): Element[] {
  const view = viewOf(bytes);
  const end = at + view.getInt32(at, true) - 1;
  const elements: Element[] = [];
  for (let position = at + 4; position < end; ) {
    const type = bytes[position] ?? 0;
    const nameEnd = bytes.indexOf(0, position + 1);
    const name = bytes.slice(position + 1, nameEnd);
    const start = nameEnd + 1;
    const length = type === INT32 || type === INT64 ? 0 : view.getInt32(start, true);
    const [from, to] =
      type === DOCUMENT
        ? [start, start + length]
        : type === BINARY
          ? [start + 5, start + 5 + length]
          : type === STRING
            ? [start + 4, start + 4 + length]
            : [start, start + (type === INT32 ? 4 : 8)];
    elements.push({
      type,
      name,
      value: type === DOCUMENT ? parseBson(bytes, start) : bytes.slice(from, to),
      subtype: type === BINARY ? (bytes[start + 4] ?? 0) : 0,
    });
    position = to;
  }
  return elements;
}

export function encodeBson(elements: readonly Element[]): Uint8Array {
  const parts = elements.map(({ type, name, value, subtype }) => {
    const body = Array.isArray(value) ? encodeBson(value) : value;
    const prefix = type === BINARY ? 5 : type === STRING ? 4 : 0;
    const head = new Uint8Array(prefix);
    if (prefix > 0) putNumber(head, 0, 4, BigInt(body.length));
    if (type === BINARY) head[4] = subtype;
    return join([Uint8Array.of(type), name, Uint8Array.of(0), head, body]);
  });
  const body = join(parts);
  const length = new Uint8Array(4);
  putNumber(length, 0, 4, BigInt(body.length + 5));
  return join([length, body, Uint8Array.of(0)]);
}
