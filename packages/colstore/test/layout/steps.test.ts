// What the steps ask for, what they are handed, and that bytes at hand are not asked for again.
import type { RandomAccessSource } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { FileBytes, runSteps, runStepsSync } from '../../src/layout/steps.ts';
import type { ByteRange, Steps } from '../../src/layout/steps.ts';
import { errorOf, runOver } from '../support/files.ts';

const FILE = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7) % 251);

function* rangesOf(ranges: readonly ByteRange[]): Steps<readonly Uint8Array[]> {
  const found: Uint8Array[] = [];
  for (const range of ranges) found.push(yield range);
  return found;
}

describe('steps over a source', () => {
  const ranges = [{ byteOffset: 5, byteLength: 3 }, { byteOffset: 4000, byteLength: 96 }];
  const expected = ranges.map(({ byteOffset, byteLength }) => FILE.slice(byteOffset, byteOffset + byteLength));

  it('are run to their result, in either form, with the signal of the call', async () => {
    const signals: unknown[] = [];
    const fill = (byteOffset: number, out: Uint8Array): void => out.set(FILE.subarray(byteOffset, byteOffset + out.length));
    const read = (byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> => Promise.resolve(signals.push(signal)).then(() => fill(byteOffset, out));
    const source = { path: 'steps', byteLength: FILE.length, read, readSync: fill } as unknown as RandomAccessSource;
    const { signal } = new AbortController();
    expect(await runSteps(rangesOf(ranges), source, signal)).toEqual(expected);
    expect(signals).toEqual([signal, signal]);
    expect(runStepsSync(rangesOf(ranges), source)).toEqual(expected);
  });
});

describe('FileBytes', () => {
  const taken = (takes: readonly (readonly [byteOffset: number, byteLength: number, ahead?: number])[]): readonly ByteRange[] => {
    const asked: ByteRange[] = [];
    const steps = function* (): Steps<void> {
      const file = new FileBytes('steps', FILE.length);
      for (const [byteOffset, byteLength, ahead] of takes) {
        const bytes = yield* file.take(byteOffset, byteLength, 'any', ahead);
        expect(bytes).toEqual(FILE.slice(byteOffset, byteOffset + byteLength));
      }
    };
    runOver(steps(), FILE, asked);
    return asked;
  };

  it('serves what is at hand, from its first byte to its last', () => {
    expect(taken([[100, 4, 1000], [100, 1000], [200, 4], [1099, 1]])).toEqual([{ byteOffset: 100, byteLength: 1000 }]);
  });

  it('asks for what lies before, behind or only partly within', () => {
    for (const [byteOffset, byteLength] of [[50, 4], [99, 2], [1099, 2], [1100, 4]] as const) {
      expect(taken([[100, 4, 1000], [byteOffset, byteLength]])).toEqual([{ byteOffset: 100, byteLength: 1000 }, { byteOffset, byteLength }]);
    }
  });

  it('fetches ahead up to the end of the file, and refuses to go beyond it', () => {
    expect(taken([[4000, 4, 1000]])).toEqual([{ byteOffset: 4000, byteLength: 96 }]);
    expect(errorOf(() => taken([[4000, 97]]))).toMatchObject({ code: 'ERR_TRUNCATED', region: 'any', byteOffset: 4000, expected: '97 bytes' });
  });
});
