// What the tests of the reader's checks share: bytes -> their layout, or the error that refuses them.
import { ReadRange } from '@colkit/io/effects';
import type { RangeSource, Work } from '@colkit/io/effects';
import { expect } from 'vitest';
import { readLayout } from '../../src/layout/read-layout.ts';
import type { FileLayout } from '../../src/layout/read-layout.ts';
import { file } from '@colkit/testkit/syr-bytes';
import type { Part } from '@colkit/testkit/syr-bytes';

export interface Asked {
  readonly byteOffset: number;
  readonly byteLength: number;
}

/** Feeds steps from bytes; a step that asks for nothing, or outside the file, fails the test. */
export function runOver<T>(steps: Work<T>, bytes: Uint8Array, asked: Asked[] = []): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (!(step.value instanceof ReadRange)) throw new Error('another effect than the read of a range');
    const { byteOffset, out } = step.value;
    if (byteOffset < 0 || out.length === 0 || byteOffset + out.length > bytes.length)
      throw new Error(`asked for ${String(out.length)} bytes at ${String(byteOffset)} of ${String(bytes.length)}`);
    asked.push({ byteOffset, byteLength: out.length });
    out.set(bytes.subarray(byteOffset, byteOffset + out.length));
  }
}

/** A source that nobody reads: `runOver` fills the ranges. */
export const unread = (byteLength: number): RangeSource => ({
  path: 'x.syr',
  byteLength,
  read: () => Promise.reject(new Error('read')),
  readSync: () => {
    throw new Error('read');
  },
});

export const layoutOf = (bytes: Uint8Array, piecewise = false): FileLayout =>
  runOver(readLayout(unread(bytes.length), { piecewise }), bytes);

export const arraysOf = (bytes: Uint8Array, item: number): unknown => layoutOf(bytes).index.arraysOf(item);

export function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

export const DATA = Uint8Array.from({ length: 32 }, (_, k) => k);

/** Where the metadata of a file with that data starts. */
export const AT = 22 + DATA.length;

export const refused = (metadata: Part): unknown => errorOf(() => layoutOf(file(DATA, metadata)));

export const metadataError = (position: number, fields: object = {}): unknown =>
  expect.objectContaining({
    name: 'CorruptFileError',
    code: 'ERR_METADATA',
    path: 'x.syr',
    region: 'metadata',
    byteOffset: AT + position,
    ...fields,
  });
