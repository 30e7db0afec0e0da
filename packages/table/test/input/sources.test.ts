// Schemas on the way in, and inputs that are no plain columns: rows, records, lazy tables.
import { WorkContext } from '@colkit/io/effects';
import { ALL_DTYPES, tableArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordBatch, Table, toInputColumns, typed } from '../../src/index.ts';
import type { InputOptions, TableInput } from '../../src/index.ts';
import { readAll } from '../support/inputs.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, tableFrom } from '../support/tables.ts';
import { refusal, types } from './refusal.ts';

describe('schema', () => {
  test('fixes names, order and types, in every form', async () => {
    const input = { b: [1, 2], a: [true, false], when: ['2024-01-01', '2024-01-02'] };
    for (const schema of [
      { when: 'datetime64[D]', a: 'bool', b: 'int16' },
      new Map([
        ['when', 'datetime64[D]'],
        ['a', 'bool'],
        ['b', 'int16'],
      ] as const),
      [
        { name: 'when', dtype: 'datetime64[D]' },
        { name: 'a', dtype: 'bool' },
        { name: 'b', dtype: 'int16' },
      ] as const,
    ] as const) {
      expect(types(input, { schema })).toEqual(['when: datetime64[D]', 'a: bool', 'b: int16']);
      expect(await readAll(toInputColumns(input, { schema }))).toEqual({
        when: [19723n, 19724n],
        a: [true, false],
        b: [1, 2],
      });
    }
  });

  test('gives types to what says none, and tables without rows', () => {
    expect(types({ x: [] }, { schema: { x: 'uint8' } })).toEqual(['x: uint8']);
    expect(types([], { schema: { x: 'uint8', y: 'string' } })).toEqual(['x: uint8', 'y: string']);
    expect(types({ x: [null] }, { schema: { x: 'uint8' } })).toEqual(['x: uint8?']);
    expect(types({ x: [1] }, { schema: { x: { dtype: 'uint8', nullable: true } } })).toEqual(['x: uint8?']);
    expect(types(tableFrom({ x: ['int8', [1]] }), { schema: { x: { dtype: 'int8', nullable: true } } })).toEqual([
      'x: int8?',
    ]);
  });

  test.each<[string, TableInput, InputOptions['schema'], string]>([
    ['a missing column', { a: [1] }, { a: 'float64', b: 'int8' }, 'ERR_SCHEMA'],
    ['a column too many', { a: [1], b: [2] }, { a: 'float64' }, 'ERR_SCHEMA'],
    ['typed values of another type', { a: typed('int8', [1]) }, { a: 'int16' }, 'ERR_SCHEMA'],
    ['a table of another type', tableFrom({ a: ['int8', [1]] }), { a: 'int16' }, 'ERR_SCHEMA'],
    ['nulls that it rules out', { a: [null] }, { a: { dtype: 'int8', nullable: false } }, 'ERR_VALUE'],
    [
      'a nullable column that it rules out',
      tableFrom({ a: ['int8?', [1]] }),
      { a: { dtype: 'int8', nullable: false } },
      'ERR_SCHEMA',
    ],
    ['values that do not fit', { a: [300] }, { a: 'uint8' }, 'ERR_VALUE'],
    ['an unknown dtype', { a: [1] }, { a: 'decimal' as 'int8' }, 'ERR_DTYPE'],
    [
      'a name twice',
      { a: [1] },
      [
        { name: 'a', dtype: 'int8' },
        { name: 'a', dtype: 'int8' },
      ],
      'ERR_SCHEMA',
    ],
    ['rows with more names', [{ a: 1, b: 2 }], { a: 'int8' }, 'ERR_SCHEMA'],
  ])('refuses %s', (_what, input, schema, code) => {
    expect(refusal(() => toInputColumns(input, { schema: schema! })).code).toBe(code);
  });
});

describe('other sources', () => {
  test('row objects', async () => {
    const rows = [
      { id: 1n, name: 'a', ok: true },
      { ok: false, name: null, id: 2n },
    ];
    expect(types(rows)).toEqual(['id: int64', 'name: string?', 'ok: bool']);
    expect(await readAll(toInputColumns(rows))).toEqual({ id: [1n, 2n], name: ['a', null], ok: [true, false] });
    expect(
      await readAll(toInputColumns([Object.assign(Object.create(null) as object, { ['__proto__']: 5 })] as never)),
    ).toEqual(Object.assign(Object.create(null) as object, { ['__proto__']: [5] }));
  });

  test('packed records', async () => {
    const table = tableFrom({
      flag: ['bool', [true, false, true, true]],
      x: ['float64', [0.5, 1, 2, 3]],
      s: ['S3', ['a', '', 'abc', 'é']],
      n: ['int16?', [1, null, 3, null]],
      h: ['float16', [1, 2, 3, 4]],
    });
    expect(await readAll(toInputColumns(await table.toRecords()))).toEqual(
      Object.fromEntries((['flag', 'x', 's', 'n', 'h'] as const).map((name) => [name, [...table.column(name)]])),
    );
    const gaps = new RecordBatch({
      fields: [{ name: 'a', dtype: 'int16', nullable: false, byteOffset: 1 }],
      rowCount: 2,
      byteStride: 4,
      bytes: Uint8Array.of(9, 1, 0, 9, 9, 2, 0, 9),
    });
    expect(await readAll(toInputColumns(gaps))).toEqual({ a: [1, 2] });
  });

  test('what toColumns gives, in every form', async () => {
    const table = tableFrom({
      i: ['int16?', [1, null, 3]],
      s: ['string?', ['a', null, 'a']],
      f: ['float64', [1, 2, 3]],
      u: ['S2', ['x', 'yy', '']],
    });
    expect(await readAll(toInputColumns((await table.toColumns()) as never))).toEqual({
      i: [1, null, 3],
      s: ['a', null, 'a'],
      f: [1, 2, 3],
      u: ['x', 'yy', ''],
    });
    const forms = await table.toColumns({ nulls: 'bitmap', strings: 'dictionary' });
    expect(types(forms as never)).toEqual(['i: int16?', 's: string?', 'f: float64', 'u: string']);
    expect(await readAll(toInputColumns(forms as never))).toEqual({
      i: [1, null, 3],
      s: ['a', null, 'a'],
      f: [1, 2, 3],
      u: ['x', 'yy', ''],
    });
  });

  test('a bitmap wins over what lies in null rows', async () => {
    const input = toInputColumns({
      x: { values: Int8Array.of(1, 2, 3), validity: Uint8Array.of(0b101) },
      s: { values: ['a', 'b', 'c'], validity: Uint8Array.of(0b011) },
      f: { values: typed('S1', ['a', 'b', 'c']), validity: Uint8Array.of(0b110) },
    });
    expect(await readAll(input)).toEqual({ x: [1, null, 3], s: ['a', 'b', null], f: [null, 'b', 'c'] });
  });

  test('columns of a lazy table beside others, under other names', async () => {
    const table = tableFrom({ x: ['int32', [1, 2, 3, 4]], s: ['string', ['a', 'b', 'c', 'd']] });
    const input = toInputColumns({
      picked: table.column('x').take([3, 0]),
      text: table.column('s').slice(1, 3),
      own: [0.5, 1.5],
    });
    expect(input.fields.map(({ name, dtype }) => `${name}: ${dtype}`)).toEqual([
      'picked: int32',
      'text: string',
      'own: float64',
    ]);
    expect(await readAll(input)).toEqual({ picked: [4, 1], text: ['b', 'c'], own: [0.5, 1.5] });
  });

  test('any lazy table, as it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        tableArbitrary({ dtypes: ALL_DTYPES, nullable: true }),
        fc.boolean(),
        async (oracle, dictionary) => {
          const table = new Table(new MemoryTable(oracle, dictionary ? { strings: 'dictionary' } : {}));
          const input = toInputColumns(table.slice(undefined, undefined, -1));
          expect(input.fields).toEqual(table.schema);
          const found = await readAll(input);
          for (const { name, values } of oracle.columns)
            expect([name, found[name]]).toEqual([name, [...values].reverse()]);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a lazy table on the way in', () => {
  const oracle = oracleOf({
    x: ['int32', Array.from({ length: 1000 }, (_, row) => row)],
    y: ['uint8', Array.from({ length: 1000 }, (_, row) => row % 256)],
  });

  test('is read range by range, one column at a time', async () => {
    const source = new MemoryTable(oracle);
    const input = toInputColumns(new Table(source).filter(Uint8Array.from({ length: 1000 }, (_, row) => row % 2)));
    expect([input.rowCount, source.requests]).toEqual([500, []]);
    await input.columns[1]!.read(100, 150).run(new WorkContext());
    input.columns[0]!.read(499, 500).runSync(new WorkContext());
    expect(
      source.requests.map(({ columns, rows }) => [columns, rows.kind === 'indices' && rows.indices.length]),
    ).toEqual([
      [[1], 50],
      [[0], 1],
    ]);
  });

  test('is checked before the first read: its indices, and whether it is open', () => {
    const source = new MemoryTable(oracle);
    const table = new Table(source);
    expect(refusal(() => toInputColumns(table.take([1, 1000])))).toMatchObject({
      code: 'ERR_INDEX_OUT_OF_RANGE',
      position: 1,
    });
    expect(source.requests).toEqual([]);
    table.close();
    expect(refusal(() => toInputColumns(table)).code).toBe('ERR_CLOSED');
  });

  test('stops for a signal', async () => {
    const input = toInputColumns(new Table(new MemoryTable(oracle)));
    await expect(
      input.columns[0]!.read(0, 10).run(new WorkContext({ signal: AbortSignal.abort(new Error('enough')) })),
    ).rejects.toThrow('enough');
  });
});
