// where() among the other steps of a view, and every way to materialise it.
import { CannotViewError, OutOfRangeError, UnsupportedError } from '@colkit/io';
import { applyAction, chainArbitrary, tableArbitrary } from '@colkit/testkit';
import type { OracleTable } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settleInput, Table, toInputColumns } from '../../src/index.ts';
import { readAll } from '../support/inputs.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { act, cells, tableFrom, upTo } from '../support/tables.ts';
import { evaluate } from './oracle.ts';
import { Draw, randomCondition, toExpression } from './random-predicates.ts';
import { AnsweringTable, open, predicate } from './where-tables.ts';

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

const ids = upTo(100).filter((row) => (row * 37) % 100 > 60 && row % 10 !== 0 && row % 7 === 3);

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
  it('mistakes in steps behind a predicate are told at once where possible, else with the rows', async () => {
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
