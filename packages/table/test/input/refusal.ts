// What the tests of input share: the types that an input has, and the error that refuses it.
import { ColkitError } from '@colkit/io';
import { toInputColumns } from '../../src/index.ts';
import type { InputOptions, TableInput } from '../../src/index.ts';

export const types = (input: TableInput, options?: InputOptions) =>
  toInputColumns(input, options).fields.map(({ name, dtype, nullable }) => `${name}: ${dtype}${nullable ? '?' : ''}`);

export function refusal(run: () => unknown): ColkitError {
  try {
    run();
  } catch (error) {
    if (error instanceof ColkitError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
