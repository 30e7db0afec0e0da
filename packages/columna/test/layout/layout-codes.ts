// What the tests of the layout share: texts and codes of errors.
import { CorruptFileError, UnsupportedError } from '@colkit/io';

export const LOCATION = { path: 'x.cna', region: 'part', byteOffset: 1000 };

export const text = (value: string) => new TextEncoder().encode(value);

export const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof CorruptFileError || error instanceof UnsupportedError) return error.code;
    throw error;
  }
  return 'none';
};
