// Reads of several windows: the next one is on its way while one is decoded, each byte is asked for once, and failures
// on the way end in one rejection.
import { CountingSource, createRandom } from '@colkit/testkit';
import { expect, it } from 'vitest';
import { IoError } from '@colkit/io';
import { MemorySource } from '../support/io.ts';
import { open, openSync, scan } from '../../src/index.ts';
import { writeTable } from '../support/table.ts';

const ROWS = 1_000_000;
const random = createRandom(3);
const x = Float64Array.from({ length: ROWS }, () => random.number());
const y = Int32Array.from({ length: ROWS }, (_, row) => row);
// 12 MB of plain pages: three windows.
const { bytes } = writeTable(
  [
    { name: 'x', type: 'float64', values: x },
    { name: 'y', type: 'int32', values: y },
  ],
  { mode: 'plain', rowGroupRows: 400_000 },
);

/** Byte by byte: matchers take seconds for a million elements. */
function same(actual: unknown, expected: Float64Array | Int32Array): boolean {
  if (!(actual instanceof Float64Array) && !(actual instanceof Int32Array)) return false;
  return (
    actual.constructor === expected.constructor &&
    Buffer.from(actual.buffer, actual.byteOffset, actual.byteLength).equals(Buffer.from(expected.buffer))
  );
}

function expectAll(columns: Readonly<Record<string, unknown>>): void {
  expect(same(columns['x'], x)).toBe(true);
  expect(same(columns['y'], y)).toBe(true);
}

/** Answers in its own time, and not at all from one read on. */
class SlowSource extends CountingSource {
  failAt = Infinity;
  #reads = 0;

  override async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    const number = this.#reads++;
    await new Promise((resolve) => {
      setTimeout(resolve, 3);
    });
    if (number >= this.failAt) throw new IoError('ERR_READ', 'read', this.path, 'the disk is gone');
    return super.read(byteOffset, out, signal);
  }
}

it('reads every byte once and gives all values', async () => {
  const source = new CountingSource(new MemorySource(bytes));
  const table = await open(source);
  source.reset();
  expectAll(await table.toColumns());
  expect(source.reads.length).toBeGreaterThan(3);
  expect(source.bytesRead).toBeLessThan(bytes.length);
  source.reset();
  expectAll(table.toColumnsSync());
  const sorted = source.reads
    .map(({ byteOffset, byteLength }) => [byteOffset, byteOffset + byteLength] as const)
    .sort((a, b) => a[0] - b[0]);
  for (let i = 1; i < sorted.length; i++) expect(sorted[i]![0]).toBeGreaterThanOrEqual(sorted[i - 1]![1]);
  expect((await scan(bytes, { where: 'y >= 700000 and y < 700010', columns: ['x'] })).columns['x']).toEqual(
    x.slice(700_000, 700_010),
  );
});

it('fails once where the source fails on the way', async () => {
  for (const failAt of [4, 5, 6]) {
    const source = new SlowSource(new MemorySource(bytes));
    const table = await open(source);
    source.failAt = failAt;
    await expect(table.toColumns()).rejects.toMatchObject({ code: 'ERR_READ' });
    source.failAt = Infinity;
    expect(same((await table.select('y').toColumns())['y'], y)).toBe(true);
  }
});

it('serves two reads at a time', async () => {
  const table = await open(new SlowSource(new MemorySource(bytes)));
  const [a, b] = await Promise.all([
    table.select('x').toColumns(),
    table.select('y').take(Int32Array.of(999_999, 3)).toColumns(),
  ]);
  expect(same(a['x'], x)).toBe(true);
  expect(b['y']).toEqual(Int32Array.of(999_999, 3));
  expect(openSync(bytes).select('x').slice(5, 7).toColumnsSync()['x']).toEqual(x.slice(5, 7));
});
