// Small pieces at the end of a file become one row group: `append` again and again, `checkpoint` again and again. The
// rows stay as they are, the file stays small, and who has it open goes on reading.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Table as ArrowTable, Utf8, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  append,
  appendSync,
  appender,
  create,
  createSync,
  inspect,
  open,
  openSync,
  verify,
  write,
  writeSync,
} from '../../src/index.ts';
import type { AppendOptions } from '../../src/index.ts';
import { groupsToMerge } from '../../src/write/stream/merge-tail.ts';
import { newFolders } from '../support/new-folders.ts';
import { tableArbitrary } from '../support/random-tables.ts';
import { readTable, writeTable } from '../support/table.ts';

const newFolder = newFolders('merge-tail');
let path: string;
beforeEach(() => {
  ({ path } = newFolder());
});

const groupRows = () => readTable(new Uint8Array(readFileSync(path))).footer.rowGroups.map(({ rowCount }) => rowCount);
const numbers = (start: number, rows: number) => Array.from({ length: rows }, (_, i) => start + i);
const batch = (start: number, rows: number) => ({
  n: Int32Array.from(numbers(start, rows)),
  t: numbers(start, rows).map((n) => (n % 7 === 0 ? null : `text ${String(n % 50)}`)),
});
/** In order, as rows of the file's values. */
const rowsIn = (from: string): unknown[] => {
  using table = openSync(from);
  return table.toRowsSync();
};
const expected = (rowCount: number): unknown[] => {
  const { n, t } = batch(0, rowCount);
  return t.map((text, row) => ({ n: n[row], t: text }));
};

describe('which row groups become one with new rows', () => {
  /** Appends of some rows, one behind another: the row groups at the end, and how many rows were written. */
  function grown(pieces: readonly number[], rowGroupSize: number, rowBytes: number, entryBytes: number) {
    const groups: number[] = [];
    let [written, footers] = [0, 0];
    for (const piece of pieces) {
      const last = groups.toReversed().map((rowCount) => ({ rowCount, byteLength: rowCount * rowBytes }));
      const waiting = { rowCount: piece, rowGroupSize, footerBytes: groups.length * entryBytes };
      const merged = groupsToMerge(last, waiting);
      const rows = groups.splice(groups.length - merged, merged).reduce((sum, each) => sum + each, piece);
      groups.push(rows);
      written += rows;
      footers += groups.length * entryBytes;
    }
    return { groups, written, footers };
  }

  it('few, and each row a few times, whatever comes', () => {
    const all = fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5000 })), {
      minLength: 1,
      maxLength: 400,
    });
    fc.assert(
      fc.property(all, fc.constantFrom(1, 10, 100), (pieces, rowBytes) => {
        const { groups, written, footers } = grown(pieces, 524_288, rowBytes, 200);
        const rows = pieces.reduce((sum, each) => sum + each, 0);
        expect(groups.reduce((sum, each) => sum + each, 0)).toBe(rows);
        expect(Math.max(...groups)).toBeLessThanOrEqual(524_288);
        // Ten sizes of row groups at most.
        expect(written).toBeLessThanOrEqual(11 * rows);
        // A footer is as large as what it comes behind, or lists few row groups.
        expect(footers).toBeLessThanOrEqual(rows * rowBytes + pieces.length * 200 * 31);
      }),
    );
  });

  it('none that are full, none beyond a full one, and none of megabytes', () => {
    expect(grown(new Array<number>(9).fill(100), 100, 10, 1e9).groups).toEqual(new Array(9).fill(100));
    expect(grown(new Array<number>(9).fill(60), 100, 10, 1e9).groups).toEqual(new Array(9).fill(60));
    expect(grown(new Array<number>(9).fill(10), 40, 10, 1e9).groups).toEqual([40, 40, 10]);
    expect(grown(new Array<number>(9).fill(10), 400, 200_000, 1e9).groups).toEqual(new Array(9).fill(10));
    // Large pieces beside a small footer stay as they are.
    expect(grown(new Array<number>(9).fill(1000), 1e6, 10, 200).groups).toEqual(new Array(9).fill(1000));
  });
});

describe.each(['async', 'sync'] as const)('%s', (form) => {
  const add = async (data: Parameters<typeof appendSync>[1], options?: AppendOptions) =>
    form === 'async'
      ? append(path, data, { durability: 'none', ...options })
      : appendSync(path, data, { durability: 'none', ...options });

  it('a file of hundreds of small appends is small, and has its rows in order', async () => {
    await write(path, batch(0, 5));
    for (let rows = 5; rows < 1500; rows += 5) {
      const report = await add(batch(rows, 5));
      expect(report.rowCount).toBe(rows + 5);
    }
    expect(rowsIn(path)).toEqual(expected(1500));
    expect(groupRows().length).toBeLessThanOrEqual(12);
    // With a row group for each, and its entry in every footer, it would be 6.7 MB.
    expect(statSync(path).size).toBeLessThan(500_000);
    expect(await verify(path)).toMatchObject({ rowCount: 1500 });
    // Row groups end where their pages do, whatever follows that is no longer of the file.
    const { rowGroups, footer, byteLength } = await inspect(path, { columns: ['n'] });
    const { chunks } = readTable(new Uint8Array(readFileSync(path)));
    const bytes = chunks.flat().reduce((sum, chunk) => sum + chunk.byteLength, 0);
    expect(rowGroups.reduce((sum, group) => sum + group.byteLength, 0)).toBe(bytes);
    expect(bytes + footer.byteLength).toBeLessThan(byteLength / 10);
  });

  it('who has the file open goes on reading the rows that it had', async () => {
    await write(path, batch(0, 3));
    const opened = [];
    for (let rows = 3; rows < 60; rows += 3) {
      opened.push({ table: openSync(path), late: await open(path, { io: 'pread' }), rows });
      await add(batch(rows, 3));
    }
    for (const { table, late, rows } of opened) {
      expect(table.toRowsSync()).toEqual(expected(rows));
      expect(await late.toRows()).toEqual(expected(rows));
      table.close();
      late.close();
    }
  });

  it('checkpoints of a writer that stays open, of a new file and of an old one', async () => {
    const writer = form === 'async' ? await create(path, { durability: 'none' }) : createSync(path);
    const checkpointed: number[] = [];
    for (let rows = 0; rows < 200; rows += 2) {
      await writer.write(batch(rows, 2));
      checkpointed.push((form === 'async' ? await writer.checkpoint() : writer.checkpointSync())?.rowCount ?? 0);
    }
    expect(checkpointed).toEqual(numbers(1, 100).map((n) => 2 * n));
    await writer.close();
    expect(rowsIn(path)).toEqual(expected(200));
    expect(groupRows().length).toBeLessThanOrEqual(12);
    {
      await using more = await appender(path, { durability: 'none' });
      for (let rows = 200; rows < 300; rows += 1) {
        await more.write(batch(rows, 1));
        await more.checkpoint();
      }
    }
    expect(rowsIn(path)).toEqual(expected(300));
    expect(groupRows().length).toBeLessThanOrEqual(12);
  });

  it('nulls that come late, in a column that had none', async () => {
    const values = numbers(0, 40).map((n) => (n === 23 ? null : n));
    const writer = createSync(path, { durability: 'none' });
    for (const n of values) {
      if (form === 'async') await writer.write({ n: [n] });
      else writer.writeSync({ n: [n] });
      await (form === 'async' ? writer.checkpoint() : writer.checkpointSync());
    }
    await writer.close();
    expect(rowsIn(path)).toEqual(values.map((n) => ({ n })));
    expect(groupRows().length).toBeLessThan(8);
  });

  it('texts as Arrow behind those of rows, and the other way round', async () => {
    await write(path, { t: ['0'] });
    for (let n = 1; n < 30; n++) {
      const texts = [String(n), `${String(n)} é`];
      await add(n % 2 === 0 ? { t: texts } : new ArrowTable({ t: vectorFromArray(texts, new Utf8()) }));
    }
    const more = Array.from({ length: 29 }, (_, i) => [String(i + 1), `${String(i + 1)} é`]).flat();
    expect(rowsIn(path)).toEqual(['0', ...more].map((t) => ({ t })));
    expect(groupRows().length).toBeLessThan(8);
  });

  it('what cannot be read stays a row group, and rows are added all the same', async () => {
    await write(path, batch(0, 4));
    for (let rows = 4; rows < 12; rows += 4) await add(batch(rows, 4));
    const bytes = new Uint8Array(readFileSync(path));
    const { footer } = readTable(bytes);
    // A bit of the last row group's first page.
    bytes[footer.rowGroups.at(-1)!.byteOffset + 40]! ^= 1;
    writeFileSync(path, bytes);
    for (let rows = 12; rows < 24; rows += 4) await add(batch(rows, 4));
    using table = openSync(path);
    expect(table.slice(0, 8).toRowsSync()).toEqual(expected(24).slice(0, 8));
    expect(table.slice(12).toRowsSync()).toEqual(expected(24).slice(12));
    expect(() => table.slice(8, 12).toRowsSync()).toThrow(expect.objectContaining({ code: 'ERR_CRC' }));
  });

  it('an encoding that is asked for is that of the new rows alone', async () => {
    await write(path, { n: Int32Array.of(5, 1, 9) });
    for (let i = 0; i < 6; i++) {
      const report = await add({ n: Int32Array.of(i, i + 1, i + 2) }, { encodings: { n: 'AFFINE' } });
      expect([...report.columns[0]!.encodings.keys()]).toEqual(['AFFINE']);
    }
    expect(groupRows()).toEqual([3, 3, 3, 3, 3, 3, 3]);
  });
});

it('values of every type are as they were, bit by bit', () => {
  fc.assert(
    fc.property(
      tableArbitrary,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
      (drawn, cuts) => {
        const whole = writeTable(drawn.map(({ column }) => column)).bytes;
        using table = openSync(whole);
        const { rowCount } = table;
        const ends = [...cuts.map((cut) => Math.round(cut * rowCount)), rowCount].sort((a, b) => a - b);
        writeSync(path, table.slice(0, ends[0]), { overwrite: true, durability: 'none' });
        for (const [number, end] of ends.slice(1).entries())
          appendSync(path, table.slice(ends[number], end), { durability: 'none' });
        const read = readTable(new Uint8Array(readFileSync(path)));
        expect(read.columns).toEqual(readTable(whole).columns);
      },
    ),
    { numRuns: 60 },
  );
});
