// What users do with a table of any format: schema, whole columns in every form, lazy views, predicates, rows, batches,
// single cells, zero copy.
import { col } from '@colkit/table';
import type { Column, Expression, Field, Table } from '@colkit/table';
import type { Recorder } from '../run/outcome.ts';
import type { Random } from '../run/random.ts';
import { EDGE_FLOATS, EDGE_INTEGERS } from './format.ts';

/** Rows above which only whole columns are asked for: objects of as many rows would measure the machine. */
const MOST_ROWS = 60_000;

/** Looks at an open table; the same random numbers ask for the same in both backends. */
export async function exerciseTable(recorder: Recorder, table: Table, random: Random): Promise<void> {
  const step = recorder.step.bind(recorder);
  await step('schema', () => table.schema);
  const { rowCount } = table;
  const asks = choices(random, table.schema, rowCount);
  await step('toColumns', () => table.toColumns());
  await step('toColumnsSync bitmap', () => table.toColumnsSync({ nulls: 'bitmap', strings: 'dictionary' }));
  await step('take', () => table.take(asks.rows).toColumns());
  await step('takeSync', () => table.take(Float64Array.from(asks.rows)).toColumnsSync({ nulls: 'nan' }));
  await step('take outside', () => table.take([...asks.rows, asks.outside]).toColumns());
  await step('slice', () => table.slice(asks.start, asks.end, asks.step).toColumns());
  await step('sliceSync back', () => table.slice(undefined, undefined, -asks.step).toColumnsSync());
  if (rowCount > MOST_ROWS || asks.field === undefined) return;
  const { name } = asks.field;
  const { mask } = asks;
  await step('filter', () => table.filter(mask).toColumns());
  await step('filter Sync slice', () => table.filter(mask).slice(1, -1).take([0, -1]).toColumnsSync());
  for (const [number, predicate] of asks.predicates.entries()) {
    await step(`where ${String(number)}`, () => table.where(predicate).toColumns());
    await step(`where ${String(number)} count`, () => table.where(predicate).countSync());
    await step(`where ${String(number)} view`, () =>
      table.slice(asks.start, asks.end, asks.step).where(predicate).select(name).toColumnsSync(),
    );
    await step(`where ${String(number)} head`, () => table.where(predicate).head(3).toRows());
    await step(`where ${String(number)} explain`, () => table.where(predicate).explain());
  }
  await step('viewColumns', () => copied(table.viewColumns(), table.toColumnsSync({ strings: 'bytes' })));
  await exerciseColumn(recorder, () => table.column(name), asks);
  await step('toRows', () => table.toRows());
  await step('toRowsSync number', () => table.toRowsSync({ int64: 'number' }));
  await step('toRecords', () => table.toRecords());
  await step('toRecordsSync slice', () => table.slice(asks.start, asks.end, asks.step).toRecordsSync());
  await step('batches', async () => {
    const batches = [];
    for await (const batch of table.batches({ rows: 50 })) batches.push(batch);
    return batches;
  });
  await step('rowsSync', () => Array.from(table.where(asks.predicates[0] as Expression<boolean>).rowsSync()));
  await step('preview', () => table.preview());
  await step('toColumns number', () => table.toColumnsSync({ int64: 'number' }));
}

async function exerciseColumn(recorder: Recorder, column: () => Column, asks: Choices): Promise<void> {
  const step = recorder.step.bind(recorder);
  await step('column', () => column().toArray());
  await step('column take', () => column().take(asks.rows).toArraySync());
  await step('viewArray', () =>
    copied({ view: column().viewArray() }, { view: column().toArraySync({ strings: 'bytes' }) }),
  );
  const part = (): Column => column().slice(asks.start, asks.end);
  await step('viewArray slice', () =>
    copied({ view: part().viewArray() }, { view: part().toArraySync({ strings: 'bytes' }) }),
  );
  await step('at', () => column().at(asks.rows[0] ?? 0));
  await step('atSync', () => column().atSync(-1));
  for (const fold of ['count', 'min', 'max', 'sum', 'mean'] as const) {
    await step(`column ${fold}`, () => column()[fold]());
    await step(`column ${fold} slice`, () => column().slice(asks.start, asks.end, asks.step)[`${fold}Sync`]());
  }
  await step('column iterator', () => Array.from(column().head(100)));
}

/** What views show: the same as copies, where those are typed arrays of the same kind. */
function copied(views: object, copies: object): unknown {
  const expected = new Map<string, unknown>(Object.entries(copies));
  return Object.entries(views).map(([name, view]: [string, unknown]) => {
    if (!ArrayBuffer.isView(view)) return [name, view];
    const copy = expected.get(name);
    if (
      ArrayBuffer.isView(copy) &&
      copy.constructor === view.constructor &&
      Buffer.compare(octets(view), octets(copy)) !== 0
    )
      throw new Error(`the view of ${name} is not what is copied`);
    return [name, (view as Uint8Array).slice()];
  });
}

function octets({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export interface Choices {
  readonly rows: readonly number[];
  readonly outside: number;
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly mask: Uint8Array;
  readonly field: Field | undefined;
  /** Another field, to group by. */
  readonly other: Field | undefined;
  readonly predicates: readonly Expression<boolean>[];
}

export function choices(random: Random, schema: readonly Field[], rowCount: number): Choices {
  const field = schema.length === 0 ? undefined : random.pick(schema);
  const other = schema.length === 0 ? undefined : random.pick(schema);
  const row = (): number => (rowCount === 0 ? 0 : random.integer(2 * rowCount) - rowCount);
  const few = Math.min(rowCount, MOST_ROWS);
  return {
    rows: Array.from({ length: rowCount === 0 ? 0 : 1 + random.integer(20) }, row),
    outside: random.pick([rowCount, -rowCount - 1, 2 ** 31, 2 ** 53 - 1]),
    start: row(),
    end: row(),
    step: 1 + random.integer(5),
    mask: Uint8Array.from({ length: few }, () => random.integer(2)),
    field,
    other,
    predicates:
      schema.length === 0
        ? []
        : [
            predicateOn(random, random.pick(schema)),
            predicateOn(random, random.pick(schema)).and(predicateOn(random, random.pick(schema))),
          ],
  };
}

function predicateOn(random: Random, { name, dtype, nullable }: Field): Expression<boolean> {
  const column = col(name);
  if (nullable && random.integer(4) === 0) return random.integer(2) === 0 ? column.isNull() : column.notNull();
  if (dtype === 'bool') return column.eq(random.integer(2) === 1);
  if (/^(string|S|U)/.test(dtype))
    return random.integer(3) === 0
      ? column.startsWith('a')
      : column.gt(random.pick(['', 'a', 'b', 'paid', 'EMEA', 'é']));
  if (dtype === 'binary') return column.notNull();
  const value = dtype.startsWith('float') ? random.pick(EDGE_FLOATS) : random.pick(EDGE_INTEGERS);
  switch (random.integer(6)) {
    case 0:
      return column.eq(value);
    case 1:
      return column.ne(value);
    case 2:
      return column.lt(value);
    case 3:
      return column.ge(value);
    case 4:
      return column.between(-5, 40);
    default:
      return column.isIn([value, 1, 2, 3]);
  }
}
