// Batches between threads. Arrays travel as they are, their buffers transferred where this package allocated them;
// half-precision arrays of the ponyfill, which cannot be cloned, travel as their bits.
import { bytesOfArray, dtypeOfArray, parseDType, typedArrayOver } from '@colkit/io';
import type { SyrahHandle } from '../../items/handle.ts';
import type { SyrahArray } from '../../layout/dtype.ts';
import type { CollateSpec } from '../collate.ts';

/** What a worker starts with. */
export interface WorkerStart {
  readonly parts: readonly { readonly handle: SyrahHandle; readonly keys: readonly string[] }[];
  readonly processModule: string | null;
  readonly collate: CollateSpec | null;
  readonly seed: number;
}

const HALVES = '$syrah:float16';

/** A value that postMessage can send. */
export function packValue(value: unknown): unknown {
  if (dtypeOfArray(value) === 'float16') return { [HALVES]: bytesOfArray(value as SyrahArray) };
  if (Array.isArray(value)) return value.map(packValue);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, packValue(inner)]));
}

export function unpackValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpackValue);
  if (!isPlain(value)) return value;
  const halves = value[HALVES];
  if (halves instanceof Uint8Array) return typedArrayOver(parseDType('float16'), halves);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unpackValue(inner)]));
}

/** The buffers of all arrays in a value, each once. */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (Array.isArray(value)) for (const inner of value) buffersOf(inner, found);
  else if (isPlain(value)) for (const inner of Object.values(value)) buffersOf(inner, found);
  return found;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
