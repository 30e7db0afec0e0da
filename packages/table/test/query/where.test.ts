// where() among the other steps of a view, and every way to materialise it.
import { CannotViewError, OutOfRangeError, UnsupportedError } from '@colkit/io';
import { TURN } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import { applyAction, chainArbitrary, tableArbitrary } from '@colkit/testkit';
import type { OracleTable } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { col, evaluateBatch, settleInput, Table, toInputColumns } from '../../src/index.ts';
import { rangeOf } from '../../src/index.ts';
import type { Answer, ColumnData, Plan, ReadRequest, TableSource } from '../../src/index.ts';
import { Mask } from '../../src/views/mask.ts';
import { allRows } from '../../src/views/rows.ts';
import { readAll } from '../support/inputs.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { act, cells, oracleOf, tableFrom, upTo } from '../support/tables.ts';
import { batchOf } from './batches.ts';
import { evaluate } from './oracle.ts';
import { Draw, randomCondition, toExpression } from './random-predicates.ts';

const DTYPES = [
  'bool',
  'int8',
  'uint16',
  'int32',
  'int64',
  'float32',
  'float64',
  'datetime64[us]',
  'S5',
  'U3',
  'string',
];

function whereOracle(table: OracleTable, tree: Parameters<typeof evaluate>[0]): OracleTable {
  const rows = upTo(table.rowCount).filter((row) => evaluate(tree, row) === true);
  return {
    rowCount: rows.length,
    columns: table.columns.map((column) => ({ ...column, values: rows.map((row) => column.values[row]) })),
  };
}

function plain(table: OracleTable): Record<string, unknown> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const { name, values } of table.columns) result[name] = [...values];
  return result;
}

function got(table: OracleTable, columns: Record<string, unknown>): Record<string, unknown> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const { name, dtype } of table.columns) result[name] = cells(dtype, columns[name]);
  return result;
}

describe('among other steps, in any order and depth', () => {
  it('gives what the oracle gives', async () => {
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(
        chainArbitrary({ dtypes: DTYPES, nullable: true }, 4),
        fc.array(fc.integer({ min: 0 }), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async ({ table, actions }, seeds, answersItself) => {
          const source = answersItself
            ? new AnsweringTable(table)
            : new MemoryTable(table, { splits: [Math.floor(table.rowCount / 2)] });
          let [view, oracle] = [new Table(source), table];
          // Predicates before, between and after the steps; what follows one was drawn for other row counts, and is
          // made to fit.
          for (const [index, seed] of [...seeds, ...actions.map(() => -1)]
            .sort((a, b) => ((a * 7919) % 13) - ((b * 7919) % 13))
            .entries()) {
            const action = seed === -1 ? actions[index % actions.length] : undefined;
            if (action === undefined) {
              if (oracle.columns.length === 0) continue;
              const tree = randomCondition(new Draw(Math.abs(seed)), oracle, 2);
              view = view.where(toExpression(tree));
              oracle = whereOracle(oracle, tree);
              kept += oracle.rowCount;
              continue;
            }
            const fitted = fit(action, oracle);
            view = act(view, fitted);
            oracle = applyAction(oracle, fitted);
          }
          const expected = plain(oracle);
          expect(got(oracle, view.toColumnsSync())).toEqual(expected);
          expect(got(oracle, await view.toColumns())).toEqual(expected);
          expect(view.countSync()).toBe(oracle.rowCount);
          expect(await view.count()).toBe(oracle.rowCount);
        },
      ),
      { numRuns: 400 },
    );
    expect(kept).toBeGreaterThan(200);
  });
});

type Action = Parameters<typeof applyAction>[1];

function fit(action: Action, { rowCount, columns }: OracleTable): Action {
  switch (action.kind) {
    case 'take':
      return { kind: 'take', indices: rowCount === 0 ? [] : action.indices.map((index) => index % rowCount) };
    case 'filter':
      return {
        kind: 'filter',
        mask: upTo(rowCount).map((row) => action.mask[row % Math.max(1, action.mask.length)] === true),
      };
    case 'select':
    case 'drop':
      return {
        kind: action.kind,
        names: action.names.filter((name) => columns.some((column) => column.name === name)),
      };
    case 'slice':
    case 'head':
    case 'tail':
      return action;
  }
}

const TABLE = oracleOf({
  id: ['int32', upTo(100)],
  price: ['float64', upTo(100).map((row) => (row * 37) % 100)],
  name: ['string?', upTo(100).map((row) => (row % 10 === 0 ? null : `n${String(row % 7)}`))],
  big: ['int64', upTo(100).map((row) => BigInt(row))],
});
const ids = upTo(100).filter((row) => (row * 37) % 100 > 60 && row % 10 !== 0 && row % 7 === 3);
const open = (options?: ConstructorParameters<typeof MemoryTable>[1]): { table: Table; source: MemoryTable } => {
  const source = new MemoryTable(TABLE, options);
  return { source, table: new Table(source) };
};
const predicate = col('price').gt(60).and(col('name').eq('n3'));

describe('every way to materialise', () => {
  const view = open({ splits: [33] })
    .table.where(predicate)
    .select('id', 'big');
  const expectedBig = BigInt64Array.from(ids, BigInt);

  it('columns, column maps, columns one by one', async () => {
    expect(await view.toColumns()).toEqual(
      Object.assign(Object.create(null) as object, { id: Int32Array.from(ids), big: expectedBig }),
    );
    expect((await view.toColumnMap()).get('id')).toEqual(Int32Array.from(ids));
    expect(view.toColumnMapSync().get('id')).toEqual(Int32Array.from(ids));
    expect(await view.column('id').toArray()).toEqual(Int32Array.from(ids));
    const out = new Int32Array(ids.length);
    expect(view.column('id').toArraySync({ out })).toBe(out);
    expect([...out]).toEqual(ids);
    expect(await view.column('id').at(1)).toBe(ids[1]);
    expect(view.column('id').atSync(-1)).toBe(ids.at(-1));
    expect(() => view.column('id').atSync(ids.length)).toThrow(OutOfRangeError);
    const seen: unknown[] = [];
    for await (const value of view.column('id')) seen.push(value);
    expect(seen).toEqual(ids);
  });

  it('records, rows and batches', async () => {
    expect((await view.toRecords()).at(1)).toEqual({ id: ids[1], big: BigInt(ids[1]!) });
    expect(view.toRecordsSync().rowCount).toBe(ids.length);
    expect((await view.toRows()).map(({ id }) => id)).toEqual(ids);
    expect(view.toRowsSync().map(({ id }) => id)).toEqual(ids);
    expect([...view.rowsSync()].map(({ id }) => id)).toEqual(ids);
    const seen: unknown[] = [];
    for await (const row of view.rows()) seen.push(row['id']);
    expect(seen).toEqual(ids);
    const lengths: number[] = [];
    for await (const batch of view.batches({ rows: 2 })) lengths.push((batch['id'] as Int32Array).length);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(ids.length);
    expect([...view.batchesSync({ rows: 2 })].map((batch) => (batch['id'] as Int32Array).length)).toEqual(lengths);
  });

  it('aggregates, previews, Arrow tables', async () => {
    expect(await view.column('id').sum()).toBe(ids.reduce((sum, id) => sum + id, 0));
    expect(view.column('id').minSync()).toBe(Math.min(...ids));
    expect(await view.column('id').count()).toBe(ids.length);
    expect(await view.preview()).toContain(`${String(ids.length)} rows x 2 columns`);
    expect(view.previewSync()).toBe(await view.preview());
    expect((await view.toArrow()).numRows).toBe(ids.length);
  });

  it('what writers read', async () => {
    expect((await readAll(toInputColumns(new Table(view.view))))['id']).toEqual(ids);
    const settled = await settleInput({ x: view.column('id'), y: expectedBig });
    expect((await readAll(toInputColumns(settled)))['x']).toEqual(ids);
    expect((await readAll(toInputColumns(await settleInput(new Table(view.view)))))['big']).toEqual([...expectedBig]);
    const rows = [{ a: 1 }];
    expect(await settleInput(rows)).toBe(rows);
  });

  it('but not what needs the rows to be known', () => {
    expect(() => view.rowCount).toThrow(UnsupportedError);
    expect(() => view.rowCount).toThrow(/count\(\)/u);
    expect(() => view.column('id').length).toThrow(UnsupportedError);
    expect(() => view.viewColumns()).toThrow(CannotViewError);
    expect((view as unknown as Record<symbol, () => string>)[Symbol.for('nodejs.util.inspect.custom')]!()).toContain(
      "rows where price > 60 and name == 'n3' x 2 columns",
    );
  });
});

describe('checks', () => {
  it('mistakes in steps behind a predicate are told at once where they can be, else when the rows are known', async () => {
    const view = open().table.where('id < 10');
    expect(() => view.slice(0, 5, 0)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
    expect(() => view.head(-1)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
    expect(() => view.take(['a'] as never)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
    expect(() => view.filter(null as never)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
    expect(() => view.filter([1] as never)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
    expect(() => view.select('nope')).toThrow(expect.objectContaining({ code: 'ERR_UNKNOWN_COLUMN' }));
    await expect(view.filter(new Uint8Array(9)).toColumns()).rejects.toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT' }),
    );
    await expect(view.take([10]).toColumns()).rejects.toThrow(OutOfRangeError);
    expect(() => open().table.take([5, 100]).where('id < 10').countSync()).toThrow(OutOfRangeError);
  });

  it('a closed source and an aborted signal', async () => {
    const { table } = open();
    const view = table.where('id < 10');
    await expect(view.toColumns({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    await expect(view.count({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    table.close();
    for (const run of [() => view.countSync(), () => view.toColumnsSync(), () => view.explainSync()])
      expect(run).toThrow(expect.objectContaining({ code: 'ERR_CLOSED' }));
    await expect(view.count()).rejects.toThrow(expect.objectContaining({ code: 'ERR_CLOSED' }));
  });
});

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

/** Answers from all of its rows at once, in one form of selection after the other. */
class AnsweringTable extends MemoryTable implements TableSource {
  readonly asked: { start: number; end: number; limit: number }[] = [];
  readonly #table: OracleTable;

  constructor(table: OracleTable) {
    super(table);
    this.#table = table;
  }

  *execute(plan: Plan): Work<Answer> {
    yield TURN;
    const range = rangeOf(plan.rows)!;
    if (plan.want.kind === 'explanation')
      return {
        kind: 'explanation',
        lines: [`rows ${String(range.start)} to ${String(range.end)} of a source that answers itself`],
      };
    this.asked.push({ ...range, limit: plan.limit });
    const whole = evaluateBatch(plan.where!, batchOf(this.#table, 'text'));
    const found = upTo(this.rowCount).filter((row) => row >= range.start && row < range.end && whole[row] === 1);
    if (plan.want.kind === 'aggregates') {
      plan.want.aggregation.add({ rowCount: found.length, valuesOf: () => expect.unreachable() });
      return { kind: 'aggregates' };
    }
    const base = allRows(this.rowCount);
    if (this.asked.length % 2 === 0)
      return { kind: 'rows', rows: { kind: 'take', base, indices: Int32Array.from(found) } };
    const mask = new Uint8Array(this.rowCount);
    for (const row of found) mask[row] = 1;
    return { kind: 'rows', rows: { kind: 'filter', base, mask: new Mask(mask, this.rowCount) } };
  }
}

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

  read(request: ReadRequest): Operation<readonly ColumnData[]> {
    const runSync = (): readonly ColumnData[] => this.#numbers(request);
    return {
      run: async () => {
        await Promise.resolve();
        return runSync();
      },
      runSync,
    };
  }

  #numbers({ rows, outputs: [output] }: ReadRequest): readonly ColumnData[] {
    const count = rows.kind === 'indices' ? rows.indices.length : rows.count;
    this.rowsRead += count;
    this.memories.add(output!.bytes.buffer);
    const values = new Int32Array(output!.bytes.buffer, output!.bytes.byteOffset, count);
    if (rows.kind === 'range')
      for (let index = 0; index < count; index += 1) values[index] = rows.start + index * rows.step;
    else if (rows.kind === 'indices')
      for (let index = 0; index < count; index += 1) values[index] = Number(rows.indices[index]);
    return [{ kind: 'fixed', validity: null }];
  }

  viewColumn(): Uint8Array {
    throw new CannotViewError('ERR_NOT_MAPPED', 'made up', 'none');
  }

  close(): void {
    return;
  }
}

it('random tables of all dtypes are counted the same in batches of any size', () => {
  fc.assert(
    fc.property(tableArbitrary({ dtypes: DTYPES, nullable: true }), fc.integer({ min: 0 }), (table, seed) => {
      const tree = randomCondition(new Draw(seed), table, 1);
      const view = tableFrom(
        Object.fromEntries(
          table.columns.map(({ name, dtype, nullable, values }) => [name, [`${dtype}${nullable ? '?' : ''}`, values]]),
        ),
      ).where(toExpression(tree));
      expect(
        [...view.batchesSync({ rows: 3 })].reduce(
          (sum, batch) => sum + (Object.values(batch)[0] as ArrayLike<unknown>).length,
          0,
        ),
      ).toBe(whereOracle(table, tree).rowCount);
    }),
    { numRuns: 60 },
  );
});
