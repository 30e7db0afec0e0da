// What a page about a file costs: which bytes are read, and how often.
import { describe, expect, it } from 'vitest';
import { openSource } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { inspect } from '../../src/inspect/inspect.ts';
import { overview } from '../../src/inspect/overview.ts';
import type { Overview } from '../../src/inspect/overview.ts';
import { pushdownFooter } from '../../src/inspect/pushdown-footer.ts';
import { orderTable } from '../support/orders.ts';
import { writeTable } from '../support/table.ts';

const LIMITS = { columns: 60, rowGroups: 40, chunks: 800, explainedValues: 1e9 };

/** How often each byte of the file was read for an overview and its first rows. */
async function reads(
  bytes: Uint8Array,
  limits: Partial<typeof LIMITS> = {},
): Promise<{ readonly counts: Uint8Array; readonly found: Overview }> {
  const counts = new Uint8Array(bytes.length);
  const source = await openSource({
    byteLength: bytes.length,
    gapBytes: 0,
    read: (byteOffset: number, out: Uint8Array) => {
      out.set(bytes.subarray(byteOffset, byteOffset + out.length));
      for (let i = 0; i < out.length; i++) counts[byteOffset + i] = (counts[byteOffset + i] ?? 0) + 1;
      return Promise.resolve();
    },
  });
  const found = await overview(source, { ...LIMITS, ...limits });
  await found.table.head(20).toColumns();
  return { counts, found };
}

const total = (counts: Uint8Array): number => counts.reduce((sum, count) => sum + count, 0);

describe('an overview', () => {
  const { bytes } = writeTable(orderTable(5000), { rowGroupRows: 1000, pageRows: 256 });

  it('reads no byte of an explained file twice, and none that is not shown', async () => {
    const { counts, found } = await reads(bytes);
    expect(found.explained).toBe(5);
    expect(Math.max(...counts)).toBe(1);
    expect({ ...found.file, path: '<memory>' }).toEqual(await inspect(bytes, { explainChoices: true }));
    expect({ ...found.footer, path: '<memory>' }).toEqual(await pushdownFooter(bytes));
  });

  it('reads each page that joint columns share once', async () => {
    const random = createRandom(5);
    const origin = Array.from({ length: 20_000 }, () => `A${random.integer(50)}`);
    const joint = writeTable([
      { name: 'origin', type: 'string', values: origin },
      { name: 'target', type: 'string', values: origin.map((name) => `to ${name}`) },
    ]);
    const { counts, found } = await reads(joint.bytes);
    expect(found.file.rowGroups[0]?.chunks[1]?.codesOf).toBe('origin');
    expect(Math.max(...counts)).toBe(1);
  });

  it('of groups that are not explained, reads headers, and the rows at the top', async () => {
    const { counts, found } = await reads(bytes, { explainedValues: 0 });
    expect(found.explained).toBe(0);
    const { footer, rowGroups } = found.file;
    const [first] = rowGroups;
    const pages = rowGroups
      .slice(1)
      .flatMap(({ chunks }) => chunks.flatMap((chunk) => [chunk.dictionary, ...chunk.pages]));
    const behindFirst = counts.subarray(first!.byteLength + 4, footer.byteOffset);
    expect(total(behindFirst)).toBe(28 * pages.filter((page) => page !== null).length);
    expect(Math.max(...counts.subarray(footer.byteOffset))).toBe(1);
  });

  it('of columns and groups that are not listed, reads nothing but their footer', async () => {
    const { counts, found } = await reads(bytes, { columns: 2, rowGroups: 2, explainedValues: 0 });
    expect(found.file.columns.length).toBe(2);
    expect(found.file.rowGroups.length).toBe(2);
    const { chunks, byteOffset, byteLength } = found.file.rowGroups[1]!;
    const listed = chunks.reduce((sum, chunk) => sum + chunk.pages.length + (chunk.dictionary === null ? 0 : 1), 0);
    expect(total(counts.subarray(byteOffset, byteOffset + byteLength))).toBe(28 * listed);
    expect(total(counts.subarray(byteOffset + byteLength, found.file.footer.byteOffset))).toBe(0);
  });
});
