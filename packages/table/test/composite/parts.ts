// Oracle tables cut into parts: with columns in another order, with columns that all rows have one value of, with and
// without knowledge of plans; and what is open of them.
import { rangeOf } from '../../src/index.ts';
import type { Answer, ConstantColumn, Part, Plan, StatisticsValue, TableSource } from '../../src/index.ts';
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { OracleColumn, OracleTable } from '@colkit/testkit';
import { CompositeTable, uniteFields } from '../../src/index.ts';
import type { OnMismatch } from '../../src/index.ts';
import { addRows } from '../../src/plan/add-rows.ts';
import { findRows } from '../../src/plan/execute.ts';
import { MemoryTable } from '../support/memory-table.ts';
import type { MemoryTableOptions, Utf8Form } from '../support/memory-table.ts';

/** Answers plans from reads of its own: of what adds up, the second half of the rows is left over. */
export class KnowingTable extends MemoryTable implements TableSource {
  readonly #plain: TableSource;

  constructor(table: OracleTable, options: MemoryTableOptions = {}) {
    super(table, options);
    this.#plain = new MemoryTable(table);
  }

  *execute(plan: Plan): Work<Answer> {
    yield TURN;
    const range = rangeOf(plan.rows);
    const { want } = plan;
    if (range === null || plan.rows.kind !== 'range') return { kind: 'rest', plans: [plan] };
    switch (want.kind) {
      case 'explanation':
        return { kind: 'explanation', lines: [`${plan.where?.text ?? 'all'} is known`] };
      case 'rows':
      case 'columns':
        return { kind: 'rows', rows: yield* findRows(this.#plain, { ...plan, want: { kind: 'rows' } }) };
      case 'aggregates': {
        const half = Math.floor(plan.rows.count / 2);
        yield* addRows(this.#plain, { ...plan, want, rows: { ...plan.rows, count: half } });
        const rows = { ...plan.rows, start: plan.rows.start + half, count: plan.rows.count - half };
        return { kind: 'rest', plans: [{ ...plan, rows }] };
      }
    }
  }
}

export interface CutOptions {
  readonly mostOpen?: number;
  /** Row numbers where parts begin, ascending; the same one twice makes an empty part. */
  readonly cuts: readonly number[];
  /** Of each part: how far its columns are turned. */
  readonly turns?: readonly number[];
  readonly knows?: readonly boolean[];
  /** Of each part: how texts that are wanted as UTF-8 come. */
  readonly utf8?: readonly Utf8Form[];
  /** Whether parts that know plans can be opened as one, where their columns are turned alike. */
  readonly fits?: boolean;
  /** Columns that are no columns of the parts where a part has one value of them. */
  readonly constant?: readonly string[];
  readonly onMismatch?: OnMismatch;
}

/** What happened to the parts. */
export interface Opened {
  count: number;
  /** Of these, several as one. */
  joined: number;
  open: number;
  most: number;
  readonly constants: ConstantColumn[];
}

export function cut(table: OracleTable, options: CutOptions): { table: CompositeTable; opened: Opened } {
  const bounds = [0, ...options.cuts, table.rowCount];
  const opened: Opened = { count: 0, joined: 0, open: 0, most: 0, constants: [] };
  const parts = bounds.slice(0, -1).map((start, number): Part => {
    const rows = { start, end: bounds[number + 1] as number };
    return partOf(sliceOf(table, rows.start, rows.end), options, number, opened);
  });
  const united = uniteFields(parts, options.onMismatch ?? 'strict');
  return { table: new CompositeTable('parts', parts, united, null, options.mostOpen), opened };
}

export function sliceOf(table: OracleTable, start: number, end: number): OracleTable {
  const columns = table.columns.map((column) => ({ ...column, values: column.values.slice(start, end) }));
  return { rowCount: end - start, columns };
}

function partOf(table: OracleTable, options: CutOptions, number: number, opened: Opened): Part {
  const fixed = table.columns.filter(({ name, dtype, values }) => {
    const isWanted = options.constant?.includes(name) === true && dtype !== 'float128' && values.length > 0;
    return isWanted && values.every((value) => isSame(value, values[0])) && !Number.isNaN(values[0]);
  });
  const stored = table.columns.filter((column) => !fixed.includes(column));
  const turn = (options.turns?.[number] ?? 0) % Math.max(1, stored.length);
  const columns = [...stored.slice(turn), ...stored.slice(0, turn)];
  const own: OracleTable = { rowCount: table.rowCount, columns };
  const knowsPlans = options.knows?.[number] === true;
  const shape = new MemoryTable(own);
  const openedOf = (all: OracleTable): TableSource => {
    const form = { utf8: options.utf8?.[number] ?? 'values' };
    const source = knowsPlans ? new KnowingTable(all, form) : new MemoryTable(all, form);
    opened.count += 1;
    opened.open += 1;
    opened.most = Math.max(opened.most, opened.open);
    const close = source.close.bind(source);
    source.close = () => {
      if (!source.closed) opened.open -= 1;
      close();
    };
    return source;
  };
  const part: CutPart = {
    table: own,
    name: `part ${String(number)}`,
    rowCount: table.rowCount,
    fields: shape.fields,
    constants: fixed.map((column) => constantOf(column, opened)),
    knowsPlans,
    *open() {
      yield TURN;
      return openedOf(own);
    },
    fits: (other) => options.fits === true && namesOf(other) === namesOf(part),
    *openWith(others) {
      yield TURN;
      opened.joined += 1;
      return openedOf(joined([part, ...others].map((each) => (each as CutPart).table)));
    },
  };
  return part;
}

interface CutPart extends Part {
  readonly table: OracleTable;
}

const namesOf = ({ fields }: Part): string => JSON.stringify(fields);

function joined(tables: readonly OracleTable[]): OracleTable {
  const [first] = tables as [OracleTable];
  return {
    rowCount: tables.reduce((sum, { rowCount }) => sum + rowCount, 0),
    columns: first.columns.map((column, index) => ({
      ...column,
      values: tables.flatMap(({ columns }) => columns[index]?.values ?? []),
    })),
  };
}

/** The same for all parts that have the same value, as of paths. */
function constantOf(column: OracleColumn, { constants }: Opened): ConstantColumn {
  const value = (column.values[0] ?? null) as StatisticsValue | null;
  const known = constants.find((each) => each.field.name === column.name && isSame(each.value, value));
  if (known !== undefined) return known;
  const constant = { field: fieldOf(column), value };
  constants.push(constant);
  return constant;
}

function fieldOf({ name, dtype, nullable }: OracleColumn): MemoryTable['fields'][number] {
  return { name, dtype: dtype as MemoryTable['fields'][number]['dtype'], nullable };
}

function isSame(left: unknown, right: unknown): boolean {
  if (left instanceof Uint8Array && right instanceof Uint8Array) return String(left) === String(right);
  return Object.is(left, right);
}
