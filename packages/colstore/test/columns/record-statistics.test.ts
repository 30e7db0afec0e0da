// Tables of files with a statistics footer: what their records say of themselves is not read, and what comes out is
// what the values say, also where the footer is damaged.
import { CountingSource, loadGoldenTables } from '@colkit/testkit';
import { MemorySource } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { openSync } from '../../src/index.ts';
import type { Table } from '@colkit/table';
import { layoutOf } from '../support/files.ts';

const golden = loadGoldenTables(new URL('../golden/colstore-0.5.1/', import.meta.url), '.cstore').filter(
  ({ hasStatistics }) => hasStatistics,
);
const ORDERED = ['==', '!=', '<', '<=', '>', '>='];

/** The same rows by number, of which nothing is known but their values. */
function byNumber(table: Table): Table {
  return table.take(Array.from({ length: table.rowCount }, (_, row) => row));
}

function damagedFooter(file: Uint8Array): Uint8Array {
  const bytes = file.slice();
  bytes[bytes.length - 1]! ^= 0xff;
  return bytes;
}

describe.each(golden)('$name', ({ file }) => {
  const table = openSync(file);
  const names = table.schema.filter(({ dtype }) => !/^[SU]/.test(dtype)).map(({ name }) => name);

  it('finds the rows that values match, with the footer and with a damaged one', () => {
    expect(names.length).toBeGreaterThan(1);
    const damaged = openSync(damagedFooter(file));
    for (const name of names) {
      const values = Array.from(byNumber(table).column(name).toArraySync() as ArrayLike<number | bigint | boolean>);
      const isBoolean = table.schema.find((field) => field.name === name)?.dtype === 'bool';
      for (const given of new Set([values[0]!, values.at(-1)!, values[7 % values.length]!])) {
        const value = isBoolean ? given !== 0 && given !== false : given;
        if (value !== value || value === -(2n ** 63n)) continue;
        for (const operator of isBoolean ? ORDERED.slice(0, 2) : ORDERED) {
          const where = `\`${name}\` ${operator} @value`;
          const rows = (from: Table): unknown => [...from.where(where, { value }).resolveSync().rowNumbers()];
          const expected = [...byNumber(table).where(where, { value }).resolveSync().rowNumbers()];
          expect(rows(table), where).toEqual(expected);
          expect(rows(damaged), where).toEqual(expected);
          const some = (from: Table): Table => from.slice(2, 13).where(where, { value }).head(3);
          expect(some(table).toColumnsSync()).toEqual(some(byNumber(table)).toColumnsSync());
          const counted = (from: Table): unknown =>
            from.where(where, { value }).aggSync({ n: 'count', most: { max: name }, least: { min: name } });
          expect(counted(table), where).toEqual(counted(byNumber(table)));
        }
      }
    }
  });

  it('adds up what values do, of all rows and of some', () => {
    for (const name of names) {
      const { dtype } = table.schema.find((field) => field.name === name)!;
      const specs = {
        n: { count: name },
        least: { min: name },
        most: { max: name },
        first: { first: name },
        ...(dtype.startsWith('datetime') || dtype.startsWith('timedelta') ? {} : { total: { sum: name } }),
      } as const;
      for (const part of [(from: Table) => from, (from: Table) => from.slice(3, -2)]) {
        expect(part(table).aggSync(specs), name).toEqual(part(byNumber(table)).aggSync(specs));
        expect(part(openSync(damagedFooter(file))).aggSync(specs)).toEqual(part(byNumber(table)).aggSync(specs));
      }
    }
  });
});

describe('a file of four records', () => {
  const { file } = golden.find(({ name }) => name === 'statistics')!;
  const { rowStarts, bodyOffsets, statisticsOffset } = layoutOf(file);

  /** Which records are read of. */
  function recordsRead({ reads }: CountingSource): number[] {
    const touched = reads.flatMap(({ byteOffset, byteLength }) =>
      Array.from(bodyOffsets.keys()).filter((record) => {
        const end = bodyOffsets[record + 1] ?? statisticsOffset;
        return byteLength > 0 && byteOffset < end && byteOffset + byteLength > bodyOffsets[record]!;
      }),
    );
    return [...new Set(touched)].sort((a, b) => a - b);
  }

  function opened(): { readonly source: CountingSource; readonly table: Table } {
    const source = new CountingSource(new MemorySource(file));
    const table = openSync(source);
    source.reset();
    return { source, table };
  }

  it('is read only where its records do not say enough', () => {
    const { source, table } = opened();
    expect(table.column('a').maxSync()).toBe(49);
    expect(table.column('a').minSync()).toBe(-49);
    expect(recordsRead(source)).toEqual([]);
    // A record with NaN and one with an infinity say nothing of `x`.
    const most = table.column('x').maxSync();
    expect(most).toBe(Infinity);
    expect(recordsRead(source)).not.toContain(0);
    expect(recordsRead(source).length).toBeGreaterThan(0);
  });

  it('skips records that cannot match, and says so', () => {
    const { source, table } = opened();
    const view = table.where('a < -47');
    const text = view.explainSync();
    expect(recordsRead(source)).toEqual([]);
    const rows = view.resolveSync().rowNumbers();
    expect(rows.length).toBeGreaterThan(0);
    const record = Array.from(bodyOffsets.keys()).find((each) => rows[0]! < rowStarts[each + 1]!)!;
    expect(recordsRead(source)).toEqual([record]);
    expect(text).toContain('records: 4, skipped by their statistics: 3');
    expect(text).toMatch(/record 0 \(rows 0 to 6\): skipped, a: min -42 >= -47/);
    expect(text).toContain(`record ${String(record)} (rows ${String(rowStarts[record])} to`);
    expect(table.where('a > -1000').explainSync()).toContain('read, all of its rows match by its statistics');
    expect(openSync(damagedFooter(file)).where('a < -47').explainSync()).toContain('no statistics');
  });

  it('counts what must match without reading it', () => {
    const { source, table } = opened();
    expect(table.where('a > -1000').countSync()).toBe(table.rowCount);
    expect(table.where('a > 1000').countSync()).toBe(0);
    expect(recordsRead(source)).toEqual([]);
  });
});
