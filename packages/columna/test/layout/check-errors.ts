// What the tests of the layout's checks share: texts, bounds and the error of a damaged part.
import { expect } from 'vitest';

export const LOCATION = { path: 'x.cna', region: 'part', byteOffset: 1000 };

export const text = (value: string): Uint8Array => new TextEncoder().encode(value);

export function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

export const corruptAt = (byteOffset: number, code = 'ERR_METADATA', fields: object = {}): unknown =>
  expect.objectContaining({ name: 'CorruptFileError', path: 'x.cna', region: 'part', code, byteOffset, ...fields });
