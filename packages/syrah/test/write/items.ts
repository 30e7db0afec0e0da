// What the tests of the writer share: items.
import type { Work } from '@colkit/io/effects';

export function* nothing(): Work<void> {}

export const item = (i: number): Record<string, Int32Array | Float32Array> => ({
  label: Int32Array.of(i),
  x: new Float32Array(i % 4).fill(i),
});
