// What a view with a predicate reads, what it explains, and sources that answer themselves.
import { CannotViewError } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import { describe, expect, it } from 'vitest';
import { Table, writtenChunk } from '../../src/index.ts';
import type { Chunk, ReadRequest, TableSource } from '../../src/index.ts';
import { upTo } from '../support/tables.ts';
import { AnsweringTable, TABLE, open } from './where-tables.ts';

describe('what is read', () => {
  it('each column of the predicate once, and a later term only where rows are left', () => {
    const { table, source } = open();
    table.where("price < 0 and name == 'n3'").countSync();
    expect(source.requests.map(({ columns }) => columns)).toEqual([[1]]);
    source.requests.length = 0;
    table.where("price > 60 and name == 'n3' and price < 90").select('id').toColumnsSync();
    expect(source.requests.map(({ columns }) => columns)).toEqual([[1], [2], [0]]);
    source.requests.length = 0;
    table.where('true or price > 1').select('id').toColumnsSync();
    expect(source.requests.map(({ columns }) => columns)).toEqual([[0]]);
    source.requests.length = 0;
    expect(table.where('price > 1 and 1 > 2').countSync()).toBe(0);
    expect(source.requests).toEqual([]);
    // Two in a row are one.
    table.where("name == 'n3'").where('price < 0').countSync();
    expect(source.requests.map(({ columns }) => columns)).toEqual([[1]]);
  });

  it.each(['sync', 'async'])('in bounded memory, and no more than a head needs (%s)', async (form) => {
    const rowCount = 1_000_000;
    const source = new CountingColumn(rowCount);
    const view = new Table(source).where('x >= 10');
    const count = async (of: Table): Promise<number> => (form === 'sync' ? of.countSync() : of.count());
    expect(await count(view)).toBe(rowCount - 10);
    expect(source.rowsRead).toBe(rowCount);
    // Two batches at most, of 4 MiB each: one that is evaluated and one that is on its way.
    expect(source.memories.size).toBeLessThanOrEqual(2);
    expect([...source.memories].reduce((sum, buffer) => sum + buffer.byteLength, 0)).toBeLessThanOrEqual(2 ** 23);
    source.rowsRead = 0;
    const head = view.head(3);
    expect([...((form === 'sync' ? head.toColumnsSync() : await head.toColumns())['x'] as Int32Array)]).toEqual([
      10, 11, 12,
    ]);
    expect(source.rowsRead).toBeLessThan(20_000);
    source.rowsRead = 0;
    expect(await count(view.take([5, 2]))).toBe(2);
    expect(form === 'sync' ? view.column('x').atSync(7) : await view.column('x').at(7)).toBe(17);
    expect(source.rowsRead).toBeLessThan(40_000);
  });

  it('many matches come back as a mask, few as a list', () => {
    for (const [text, expected] of [
      ['id >= 10', upTo(100).slice(10)],
      ['id >= 95', upTo(100).slice(95)],
    ] as const) {
      const { table, source } = open();
      expect([...(table.where(text).select('id').toColumnsSync()['id'] as Int32Array)]).toEqual(expected);
      expect(source.requests.at(-1)?.rows.kind).toBe(expected.length > 50 ? 'mask' : 'indices');
    }
  });
});

describe('explain', () => {
  it('tells what is read and what is looked for', async () => {
    const view = open().table.slice(10, 90).where("price > 60 and name == 'n3'").head(3).select('id');
    expect(await view.explain()).toBe(
      [
        'memory: 100 rows, 4 columns',
        'reads 1 of 4 columns: id',
        'from rows 10 to 90 (80)',
        "where price > 60 and name == 'n3'",
        '  stops after 3 matches',
        '  no statistics: nothing can be skipped',
        '  reads price of every row',
        '  reads name where the terms before left rows',
        'then slice(0, 3)',
      ].join('\n'),
    );
    expect(view.explainSync()).toBe(await view.explain());
    expect(open().table.explainSync()).toBe(
      'memory: 100 rows, 4 columns\nreads 4 of 4 columns: id, price, name, big\nfrom all 100 rows',
    );
    expect(open().table.filter(new Uint8Array(100)).where('1 > 2').explainSync()).toContain(
      'true for no row: nothing is read',
    );
  });

  it('hands the question to a source that answers itself', async () => {
    const table = new Table(new AnsweringTable(TABLE));
    expect(await table.slice(5).where('id > 7').explain()).toContain(
      'where id > 7\n  rows 5 to 100 of a source that answers itself',
    );
    expect(table.where('id > 7').explainSync()).toContain('rows 0 to 100');
    // It is asked about consecutive rows of the source only.
    expect(table.take([1, 2]).where('id > 7').explainSync()).toContain('nothing can be skipped');
  });
});

describe('a source that answers itself', () => {
  it('is asked for every span of its rows, with the limit that is needed', async () => {
    const source = new AnsweringTable(TABLE);
    const table = new Table(source);
    expect([...(table.slice(50, 60).where('id >= 55').select('id').toColumnsSync()['id'] as Int32Array)]).toEqual([
      55, 56, 57, 58, 59,
    ]);
    expect((await table.where('id >= 55').head(2).toRows()).map(({ id }) => id)).toEqual([55, 56]);
    expect(await table.where('id >= 55').count()).toBe(45);
    expect(
      table
        .slice(undefined, undefined, -1)
        .where('id >= 98')
        .toRowsSync()
        .map(({ id }) => id),
    ).toEqual([99, 98]);
    expect(source.asked).toEqual([
      { start: 50, end: 60, limit: Infinity },
      { start: 0, end: 100, limit: 2 },
      { start: 0, end: 100, limit: Infinity },
    ]);
  });
});

/** One int32 column that holds its own row number; remembers which memory it was asked to fill. */
class CountingColumn implements TableSource {
  readonly name = 'counting';
  readonly fields = [{ name: 'x', dtype: 'int32' as const, nullable: false }];
  readonly closed = false;
  readonly memories = new Set<ArrayBufferLike>();
  rowsRead = 0;
  readonly rowCount: number;

  constructor(rowCount: number) {
    this.rowCount = rowCount;
  }

  read(request: ReadRequest): Operation<readonly Chunk[]> {
    const runSync = (): readonly Chunk[] => this.#numbers(request);
    return {
      run: async () => {
        await Promise.resolve();
        return runSync();
      },
      runSync,
    };
  }

  #numbers({ rows, outputs: [output] }: ReadRequest): readonly Chunk[] {
    const count = rows.kind === 'indices' ? rows.indices.length : rows.count;
    this.rowsRead += count;
    this.memories.add(output!.bytes.buffer);
    const values = new Int32Array(output!.bytes.buffer, output!.bytes.byteOffset, count);
    if (rows.kind === 'range')
      for (let index = 0; index < count; index += 1) values[index] = rows.start + index * rows.step;
    else if (rows.kind === 'indices')
      for (let index = 0; index < count; index += 1) values[index] = Number(rows.indices[index]);
    return [writtenChunk(output!, count, null)];
  }

  viewColumn(): Uint8Array {
    throw new CannotViewError('ERR_NOT_MAPPED', 'made up', 'none');
  }

  close(): void {
    return;
  }
}
