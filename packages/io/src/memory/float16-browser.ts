// The same names as float16.ts for browsers, which have such arrays since 2025 (Chrome 135, Firefox 129, Safari 18.2):
// no ponyfill is shipped. Whoever has to serve older ones assigns one to `globalThis.Float16Array` first.
import { UnsupportedError } from '../errors/errors.ts';
import type { Float16ArrayLike } from '../values/dtype.ts';
import type { TypedArrayConstructor } from './align.ts';

/** Also a ponyfill's, which is no view to `ArrayBuffer.isView`. */
export function isFloat16Array(array: unknown): array is Float16ArrayLike {
  return typeof array === 'object' && array !== null && Reflect.get(array, Symbol.toStringTag) === 'Float16Array';
}

function NoFloat16Array(): never {
  throw new UnsupportedError(
    'ERR_FEATURE',
    'float16',
    'this browser has no Float16Array: assign one to globalThis.Float16Array (npm has @petamoriken/float16) ' +
      'before this package is imported',
  );
}
NoFloat16Array.BYTES_PER_ELEMENT = 2;

/** The browser's half-precision array; where it has none, what refuses to be made and says what to do. */
export const Float16ArrayOfRuntime: TypedArrayConstructor<Float16ArrayLike> =
  (globalThis as { Float16Array?: TypedArrayConstructor<Float16ArrayLike> }).Float16Array ??
  (NoFloat16Array as unknown as TypedArrayConstructor<Float16ArrayLike>);
