// Many byte ranges into one buffer: every source, native and not, against slices.
import { truncateSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlobSource, MemorySource, copyRanges, copyRangesSync, openSourceSync } from '@colkit/io';
import type { CopyRangesRequest, RandomAccessSource } from '@colkit/io';
import { CountingSource } from '../support/counting-source.ts';
import { IS_NATIVE } from '../support/backend.ts';
import { patternBytes, sameBytes, testFolder } from '../support/folder.ts';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const folder = testFolder();
const BYTES = patternBytes(5000);

const SOURCES: { name: string; sync: boolean; backend?: 'js'; open: () => RandomAccessSource }[] = [
  { name: 'memory', sync: true, open: () => new MemorySource(BYTES) },
  { name: 'positional file', sync: true, open: () => openSourceSync(folder.file('f', BYTES), { io: 'pread' }) },
  { name: 'blob', sync: false, open: () => new BlobSource(new Blob([BYTES])) },
  ...(IS_NATIVE
    ? [
        { name: 'mapping', sync: true, open: () => openSourceSync(folder.file('f', BYTES), { io: 'mmap' }) },
        {
          name: 'mapping, TypeScript',
          sync: true,
          backend: 'js' as const,
          open: () => openSourceSync(folder.file('f', BYTES), { io: 'mmap' }),
        },
      ]
    : []),
];

/** The ranges one after the other, with a byte between them, and what the buffer must hold. */
function requestFor(ranges: readonly (readonly [number, number])[]): {
  request: CopyRangesRequest;
  expected: Uint8Array;
} {
  const outOffsets = new Float64Array(ranges.length);
  let end = 1;
  ranges.forEach(([, length], k) => {
    outOffsets[k] = end;
    end += length + 1;
  });
  const out = new Uint8Array(end).fill(0xa5);
  const expected = Uint8Array.from(out);
  ranges.forEach(([start, length], k) => expected.set(BYTES.subarray(start, start + length), outOffsets[k]));
  return {
    request: {
      offsets: Float64Array.from(ranges, ([start]) => start),
      lengths: Float64Array.from(ranges, ([, length]) => length),
      out,
      outOffsets,
    },
    expected,
  };
}

describe.each(SOURCES)('ranges of $name', ({ open, sync, backend }) => {
  const options = backend === undefined ? {} : { backend };

  test('equal slices', async () => {
    const range = fc
      .tuple(fc.nat(5000), fc.nat(300))
      .map(([start, length]) => [start, Math.min(length, 5000 - start)] as const);
    const source = open();
    await fc.assert(
      fc.asyncProperty(fc.array(range, { maxLength: 40 }), async (ranges) => {
        const { request, expected } = requestFor(ranges);
        await copyRanges(source, request, options);
        expect(sameBytes(request.out, expected)).toBe(true);
        if (!sync) return;
        request.out.fill(0xa5);
        copyRangesSync(source, request, options);
        expect(sameBytes(request.out, expected)).toBe(true);
      }),
      { numRuns: 60 },
    );
    source.close();
  });

  const good = requestFor([
    [0, 4],
    [100, 8],
  ]).request;
  test.each<[string, Partial<CopyRangesRequest>]>([
    ['reach past the source', { offsets: Float64Array.of(0, 4993) }],
    ['start before it', { offsets: Float64Array.of(-1, 0) }],
    ['reach past the output', { outOffsets: Float64Array.of(0, 8) }],
    ['have a fraction', { lengths: Float64Array.of(4, 0.5) }],
    ['have NaN', { offsets: Float64Array.of(NaN, 0) }],
    ['are of unequal number', { lengths: Float64Array.of(4) }],
    ['go nowhere', { outOffsets: Float64Array.of(0, 4, 9) }],
  ])('are refused where they %s, before anything is written', async (_, change) => {
    const source = open();
    const request = { ...good, out: new Uint8Array(15).fill(7), ...change };
    const expected = { name: 'ArgumentError', code: 'ERR_ARGUMENT' };
    expect(await rejectedBy(copyRanges(source, request, options))).toMatchObject(expected);
    if (sync) expect(thrownBy(() => copyRangesSync(source, request, options))).toMatchObject(expected);
    expect(request.out.every((byte) => byte === 7)).toBe(true);
    source.close();
  });

  test('stop at a closed source, an aborted signal and a file that shrank', async () => {
    const source = open();
    const reason = new Error('enough');
    expect(await rejectedBy(copyRanges(source, { ...good, signal: AbortSignal.abort(reason) }, options))).toBe(reason);
    if (!('bytes' in source) && source.isSync) {
      truncateSync(source.path, 4999);
      expect(thrownBy(() => copyRangesSync(source, good, options))).toMatchObject({
        name: 'IoError',
        code: 'ERR_FILE_CHANGED',
      });
      expect(await rejectedBy(copyRanges(source, good, options))).toMatchObject({
        name: 'IoError',
        code: 'ERR_FILE_CHANGED',
      });
    }
    source.close();
    if (sync) expect(thrownBy(() => copyRangesSync(source, good, options))).toMatchObject({ name: 'ClosedError' });
    expect(await rejectedBy(copyRanges(source, good, options))).toMatchObject({ name: 'ClosedError' });
  });
});

test('reads run several at a time, and none starts after a failure', async () => {
  const source = new CountingSource(BYTES);
  const { request } = requestFor(Array.from({ length: 50 }, (_, i) => [i * 100, 10] as const));
  await copyRanges(source, request);
  expect([source.reads.length, source.mostUnderWay]).toEqual([50, 4]);
  source.onRead = (number) => {
    if (number >= 60) throw new Error('read fails');
  };
  expect(await rejectedBy(copyRanges(source, request))).toMatchObject({ message: 'read fails' });
  expect([source.underWay, source.reads.length]).toEqual([0, 60]);
});
