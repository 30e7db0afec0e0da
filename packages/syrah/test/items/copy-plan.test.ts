// How arrays are copied: one read where one shift aligns them all, else one place each; always one allocation.
import { MemorySource } from '@colkit/io';
import { CountingSource } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planItemCopy } from '../../src/items/copy-plan.ts';
import { openSync } from '../../src/index.ts';
import type { ArrayPlace } from '../../src/layout/array-index.ts';
import { elementBytesOf, itemBytesOf } from '../../src/layout/dtype.ts';
import type { SyrahDType } from '../../src/layout/dtype.ts';
import { doc, file, key } from '@colkit/testkit/syr-bytes';

const place = (dtype: SyrahDType, byteOffset: number, count: number): ArrayPlace => ({
  dtype,
  byteOffset,
  byteLength: count * itemBytesOf(dtype),
});
const SOURCE = new MemorySource(new Uint8Array(0));
const numberOfReads = (...places: ArrayPlace[]): number => planItemCopy(SOURCE, places, false).ranges.length;

describe('planItemCopy', () => {
  test.each<[string, ArrayPlace[], number]>([
    ['back to back, aligned', [place('int64', 22, 1), place('float64', 30, 100)], 1],
    ['back to back, at an odd byte', [place('float32', 23, 3), place('float64', 35, 2)], 1],
    ['padding between', [place('uint8', 24, 3), place('float64', 32, 2)], 1],
    [
      'alignments that no shift serves',
      [place('uint8', 22, 3), place('float64', 25, 2), place('int16', 41, 1), place('float64', 43, 1)],
      4,
    ],
    ['far apart', [place('float64', 22, 1), place('float64', 1000, 1)], 2],
    ['in another order than in the file', [place('float64', 100, 1), place('float64', 22, 1)], 2],
    ['overlapping', [place('float64', 22, 2), place('float64', 30, 2)], 2],
    ['empty arrays take no read', [place('float64', 22, 0), place('str', 22, 0)], 0],
    ['empty arrays between', [place('float64', 22, 1), place('float64', 5000, 0), place('int8', 30, 5)], 1],
    [
      'text and raw float128 need no alignment',
      [place('str', 22, 3), place('float128', 25, 1), place('uint8', 41, 1)],
      1,
    ],
    ['nothing', [], 0],
  ])('%s', (_, places, reads) => {
    expect(numberOfReads(...places)).toBe(reads);
  });

  test('any places: every array is aligned, filled from its place, apart from the others, and in one buffer', () => {
    const arbitraryPlace = fc.record({
      dtype: fc.constantFrom<SyrahDType>('int8', 'int16', 'float32', 'float64', 'float128', 'str'),
      byteOffset: fc.integer({ min: 22, max: 400 }),
      count: fc.integer({ min: 0, max: 5 }),
    });
    const bytes = Uint8Array.from({ length: 1000 }, (_, k) => k * 7);
    const backToBack = fc
      .array(
        fc.record({
          dtype: fc.constantFrom<SyrahDType>('uint8', 'int16', 'float32', 'float64'),
          count: fc.integer({ min: 0, max: 5 }),
          gap: fc.constantFrom(0, 0, 0, 1, 7),
        }),
      )
      .map((parts) => {
        let at = 22;
        return parts.map(({ dtype, count, gap }) => {
          const next = place(dtype, at + gap, count);
          at = next.byteOffset + next.byteLength;
          return next;
        });
      });
    const anywhere = fc.array(arbitraryPlace.map(({ dtype, byteOffset, count }) => place(dtype, byteOffset, count)));
    fc.assert(
      fc.property(fc.oneof(anywhere, backToBack), fc.boolean(), (places, transferable) => {
        const plan = planItemCopy(SOURCE, places, transferable);
        for (const { byteOffset, out } of plan.ranges) {
          expect(out.buffer).toBe(plan.buffer);
          out.set(bytes.subarray(byteOffset, byteOffset + out.length));
        }
        for (const [k, { dtype, byteOffset, byteLength }] of places.entries()) {
          const start = plan.starts[k]!;
          expect(start % elementBytesOf(dtype)).toBe(0);
          expect(Array.from(new Uint8Array(plan.buffer, start, byteLength))).toEqual(
            Array.from(bytes.subarray(byteOffset, byteOffset + byteLength)),
          );
        }
      }),
    );
  });
});

test('an item of back-to-back arrays is one read of exactly its bytes', () => {
  const bytes = file(
    new Uint8Array(100),
    doc(key('a', 'float32', [22, 72], [8, 8]), key('b', 'float64', [30, 80], [40, 40])),
  );
  const source = new CountingSource(new MemorySource(bytes));
  const opened = openSync(source);
  source.reset();
  opened.getItemSync(1);
  expect(source.reads).toEqual([{ kind: 'read', byteOffset: 72, byteLength: 48 }]);
  source.reset();
  opened.getArraySync(0, 'b');
  expect(source.reads).toEqual([{ kind: 'read', byteOffset: 30, byteLength: 40 }]);
});

test('consecutive arrays of one key are one read when gathered', () => {
  const offsets = Array.from({ length: 10 }, (_, i) => 22 + 8 * i);
  const source = new CountingSource(
    new MemorySource(
      file(
        new Uint8Array(80),
        doc(
          key(
            'a',
            'float64',
            offsets,
            offsets.map(() => 8),
          ),
        ),
      ),
    ),
  );
  const opened = openSync(source);
  source.reset();
  opened.gatherItemsSync([2, 3, 4, 5], 'a');
  expect(source.reads).toEqual([{ kind: 'read', byteOffset: 38, byteLength: 32 }]);
});
