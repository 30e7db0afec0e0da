// Splits that are worked on, by whomever: rows in batches, or what they add up to as JSON, which merges. A task comes
// from outside: it is checked like a file.
import {
  ArgumentError,
  SOURCE_OPTIONS,
  checkOptions,
  describeValue,
  isColkitError,
  isPathBelow,
  option,
  parseDType,
  pickOptions,
} from '@colkit/io';
import type { ObjectStore, OpenSourceOptions, OptionSet } from '@colkit/io';
import { contextOf, openedSource, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { Aggregation } from '../aggregate/aggregation.ts';
import type { PartialAggregates } from '../aggregate/aggregation.ts';
import type { Cell } from '../aggregate/column-values.ts';
import type { AggregateSpecs } from '../aggregate/spec.ts';
import { parseValue } from '../aggregate/state.ts';
import { CompositeTable } from '../composite/composite-table.ts';
import type { ConstantColumn, Part } from '../composite/part.ts';
import { uniteFields } from '../composite/unite-fields.ts';
import type { Field } from '../field.ts';
import { aggregateView, aggregatesOver, checkNames, groupsOf } from '../output/answers.ts';
import { groupColumns } from '../output/group-columns.ts';
import type { ColumnsResult } from '../output/options.ts';
import { Table } from '../output/table.ts';
import type { Predicate } from '../query/bind/bind.ts';
import type { ColumnRef } from '../query/bound-predicate.ts';
import type { QueryParams } from '../query/text/query-params.ts';
import type { TableTypes } from '../schema.ts';
import { byName } from '../output/null-object.ts';
import { columnRefs } from '../views/column-refs.ts';
import { StoreRoot, isStore } from './dataset-files.ts';
import { partOf } from './head-part.ts';
import { Checks } from './manifest.ts';
import type { PartFormat, PartPlace } from './part-format.ts';
import { requireVersion } from './part-version.ts';
import type { Split } from './splits.ts';

/** Tasks hold no keys: who runs them says how files are read (`headers`, `sign`, `fetch`, …), or brings the store. */
export interface TaskOptions extends OpenSourceOptions {
  /**
   * The paths of splits have to start with it: for tasks that come from somebody else. Needed with `headers`, which
   * would be sent to whatever host a task names.
   */
  readonly within?: string;
  /** Where the files are, of a dataset that was opened from a store. */
  readonly store?: ObjectStore;
  /** Most rows of a batch. Default: as `batches`, which are bounded by bytes too. */
  readonly rows?: number;
  /** Further formats. */
  readonly formats?: readonly PartFormat[];
  /** Gives the work up with the signal's reason. */
  readonly signal?: AbortSignal;
}

export type OpenTaskOptions = Omit<TaskOptions, 'rows'>;

const OPEN_TASK_OPTIONS: OptionSet<OpenTaskOptions> = {
  ...SOURCE_OPTIONS,
  within: option.text,
  store: option.kind<ObjectStore>('a store', isStore),
  formats: option.kind<readonly PartFormat[]>('a list of formats', (value) => Array.isArray(value)),
  signal: option.signal,
};

export const TASK_OPTIONS: OptionSet<TaskOptions> = { ...OPEN_TASK_OPTIONS, rows: option.count('rows', 1) };

/** What is done with a split: JSON where `where` is a text. */
export interface Task {
  readonly split: Split;
  /** Default: all. */
  readonly columns?: readonly string[];
  readonly where?: Predicate;
  readonly params?: QueryParams;
}

export interface PartialTask extends Omit<Task, 'columns'> {
  readonly aggregates: AggregateSpecs;
  /** Columns that are grouped by. */
  readonly by?: readonly string[];
}

/** What the rows of a split add up to: plain JSON. */
export interface PartialState {
  readonly stateVersion: 1;
  readonly aggregates: AggregateSpecs;
  readonly by: readonly string[];
  /** Of the dataset. */
  readonly fields: readonly Field[];
  readonly state: PartialAggregates;
}

/** @throws as the `runTask` of the formats. */
export async function* batchesOfTask(
  task: Task,
  options: TaskOptions,
  own: readonly PartFormat[],
): AsyncGenerator<ColumnsResult<TableTypes>, void, undefined> {
  checkOptions('runTask', TASK_OPTIONS, options);
  const { rows, signal } = options;
  const table = await run(openedTask(task, options, own), contextOf(options));
  try {
    const view = asked(table, task);
    const chosen = task.columns === undefined ? view : view.select(...task.columns);
    const given = { ...(rows === undefined ? {} : { rows }), ...(signal === undefined ? {} : { signal }) };
    for await (const batch of chosen.batches(given)) yield batch;
  } finally {
    table.close();
  }
}

/** A task as a lazy table, whose `close()` closes the file. @throws as the `openTask` of the formats. */
export async function tableOfTask(task: Task, options: OpenTaskOptions, own: readonly PartFormat[]): Promise<Table> {
  checkOptions('openTask', OPEN_TASK_OPTIONS, options);
  const view = asked(await run(openedTask(task, options, own), contextOf(options)), task);
  return task.columns === undefined ? view : view.select(...task.columns);
}

/** @throws as the `partial` of the formats. */
export async function partialOf(
  task: PartialTask,
  options: TaskOptions,
  own: readonly PartFormat[],
): Promise<PartialState> {
  checkOptions('partial', TASK_OPTIONS, options);
  const table = await run(openedTask(task, options, own), contextOf(options));
  try {
    const { view } = asked(table, task);
    const by = task.by ?? [];
    const keys = by.length === 0 ? [] : groupColumns(view, by);
    const aggregates = aggregatesOver(columnRefs(view.projection), task.aggregates);
    checkNames(by, aggregates);
    const aggregation = await run(aggregateView(view, aggregates, keys, 'partial'), contextOf(options));
    const { fields } = task.split;
    return { stateVersion: 1, aggregates: task.aggregates, by, fields, state: aggregation.toJSON() };
  } finally {
    table.close();
  }
}

/**
 * What partial states add up to: an object of answers by name, or with `by` arrays by name, a group at each index. The
 * order of the states is that of the rows: it decides `first` and `last`, and in which order groups come.
 * @throws ArgumentError for what no `partial` gave, no states (a question without splits is answered by the dataset
 * itself, which reads nothing then), or states of different questions; LimitError.
 */
export function mergePartials(states: readonly PartialState[]): Record<string, Cell | readonly Cell[]> {
  const given: unknown = states;
  const first = Array.isArray(given) ? states[0] : undefined;
  if (first === undefined) {
    const remedy = 'of no splits the dataset answers: where(…).agg(…), which reads nothing then';
    throw new ArgumentError('ERR_ARGUMENT', 'states', `a state at least (${remedy})`, describeValue(states));
  }
  try {
    const { fields, by, aggregates: specs } = checkedState(first);
    const refs = fields.map(
      ({ name, dtype, nullable }, number): ColumnRef => ({ number, name, info: parseDType(dtype), nullable }),
    );
    const aggregates = aggregatesOver(refs, specs);
    const keys = by.map((name) => refs.find((ref) => ref.name === name) as ColumnRef);
    const aggregation = new Aggregation(aggregates, keys);
    const question = JSON.stringify([fields, by, specs]);
    for (const state of states) {
      const own = checkedState(state);
      if (JSON.stringify([own.fields, own.by, own.aggregates]) !== question)
        throw new ArgumentError('ERR_ARGUMENT', 'states', 'states of one question', 'another one');
      aggregation.merge(own.state);
    }
    if (by.length > 0) return runSync(groupsOf(keys, aggregates, aggregation)).columns;
    return byName(
      aggregates.map(({ name }) => name),
      aggregation.results(),
    );
  } catch (error) {
    if (isColkitError(error) || !(error instanceof TypeError)) throw error;
    throw new ArgumentError('ERR_ARGUMENT', 'states', 'what partial gave', error.message);
  }
}

function checkedState(given: PartialState): PartialState {
  const checks = new Checks('state');
  try {
    const state = checks.object(given, 'state');
    if (state['stateVersion'] !== 1) throw checks.wrong('stateVersion 1', state['stateVersion']);
    const fields = checks.fields(state['fields']);
    const by = checks.list(state['by'], 'by').map((name) => checks.text(name, 'by'));
    const names = fields.map(({ name }) => name);
    for (const name of by) if (!names.includes(name)) throw checks.wrong('columns', name);
    const aggregates = checks.object(state['aggregates'], 'aggregates') as AggregateSpecs;
    const partial = checks.object(state['state'], 'state');
    checks.list(partial['states'], 'states');
    checks.list(partial['keys'], 'keys');
    checks.count(partial['groupCount'], 'groupCount');
    return { stateVersion: 1, aggregates, by, fields, state: partial as unknown as PartialAggregates };
  } catch (error) {
    throw argumentError(error, 'state');
  }
}

function asked(table: Table, { where, params }: Task | PartialTask): Table {
  return where === undefined ? table : table.where(where, params);
}

/** The rows of a split, with the columns of the dataset. */
function* openedTask(task: Task | PartialTask | null, options: TaskOptions, own: readonly PartFormat[]): Work<Table> {
  const split = checkedSplit(task?.split);
  const formats = [...own, ...(options.formats ?? [])];
  const format = formats.find(({ name }) => name === split.format);
  if (format === undefined) throw new ArgumentError('ERR_ARGUMENT', 'split.format', 'a known format', split.format);
  const place = placeOf(split.path, options);
  const { backend } = options;
  const head = yield* format.read(place, backend === undefined ? {} : { backend });
  requireVersion(place.name, split.version, head.version);
  const constants = split.values.map(({ field, value }): ConstantColumn => ({ field, value: parseValue(value) }));
  // A part without rows says which columns there are.
  const schema: Part = {
    name: place.name,
    rowCount: 0,
    fields: split.fields,
    constants: [],
    knowsPlans: false,
    open: () => head.open(),
  };
  const part = partOf({ place, head, constants });
  const united = uniteFields([schema, part], 'drop');
  if (JSON.stringify(united.fields) !== JSON.stringify(split.fields) || split.rows.end > head.rowCount)
    throw new ArgumentError('ERR_SCHEMA', 'split', 'columns and rows of the file', place.name);
  return new Table(new CompositeTable(place.name, [schema, part], united)).slice(split.rows.start, split.rows.end);
}

function checkedSplit(given: unknown): Split {
  const checks = new Checks('split');
  try {
    const split = checks.object(given, 'split');
    if (split['splitVersion'] !== 1) throw checks.wrong('splitVersion 1', split['splitVersion']);
    const rows = checks.object(split['rows'], 'rows');
    const [start, end] = [checks.count(rows['start'], 'start'), checks.count(rows['end'], 'end')];
    if (start > end) throw checks.wrong('rows from start to end', start);
    return {
      splitVersion: 1,
      path: checks.text(split['path'], 'path'),
      format: checks.text(split['format'], 'format'),
      version: checks.version(split['version']),
      rows: { start, end },
      byteLength: checks.count(split['byteLength'], 'byteLength'),
      fields: checks.fields(split['fields']),
      values: checks.list(split['values'], 'values').map((each) => {
        const { field, value } = checks.object(each, 'value');
        const [only] = checks.fields([field]);
        return { field: only as Field, value: value as Split['values'][number]['value'] };
      }),
    };
  } catch (error) {
    throw argumentError(error, 'split');
  }
}

function argumentError(error: unknown, what: string): unknown {
  return isColkitError(error) && error.code === 'ERR_MANIFEST'
    ? new ArgumentError('ERR_ARGUMENT', what, `what a dataset's ${what} is`, error.message)
    : error;
}

function placeOf(path: string, options: TaskOptions): PartPlace {
  const { within, store, headers } = options;
  const root = store === undefined ? within : store.name;
  if (root !== undefined && !isPathBelow(path, root))
    throw new ArgumentError('ERR_ARGUMENT', 'split.path', `a path below ${root}`, JSON.stringify(path));
  if (within !== undefined && !isPathBelow(path, within))
    throw new ArgumentError('ERR_ARGUMENT', 'split.path', `a path below ${within}`, JSON.stringify(path));
  if (headers !== undefined && within === undefined && store === undefined)
    throw new ArgumentError('ERR_ARGUMENT', 'within', 'the URL that headers may be sent to', 'nothing');
  if (store !== undefined) return new StoreRoot(store).placeOf(path.slice(store.name.length).replace(/^\//u, ''));
  const source = pickOptions(SOURCE_OPTIONS, options);
  return { name: path, open: () => openedSource(path, source) };
}
