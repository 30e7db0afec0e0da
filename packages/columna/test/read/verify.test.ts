// verify: good files are good; damage, and statistics that lie behind right CRCs, are named.
import { describe, expect, it } from 'vitest';
import type { CorruptFileError } from '../../src/index.ts';
import { MemorySink, verify, verifySync, write } from '../../src/index.ts';
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

describe('bounds of texts are compared by code points, whatever the texts are stored as', () => {
  // U+FF5E is before U+1F600, but not by the units of UTF-16; a null has a text where its row is, which is no value.
  const texts = ['b', '\u{1f600}', '\uff5e', 'ä', 'c', ''];
  const rows = Array.from({ length: 3000 }, (_, row) => row);
  const columns = {
    own: rows.map((row) => (row % 7 === 0 ? null : `${texts[row % 5]!}${String(row)}`)),
    repeated: rows.map((row) => (row % 7 === 0 ? null : texts[row % 5]!)),
    copied: rows.map((row) => (row % 7 === 0 ? null : texts[row % 5]!)),
    bytes: rows.map((row) => Buffer.from(texts[row % 6]!)),
  };
  const bound = (text: string) => ({ value: new Uint8Array(Buffer.from(text)), exact: true });

  it.each(Object.keys(columns))('%s', async (name) => {
    const sink = new MemorySink();
    await write(sink, columns, { pageRows: 1024 });
    const bytes = sink.bytes();
    const column = Object.keys(columns).indexOf(name);
    expect((await verify(bytes)).problems).toEqual([]);
    const [below, above] = ['a minimum below every value', 'a maximum above every value'];
    const [first, last] = ['a minimum that occurs', 'a maximum that occurs'];
    const lies = [
      [{ min: bound('bz') }, [below, first]],
      [{ max: bound('\uffff') }, [above, last]],
      [{ min: bound('') }, name === 'bytes' ? [] : [first]],
      [{ max: bound('\u{1f600}\u{1f600}') }, [last]],
    ] as const;
    for (const [lie, told] of lies) {
      const lying = withStatistics(bytes, (statistics, entry) =>
        entry.column === column ? { ...statistics, ...lie } : statistics,
      );
      const { problems } = await verify(lying);
      // Three pages, and the row group.
      expect(problems.map((problem) => (problem as CorruptFileError).expected)).toEqual(
        [told, told, told, told].flat(),
      );
    }
  });
});
