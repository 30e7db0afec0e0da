// The end of every switch over a union: the compiler proves that it is not reached, and a value that breaks its type at
// run time is reported instead of ignored.
import { ArgumentError } from './errors.ts';

/** Never returns. @throws ArgumentError ERR_ARGUMENT naming the value that no case handles. */
export function assertNever(value: never): never {
  throw new ArgumentError('ERR_ARGUMENT', 'value', 'one of the known kinds', describe(value));
}

function describe(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : typeof value === 'object' && value !== null
      ? 'an object'
      : String(value);
}
