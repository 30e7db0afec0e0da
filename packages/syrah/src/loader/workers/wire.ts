// Batches between threads. Arrays travel as they are, their buffers transferred where this package allocated them;
// half-precision arrays of the ponyfill, which cannot be cloned, travel as their bits.
import { bytesOfArray, dtypeOfArray, parseDType, typedArrayOver } from '@colkit/io';
import type { SyrahHandle } from '../../items/handle.ts';
import type { SyrahArray } from '../../layout/dtype.ts';
import type { SyrahShardsHandle } from '../../shards/shards-handle.ts';
import type { CastSpec } from '../cast/cast-spec.ts';
import type { CollateSpec } from '../collate.ts';

/** What a worker starts with. */
export interface WorkerStart {
  readonly parts: readonly {
    readonly handle: SyrahHandle | SyrahShardsHandle;
    readonly keys: readonly string[];
  }[];
  readonly processModule: string | null;
  readonly collate: CollateSpec | null;
  readonly cast: CastSpec | null;
  readonly seed: number;
}

const HALVES = '$syrah:float16';

/** A value that postMessage can send: the same one where nothing in it has to be packed. */
export function packValue(value: unknown): unknown {
  if (dtypeOfArray(value) === 'float16') return { [HALVES]: bytesOfArray(value as SyrahArray) };
  return withEach(value, packValue);
}

export function unpackValue(value: unknown): unknown {
  if (isPlain(value)) {
    const halves = value[HALVES];
    if (halves instanceof Uint8Array) return typedArrayOver(parseDType('float16'), halves);
  }
  return withEach(value, unpackValue);
}

/** What is in an array or a plain object, changed: a copy of it where anything is. */
function withEach(value: unknown, change: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    const changed = value.map(change);
    return changed.every((inner, k) => inner === value[k]) ? value : changed;
  }
  if (!isPlain(value)) return value;
  const keys = Object.keys(value);
  const changed = keys.map((key) => change(value[key]));
  return changed.every((inner, k) => inner === value[keys[k] as string])
    ? value
    : Object.fromEntries(keys.map((key, k) => [key, changed[k]]));
}

/** The buffers of all arrays in a value, each once. */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (Array.isArray(value)) for (const inner of value) buffersOf(inner, found);
  else if (isPlain(value)) for (const inner of Object.values(value)) buffersOf(inner, found);
  return found;
}

/** In any realm: nothing is above `Object`. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
