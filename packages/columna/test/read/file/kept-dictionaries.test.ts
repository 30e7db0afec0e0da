// Dictionaries that an open file keeps: decoded once for many reads, within a bound, and let go with the table.
import { CountingSource } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { open } from '../../../src/index.ts';
import { DictionaryBudget, KeptDictionaries } from '../../../src/read/file/kept-dictionaries.ts';
import type { OpenDictionary } from '../../../src/read/file/session.ts';
import { StoredTable } from '../../../src/read/stored-table.ts';
import { MemorySource } from '../../support/io.ts';
import { writeTable } from '../../support/table.ts';

const MEBI = 1 << 20;

const dictionary = (byteLength: number): OpenDictionary => ({
  entryCount: 0,
  entries: { kind: 'strings', count: 0, bytes: new Uint8Array(0), start: 0, ends: new Uint32Array(0) },
  indexes: null,
  hasNulls: false,
  byteLength,
});

describe('kept dictionaries', () => {
  it('are those that were asked for last, within a bound', () => {
    const kept = new KeptDictionaries(new DictionaryBudget(8 * MEBI));
    const all = Array.from({ length: 5 }, () => dictionary(2 * MEBI));
    for (const [group, each] of all.slice(0, 4).entries()) kept.add(7, group, each);
    expect(kept.get(7, 0)).toBe(all[0]);
    kept.add(7, 4, all[4] as OpenDictionary);
    expect([0, 1, 2, 3, 4].map((group) => kept.get(7, group) !== undefined)).toEqual([true, false, true, true, true]);
    expect(kept.get(8, 0)).toBe(undefined);
    kept.clear();
    expect(kept.get(7, 0)).toBe(undefined);
  });

  it('of all files together are within the bound, and room is made where they were asked for longest ago', () => {
    const budget = new DictionaryBudget(8 * MEBI);
    const files = [0, 1, 2].map(() => new KeptDictionaries(budget));
    const [first, second, third] = files as [KeptDictionaries, KeptDictionaries, KeptDictionaries];
    for (const file of [first, second]) for (const group of [0, 1]) file.add(0, group, dictionary(2 * MEBI));
    expect(first.get(0, 0)).toBeDefined();
    third.add(0, 0, dictionary(3 * MEBI));
    const kept = (): boolean[] => files.flatMap((file) => [0, 1].map((group) => file.get(0, group) !== undefined));
    expect(kept()).toEqual([true, false, false, true, true, false]);
    // What a closed file kept is room for others.
    first.clear();
    second.clear();
    third.add(0, 1, dictionary(5 * MEBI));
    expect(kept()).toEqual([false, false, false, false, true, true]);
  });

  it('of all files are up to 64 MiB', () => {
    const kept = new KeptDictionaries();
    for (let group = 0; group < 7; group++) kept.add(0, group, dictionary(9 * MEBI));
    const known = Array.from({ length: 7 }, (_, group) => kept.get(0, group) !== undefined);
    expect(known).toEqual([true, true, true, true, true, true, true]);
    kept.add(0, 7, dictionary(9 * MEBI));
    expect(kept.get(0, 0)).toBe(undefined);
    expect(kept.get(0, 7)).toBeDefined();
    kept.clear();
  });

  it('do not make room for one that is larger than all may be', () => {
    const kept = new KeptDictionaries(new DictionaryBudget(8 * MEBI));
    const small = dictionary(MEBI);
    kept.add(0, 0, small);
    kept.add(0, 1, dictionary(9 * MEBI));
    kept.add(0, 2, { ...dictionary(0), entryCount: MEBI });
    expect(kept.get(0, 0)).toBe(small);
    expect(kept.get(0, 1)).toBe(undefined);
    expect(kept.get(0, 2)).toBe(undefined);
  });

  const words = Array.from({ length: 500 }, (_, i) => `word ${String(i * i)}`);
  const rows = 20_000;
  const texts = Array.from({ length: rows }, (_, row) => (row % 11 === 0 ? null : (words[(row * 7) % 500] as string)));
  const others = Array.from({ length: rows }, (_, row) => `to ${String((row * 7) % 500)}`);
  const { bytes } = writeTable(
    [
      { name: 'text', type: 'string', values: texts },
      { name: 'other', type: 'string', values: others },
    ],
    { rowGroupRows: 10_000, pageRows: 2000 },
  );

  it('are read once by slices, rows and filters of one table', async () => {
    const source = new CountingSource(new MemorySource(bytes));
    const table = await open(source);
    const told: number[] = [];
    for (let i = 0; i < 3; i++) {
      const before = source.bytesRead;
      const { text, other } = await table.slice(4000, 4100).toColumns();
      expect(text).toEqual(texts.slice(4000, 4100));
      expect(other).toEqual(others.slice(4000, 4100));
      told.push(source.bytesRead - before);
    }
    const [first = 0, second = 0, third = 0] = told;
    expect(second).toBeLessThan(first);
    expect(third).toBe(second);
    const picked = [9999, 3, 10_000, 19_999, 11];
    expect((await table.take(picked).toColumns())['text']).toEqual(picked.map((row) => texts[row]));
    expect(await table.where("text == 'word 49'").count()).toBe(texts.filter((text) => text === 'word 49').length);
  });

  it('count as decoded bytes of each read, so that a limit refuses what it refused', async () => {
    const limits = { maxDecodedBytes: 900 };
    const table = await open(new MemorySource(bytes), { limits });
    for (let i = 0; i < 2; i++)
      await expect(table.select('text').slice(0, 2).toColumns()).rejects.toMatchObject({ code: 'ERR_LIMIT' });
  });

  it('are let go where the table is closed', async () => {
    const table = await open(new MemorySource(bytes));
    await table.slice(0, 10).toColumns();
    const { source } = table.view;
    if (!(source instanceof StoredTable)) throw new Error('a stored table');
    const { kept } = source.file;
    const known = (): boolean => [0, 1].some((column) => kept.dictionaries?.get(column, 0) !== undefined);
    expect(known()).toBe(true);
    table.close();
    expect(known()).toBe(false);
  });
});
