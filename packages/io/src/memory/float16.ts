// Arrays of half-precision floats: the runtime's where it has them, else a ponyfill's.
import { Float16Array as PonyfillFloat16Array, isFloat16Array } from '@petamoriken/float16';
import type { Float16ArrayLike } from '../values/dtype.ts';
import type { TypedArrayConstructor } from './align.ts';

export { isFloat16Array };

/** The runtime's half-precision array where there is one, else the ponyfill's. */
export const Float16ArrayOfRuntime: TypedArrayConstructor<Float16ArrayLike> =
  (globalThis as { Float16Array?: TypedArrayConstructor<Float16ArrayLike> }).Float16Array ?? PonyfillFloat16Array;
