import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Table } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, tableFrom, upTo } from '../support/tables.ts';

describe('preview', () => {
  test('shows every kind of value, numbers to the right', async () => {
    const table = tableFrom({
      id: ['int64', [7n, -1234n]],
      price: ['float32', [Math.fround(0.1), -0]],
      half: ['float16', [0.0999755859375, Infinity]],
      ok: ['bool', [true, false]],
      day: ['datetime64[D]', [19782n, -(2n ** 63n)]],
      wait: ['timedelta64[25s]', [2n, 0n]],
      note: ['string?', ['a\nb\u202e', null]],
      raw: ['binary', [Uint8Array.of(1, 2), new Uint8Array(0)]],
    });
    const text = [
      '   id    price      half  ok     day            wait              note            raw',
      'int64  float32   float16  bool   datetime64[D]  timedelta64[25s]  string?         binary',
      '    7      0.1       0.1  true   2024-02-29     50 s              a\\u000ab\\u202e  <2 bytes>',
      '-1234       -0  Infinity  false  NaT            0 s               null            <0 bytes>',
      '2 rows x 8 columns',
    ].join('\n');
    expect(await table.preview()).toBe(text);
    expect(table.previewSync()).toBe(text);
  });

  test('shows more rows than a call takes arguments', () => {
    const table = new Table(new MemoryTable(oracleOf({ n: ['int32', upTo(150_000)] })));
    const lines = table.previewSync({ rows: 140_000 }).split('\n');
    expect([lines.length, lines[2], lines.at(-2)]).toEqual([2 + 140_000 + 1 + 1, '     0', '149999']);
  });

  test('shows the first and the last rows, and reads no others', async () => {
    const source = new MemoryTable(oracleOf({ n: ['int32', upTo(1000)] }));
    expect(await new Table(source).preview({ rows: 3 })).toBe(
      ['    n', 'int32', '    0', '    1', '    …', '  999', '1000 rows x 1 column'].join('\n'),
    );
    expect(source.requests.map(({ rows }) => rows)).toEqual([
      { kind: 'range', start: 0, step: 1, count: 2 },
      { kind: 'range', start: 999, step: 1, count: 1 },
    ]);
    expect(new Table(source).slice(undefined, undefined, -1).previewSync({ rows: 1 })).toBe(
      ['    n', 'int32', '  999', '    …', '1000 rows x 1 column'].join('\n'),
    );
    expect(new Table(source).head(0).previewSync()).toBe(['    n', 'int32', '0 rows x 1 column'].join('\n'));
  });

  test('cuts long text and many columns, and tells how many', async () => {
    const wide = new Table(
      new MemoryTable({
        rowCount: 1,
        columns: upTo(15).map((n) => ({
          name: `c${String(n)}`,
          dtype: 'string',
          nullable: false,
          values: ['😀'.repeat(40)],
        })),
      }),
    );
    const lines = (await wide.preview({ columns: 1 })).split('\n');
    expect(lines).toEqual(['c0', 'string', `${'😀'.repeat(32)}…`, '1 row x 15 columns, 14 of them not shown']);
    expect((await wide.preview()).split('\n').at(-1)).toBe('1 row x 15 columns, 3 of them not shown');
  });

  test('of a table without columns', async () => {
    expect(
      await tableFrom({ x: ['int8', [1, 2]] })
        .select()
        .preview(),
    ).toBe('2 rows x 0 columns');
  });

  test.each([{ rows: 0 }, { rows: 1.5 }, { columns: -1 }])('refuses %j', async (options) => {
    await expect(tableFrom({ x: ['int8', [1]] }).preview(options)).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  });
});

describe('util.inspect', () => {
  test('tells name, size and types without reading', () => {
    const source = new MemoryTable(oracleOf({ price: ['float64', [1]], 'a\nb': ['string?', [null]] }));
    const table = new Table(source);
    expect(inspect(table)).toBe('Table "memory", 1 row x 2 columns { price: float64, a\\u000ab: string? }');
    expect(inspect(table.column('price').slice(0, 0))).toBe('Column "memory", 0 rows x 1 column { price: float64 }');
    table.close();
    expect(inspect({ table })).toContain('Table "memory" (closed), 1 row');
    expect(source.requests).toEqual([]);
  });

  test('names the first twenty columns', () => {
    const table = new Table(
      new MemoryTable({
        rowCount: 0,
        columns: upTo(23).map((n) => ({ name: `c${String(n)}`, dtype: 'int8', nullable: false, values: [] })),
      }),
    );
    expect(inspect(table)).toMatch(/c19: int8, 3 more \}$/);
  });
});
