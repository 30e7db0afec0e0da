// Arrays of numbers of 128 bits, as doubles.
import type { RandomAccessSource } from '@colkit/io';
import { ReadRange } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { StoredArray } from '../../layout/array-index.ts';
import type { SyrahArray } from '../../layout/dtype.ts';
import { float128ToFloat64 } from '../../layout/float128.ts';
import { outputBytes } from '../array-values.ts';

export function* readFloat128(
  source: RandomAccessSource,
  { byteOffset, byteLength }: StoredArray,
  out: SyrahArray | undefined,
): Work<Float64Array> {
  const raw = new Uint8Array(byteLength);
  if (out !== undefined) outputBytes(out, 'float64', byteLength / 2);
  const values = out === undefined ? new Float64Array(byteLength / 16) : (out as Float64Array);
  if (byteLength > 0) yield new ReadRange(source, byteOffset, raw);
  float128ToFloat64(raw, values);
  return values;
}
