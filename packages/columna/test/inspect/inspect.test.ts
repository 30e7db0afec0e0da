// inspect() against what the writer itself said when it wrote the file.
import { describe, expect, it } from 'vitest';
import { UnknownColumnError, isColkitError } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { ReadRanges, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { describeFile, inspect, inspectSync } from '../../src/inspect/inspect.ts';
import type { InspectedFile } from '../../src/inspect/inspected-file.ts';
import { withFile } from '../../src/read/open-file.ts';
import { orderTable } from '../support/orders.ts';
import { writeTable } from '../support/table.ts';

const columns = orderTable(5000);

describe('the structure', () => {
  it('is what the writer wrote: offsets, sizes, encodings, codecs, rows', async () => {
    const { bytes, reports } = writeTable(columns, { rowGroupRows: 2000, pageRows: 512 });
    const file = await inspect(bytes);
    expect(file.byteLength).toBe(bytes.length);
    expect([file.rowCount, file.columnCount, file.rowGroupCount]).toEqual([5000, 7, 3]);
    expect(file.rowGroups.map(({ rowCount, firstRow, pageRows }) => [rowCount, firstRow, pageRows])).toEqual([
      [2000, 0, 512],
      [2000, 2000, 512],
      [1000, 4000, 512],
    ]);
    let end = 4;
    for (const group of file.rowGroups) {
      expect(group.byteOffset).toBe(end);
      for (const chunk of group.chunks) {
        const report = reports.find((each) => each.rowGroup === group.rowGroup && each.column === chunk.column)!;
        expect(chunk.byteOffset).toBe(end);
        expect(chunk.byteLength).toBe(report.bytes);
        end += chunk.byteLength;
        expect(chunk.codesOf).toBe(report.leader);
        expect(chunk.dictionary === null).toBe(report.dictionary === null);
        expect(chunk.pages.length).toBe(report.pages.length);
        for (const [number, page] of chunk.pages.entries()) {
          const told = report.pages[number]!;
          expect([page.byteLength, page.bodyBytes, page.codec, page.rowCount, page.valueCount]).toEqual([
            told.pageBytes,
            told.bodyBytes,
            told.codec,
            told.rowCount,
            told.valueCount,
          ]);
          expect(page.choice).toBeUndefined();
        }
      }
    }
    expect(file.footer.byteOffset).toBe(end);
    expect(file.columns.reduce((sum, column) => sum + column.byteLength, 0)).toBe(end - 4);
  });

  it('has minimum and maximum in the column’s own form', () => {
    const { bytes } = writeTable(columns, { rowGroupRows: 2000 });
    const chunks = inspectSync(bytes).rowGroups[0]!.chunks;
    const of = (name: string) => chunks.find(({ column }) => column === name)!.statistics;
    expect(of('order_id')).toEqual({
      nullCount: 0,
      nanCount: 0,
      min: { value: 100000n, exact: true },
      max: { value: 101999n, exact: true },
    });
    expect(of('region').min).toEqual({ value: 'AMER', exact: true });
    expect(typeof of('amount').max!.value).toBe('number');
    expect(of('note').nullCount).toBeGreaterThan(1000);
  });

  it('reads 28 bytes of each page, and only what was asked for', () => {
    const { bytes } = writeTable(columns, { rowGroupRows: 2000, pageRows: 512 });
    const some = inspectSync(bytes, { columns: ['amount', 'ts'], rowGroups: 2 });
    expect(some.columns.map(({ name }) => name)).toEqual(['amount', 'ts']);
    expect(some.rowGroups.map(({ chunks }) => chunks.map(({ column }) => column))).toEqual([
      ['amount', 'ts'],
      ['amount', 'ts'],
    ]);
    expect([some.columnCount, some.rowGroupCount]).toEqual([7, 3]);
    expect(() => inspectSync(bytes, { columns: ['nope'] })).toThrow(UnknownColumnError);
    for (const wrong of ['amount', null, [5]])
      expect(() => inspectSync(bytes, { columns: wrong as never })).toThrow(
        expect.objectContaining({ code: 'ERR_ARGUMENT' }) as Error,
      );
    expect(() => inspectSync(bytes, { rowGroups: -1 })).toThrow(/rowGroups/);
  });
});

/** What is found out about a file, and how many requests for ranges of it that took. */
function* requests(
  bytes: Uint8Array,
  options: Parameters<typeof describeFile>[1] = {},
): Work<{ readonly file: InspectedFile; readonly count: number }> {
  let count = 0;
  const file = yield* withFile(bytes, {}, function* (opened) {
    const work = describeFile(opened, options);
    let step = work.next();
    for (; step.done !== true; step = work.next(yield step.value)) if (step.value instanceof ReadRanges) count += 1;
    return step.value;
  });
  return { file, count };
}

describe('very many row groups', () => {
  const { bytes } = writeTable(
    [{ name: 'n', type: 'int32', values: Int32Array.from({ length: 40_000 }, (_, i) => i) }],
    {
      rowGroupRows: 8,
      pageRows: 8,
    },
  );

  it.each(['run', 'runSync'] as const)(
    'are asked for together (%s): a few requests, and the headers of each',
    async (form) => {
      const told: number[] = [];
      const options = { onProgress: ({ rowGroups }: { rowGroups: number }) => void told.push(rowGroups) };
      const work = requests(bytes, options);
      const { file, count } = form === 'run' ? await run(work) : runSync(work);
      expect(count).toBeLessThan(5);
      expect(file.rowGroups.map(({ rowGroup }) => rowGroup)).toEqual(Array.from({ length: 5000 }, (_, i) => i));
      expect(told).toEqual(file.rowGroups.map(({ rowGroup }) => rowGroup + 1));
      for (const { rowGroup, firstRow, byteOffset, byteLength, chunks } of file.rowGroups) {
        const [chunk] = chunks;
        const [page] = chunk!.pages;
        const bounds = [chunk!.statistics.min?.value, chunk!.statistics.max?.value, page!.statistics!.min?.value];
        expect([firstRow, chunk!.byteOffset, page!.byteOffset, page!.rowCount, ...bounds]).toEqual([
          8 * rowGroup,
          byteOffset,
          byteOffset,
          8,
          8 * rowGroup,
          8 * rowGroup + 7,
          8 * rowGroup,
        ]);
        expect(page!.byteLength).toBe(byteLength);
      }
    },
  );

  it('more of them than one request has headers for are all there', () => {
    const { bytes: wide } = writeTable(
      Array.from({ length: 40 }, (_, c) => ({
        name: `c${String(c)}`,
        type: 'uint8' as const,
        values: new Uint8Array(4000),
      })),
      { rowGroupRows: 8, pageRows: 8 },
    );
    const { file, count } = runSync(requests(wide));
    expect(count).toBeLessThan(8);
    expect(file.rowGroups.map(({ chunks }) => chunks.length)).toEqual(new Array(500).fill(40));
  });
});

describe('why an encoding won', () => {
  it('gives the sizes that the writer had, losers included', async () => {
    const { bytes, reports } = writeTable(columns, { rowGroupRows: 2000, pageRows: 512 });
    const seen: number[] = [];
    const file = await inspect(bytes, { explainChoices: true, onProgress: ({ rowGroups }) => seen.push(rowGroups) });
    expect(seen).toEqual([1, 2, 3]);
    let pages = 0;
    for (const { rowGroup, chunks } of file.rowGroups) {
      for (const { column, pages: described } of chunks) {
        const report = reports.find((each) => each.rowGroup === rowGroup && each.column === column)!;
        for (const [number, { choice }] of described.entries()) {
          const told = report.pages[number]!;
          expect(choice!.encoding).toBe(told.encoding);
          expect(choice!.candidates).toEqual(told.candidates);
          expect(choice!.candidates.find(({ encoding }) => encoding === told.encoding)!.bytes).toBe(choice!.bytes);
          expect(choice!.why).not.toBe('');
          pages++;
        }
      }
    }
    expect(pages).toBeGreaterThan(50);
  });

  it('says in words what lost', async () => {
    const { bytes } = writeTable(columns, { rowGroupRows: 5000 });
    const file = await inspect(bytes, { explainChoices: true, columns: ['order_id'] });
    const { choice } = file.rowGroups[0]!.chunks[0]!.pages[0]!;
    expect(choice!.encoding).toBe('AFFINE');
    expect(choice!.why).toMatch(/^the fewest bytes, 16; next is PLAIN with 40,000 \(2,500 times as many\)$/);
  });

  it('explains joint dictionaries by what the columns take alone', async () => {
    const n = 20_000;
    const random = createRandom(5);
    const origin = Array.from({ length: n }, () => `A${random.integer(50)}`);
    const target = origin.map((name) => `to ${name}`);
    const { bytes } = writeTable([
      { name: 'origin', type: 'string', values: origin },
      { name: 'target', type: 'string', values: target },
    ]);
    const file = await inspect(bytes, { explainChoices: true });
    const [leader, member] = file.rowGroups[0]!.chunks;
    expect([leader!.joint, member!.codesOf]).toEqual([true, 'origin']);
    expect(member!.pages).toEqual([]);
    expect(member!.pageStatistics.length).toBe(1);
    expect(leader!.whyJoint).toMatch(
      /^"origin", "target" share one list of codes: [\d,]+ bytes in place of [\d,]+ \(\d+ % fewer\)$/,
    );
    expect(member!.whyJoint).toBe(leader!.whyJoint);
  });

  it('describes files of another mode as they are', async () => {
    const { bytes } = writeTable(columns, { mode: 'plain' });
    const file = await inspect(bytes, { explainChoices: true });
    for (const { pages } of file.rowGroups[0]!.chunks) {
      for (const { choice, encoding } of pages) {
        expect(encoding).toBe('PLAIN');
        expect(choice!.candidates.some((each) => each.encoding === 'PLAIN')).toBe(true);
      }
    }
  });
});

it('refuses a page that is not as long as the footer says', () => {
  const { bytes } = writeTable(columns);
  bytes[4 + 4] = bytes[4 + 4]! ^ 0x40;
  let error: unknown;
  try {
    inspectSync(bytes);
  } catch (reason) {
    error = reason;
  }
  expect(isColkitError(error) && error.code).toBe('ERR_LAYOUT');
});
