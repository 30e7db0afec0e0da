// The same names as in half-numbers.ts for browsers, whose arrays of halves are as quick as others.
import { Float16ArrayOfRuntime } from './float16.ts';
import type { Float16ArrayLike } from '../values/dtype.ts';

export function numbersOfHalves(array: Float16ArrayLike): ArrayLike<number> {
  return array;
}

export function halvesOfNumbers(values: ArrayLike<number>): Uint8Array {
  return new Uint8Array(halvesFrom(values).buffer);
}

export function roundToHalf(value: number): number {
  return halvesFrom([value])[0] as number;
}

const halvesFrom = (values: ArrayLike<number>): Float16ArrayLike =>
  new (Float16ArrayOfRuntime as unknown as new (values: ArrayLike<number>) => Float16ArrayLike)(values);
