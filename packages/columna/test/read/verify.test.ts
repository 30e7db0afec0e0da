// verify: good files are good; damage, and statistics that lie behind right CRCs, are named.
import { describe, expect, it } from 'vitest';
import { verify, verifySync } from '../../src/index.ts';
import { samples } from '../support/samples.ts';
import { withStatistics } from '../support/statistics.ts';
import { readTable, writeTable } from '../support/table.ts';

const list = samples().filter(({ name }) =>
  ['orders-default', 'flights-smallest', 'types-default', 'types-9', 'shapes-plain'].includes(name),
);

describe.each(list)('$name', ({ columns, options }) => {
  const { bytes } = writeTable(columns, options);

  it('is good', async () => {
    const report = await verify(bytes);
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({ ok: true, rowCount: columns[0]!.values.length });
    expect(report.pageCount).toBe(
      readTable(bytes)
        .chunks.flat()
        .reduce((sum, { pages }) => sum + pages.length, 0),
    );
    expect(verifySync(bytes)).toEqual(report);
  });

  it('is found out when a page is damaged', async () => {
    const { chunks } = readTable(bytes);
    const damaged = bytes.slice();
    for (const [column, entries] of chunks.entries())
      if (entries[0]!.byteLength > 0) damaged[entries[0]!.byteOffset + (column % 2) + 8]! ^= 0x40;
    const { ok, problems } = await verify(damaged);
    expect(ok).toBe(false);
    expect(new Set(problems.map((problem) => (problem as unknown as { column: string }).column)).size).toBe(
      chunks.length,
    );
  });

  it.each([
    ['null counts', { nullCount: 1 }],
    ['a minimum that is too high', 'min'],
    ['a maximum that is too low', 'max'],
  ] as const)('is found out when its statistics lie: %s', (_, lie) => {
    const lying = withStatistics(bytes, (statistics) => {
      if (lie === 'min') return { ...statistics, min: statistics.max };
      if (lie === 'max') return { ...statistics, max: statistics.min };
      return { ...statistics, nullCount: statistics.nullCount + 1 };
    });
    expect(verifySync(lying).problems.every(({ code }) => code === 'ERR_METADATA')).toBe(true);
    expect(verifySync(lying).ok).toBe(false);
  });
});

it('a file that cannot be opened is a report too, a path that is not there an error', async () => {
  expect(await verify(new Uint8Array(40))).toMatchObject({ ok: false, problems: [{ code: 'ERR_MAGIC' }] });
  await expect(verify('/nowhere/at/all.cna')).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
});
