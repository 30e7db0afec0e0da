// The same names as in half-numbers.ts for browsers, whose arrays of halves are as quick as others.
import { Float16ArrayOfRuntime } from './float16.ts';
import type { Float16ArrayLike } from '../values/dtype.ts';

export function numbersOfHalves(array: Float16ArrayLike): ArrayLike<number> {
  return array;
}

export function writeHalves(values: ArrayLike<number>, out: Float16ArrayLike): void {
  out.set(values);
}

export function roundToHalf(value: number): number {
  return new (Float16ArrayOfRuntime as unknown as Float64ArrayConstructor)([value])[0] as number;
}
