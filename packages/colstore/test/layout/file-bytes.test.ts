// The bytes of a file as its layout takes them: what is at hand is not asked for again.
import { runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { describe, expect, it } from 'vitest';
import { FileBytes } from '../../src/layout/file-bytes.ts';
import { errorOf, recording } from '../support/files.ts';

const FILE = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7) % 251);

type ByteRange = Readonly<Record<'byteOffset' | 'byteLength', number>>;

describe('FileBytes', () => {
  const taken = (
    takes: readonly (readonly [byteOffset: number, byteLength: number, ahead?: number])[],
  ): readonly ByteRange[] => {
    const asked: { byteOffset: number; byteLength: number }[] = [];
    const work = function* (): Work<void> {
      const file = new FileBytes(recording(FILE, asked));
      for (const [byteOffset, byteLength, ahead] of takes) {
        const bytes = yield* file.take(byteOffset, byteLength, 'any', ahead);
        expect(bytes).toEqual(FILE.slice(byteOffset, byteOffset + byteLength));
      }
    };
    runSync(work());
    return asked;
  };

  it('serves what is at hand, from its first byte to its last', () => {
    expect(
      taken([
        [100, 4, 1000],
        [100, 1000],
        [200, 4],
        [1099, 1],
      ]),
    ).toEqual([{ byteOffset: 100, byteLength: 1000 }]);
  });

  it('asks for what lies before, behind or only partly within', () => {
    for (const [byteOffset, byteLength] of [
      [50, 4],
      [99, 2],
      [1099, 2],
      [1100, 4],
    ] as const) {
      expect(
        taken([
          [100, 4, 1000],
          [byteOffset, byteLength],
        ]),
      ).toEqual([
        { byteOffset: 100, byteLength: 1000 },
        { byteOffset, byteLength },
      ]);
    }
  });

  it('fetches ahead up to the end of the file, and refuses to go beyond it', () => {
    expect(taken([[4000, 4, 1000]])).toEqual([{ byteOffset: 4000, byteLength: 96 }]);
    expect(errorOf(() => taken([[4000, 97]]))).toMatchObject({
      code: 'ERR_TRUNCATED',
      region: 'any',
      byteOffset: 4000,
      expected: '97 bytes',
    });
  });
});
