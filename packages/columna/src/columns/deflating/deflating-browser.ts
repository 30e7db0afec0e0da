// The same names as deflating.ts, by the package fflate, which is loaded when pages are first encoded: what browsers
// have (CompressionStream) works asynchronously only, and knows neither levels nor histories.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';

export const part = new LazyPart(() => import('./fflate.ts'));

/** The levels mean the same as in zlib; a body may take a few per cent more bytes. */
export function deflate(bytes: Uint8Array, level: number): Uint8Array {
  return part.loaded.deflateSync(bytes, { level: level as Level });
}

export function deflateBlock(bytes: Uint8Array, level: number, history: Uint8Array | null): Uint8Array {
  return part.loaded.deflateSync(bytes, {
    level: level as Level,
    ...(history !== null && { dictionary: history }),
  });
}

type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export function* loadDeflating(): Work<void> {
  yield* part.use();
}
