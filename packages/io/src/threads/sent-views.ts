// Messages without views. Deno's ports of threads look at each item of an array that is sent, a hundred times as long
// as the array's memory takes to be copied: there a view goes as its memory, and is made again on the other side. And
// what arrives is of this realm.
import { ofThisRealm } from '../memory/this-realm.ts';

/** Whether messages should have no views. */
const AVOIDS_VIEWS = 'Deno' in globalThis;

type View = ArrayBufferView;
type ViewKind = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => View;

/** A view on its way: text keys that no other message has. */
interface SentView {
  readonly '\0view': string;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  /** Items; of a DataView bytes. */
  readonly length: number;
}

/** What is sent in place of a message, which `receivedViews` makes the same again. */
export function sentViews(message: unknown, avoids = AVOIDS_VIEWS): unknown {
  return avoids ? mapped(message, sentView, new Map()) : message;
}

export function receivedViews(message: unknown, avoids = AVOIDS_VIEWS): unknown {
  if (avoids) return mapped(message, receivedView, new Map());
  return isOfAnother(message) ? mapped(message, ownView, new Map()) : message;
}

/**
 * Messages are of Node's realm. That of a program in a context of node:vm is another (Jest), and so is `Uint8Array`
 * alone where tests run in jsdom (Vitest).
 */
function isOfAnother(message: unknown): boolean {
  return Array.isArray(message) && !(message instanceof Array && Buffer.prototype instanceof Uint8Array);
}

/** Undefined: it is no view, and goes as it is. */
function sentView(value: object): SentView | undefined {
  if (!ArrayBuffer.isView(value)) return undefined;
  const { buffer, byteOffset, byteLength } = value;
  // Also of a class of somebody's own (Buffer), which arrives as what it is made of, as without this.
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  const length = 'length' in value ? (value.length as number) : byteLength;
  return { '\0view': kind, buffer, byteOffset, length };
}

function receivedView(value: object): View | undefined {
  if (!('\0view' in value)) return undefined;
  const { '\0view': kind, buffer, byteOffset, length } = value as SentView;
  const Kind = (globalThis as unknown as Record<string, ViewKind>)[kind] as ViewKind;
  return new Kind(buffer, byteOffset, length);
}

function ownView(value: object): object | undefined {
  const own = ofThisRealm(value);
  return own === value ? undefined : own;
}

/** A copy of arrays and plain objects in which views are replaced; what occurs twice, or in itself, does so again. */
function mapped(value: unknown, replaced: (value: object) => object | undefined, known: Map<object, object>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const before = known.get(value) ?? replaced(value);
  if (before !== undefined) {
    known.set(value, before);
    return before;
  }
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    known.set(value, copy);
    for (const item of value) copy.push(mapped(item, replaced, known));
    return copy;
  }
  if (!isPlain(value)) return value;
  const copy: Record<string, unknown> = {};
  known.set(value, copy);
  for (const [key, item] of Object.entries(value))
    Object.defineProperty(copy, key, {
      value: mapped(item, replaced, known),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  return copy;
}

/** In any realm: nothing is above `Object`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
