// How arrays are copied: one read where one shift aligns them all, else one range each; always one allocation.
import { MemorySource } from '@colkit/io';
import { CountingSource } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planItemCopy } from '../../src/items/copy-plan.ts';
import { openSync } from '../../src/index.ts';
import type { StoredArray } from '../../src/layout/array-index.ts';
import { elementBytesOf, itemBytesOf } from '../../src/layout/dtype.ts';
import type { SyrahDType } from '../../src/layout/dtype.ts';
import { doc, file, key } from '@colkit/testkit/syr-bytes';

const arrayOf = (dtype: SyrahDType, byteOffset: number, count: number): StoredArray => ({
  dtype,
  byteOffset,
  byteLength: count * itemBytesOf(dtype),
});
const SOURCE = new MemorySource(new Uint8Array(0));
const numberOfReads = (...arrays: StoredArray[]): number => planItemCopy(SOURCE, arrays, false).ranges.length;

describe('planItemCopy', () => {
  test.each<[string, StoredArray[], number]>([
    ['back to back, aligned', [arrayOf('int64', 22, 1), arrayOf('float64', 30, 100)], 1],
    ['back to back, at an odd byte', [arrayOf('float32', 23, 3), arrayOf('float64', 35, 2)], 1],
    ['padding between', [arrayOf('uint8', 24, 3), arrayOf('float64', 32, 2)], 1],
    [
      'alignments that no shift serves',
      [arrayOf('uint8', 22, 3), arrayOf('float64', 25, 2), arrayOf('int16', 41, 1), arrayOf('float64', 43, 1)],
      4,
    ],
    ['far apart', [arrayOf('float64', 22, 1), arrayOf('float64', 1000, 1)], 2],
    ['in another order than in the file', [arrayOf('float64', 100, 1), arrayOf('float64', 22, 1)], 2],
    ['overlapping', [arrayOf('float64', 22, 2), arrayOf('float64', 30, 2)], 2],
    ['empty arrays take no read', [arrayOf('float64', 22, 0), arrayOf('str', 22, 0)], 0],
    ['empty arrays between', [arrayOf('float64', 22, 1), arrayOf('float64', 5000, 0), arrayOf('int8', 30, 5)], 1],
    [
      'text and raw float128 need no alignment',
      [arrayOf('str', 22, 3), arrayOf('float128', 25, 1), arrayOf('uint8', 41, 1)],
      1,
    ],
    ['nothing', [], 0],
  ])('%s', (_, arrays, reads) => {
    expect(numberOfReads(...arrays)).toBe(reads);
  });

  test('any ranges: every array is aligned, filled from its range, apart from the others, and in one buffer', () => {
    const arbitraryArray = fc.record({
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
          const next = arrayOf(dtype, at + gap, count);
          at = next.byteOffset + next.byteLength;
          return next;
        });
      });
    const anywhere = fc.array(arbitraryArray.map(({ dtype, byteOffset, count }) => arrayOf(dtype, byteOffset, count)));
    fc.assert(
      fc.property(fc.oneof(anywhere, backToBack), fc.boolean(), (arrays, transferable) => {
        const plan = planItemCopy(SOURCE, arrays, transferable);
        for (const { byteOffset, out } of plan.ranges) {
          expect(out.buffer).toBe(plan.buffer);
          out.set(bytes.subarray(byteOffset, byteOffset + out.length));
        }
        for (const [k, { dtype, byteOffset, byteLength }] of arrays.entries()) {
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
