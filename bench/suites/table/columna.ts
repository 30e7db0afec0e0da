// The table tasks through the public face of this repository's columna: what users would type.
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toCsv } from '@colkit/table/csv';
import { readJson, toJson } from '@colkit/table/json';
import type { JsonSink } from '@colkit/table/json';
import { edit, open, openSync, readSync, scan, setDefaultBackend, typed, write, writeCsv } from 'columna';
import type { Table, TypedValues, WriteMode } from 'columna';
import { asyncTask, syncTask } from '../../src/checkouts/peer.ts';
import type { PeerSuite, SuiteContext, Task, Workload } from '../../src/checkouts/peer.ts';
import { csvPath, jsonPath } from '../orders-files.ts';
import { textsOf } from './files.ts';
import type { RawArray, RawColumn, TableInputs } from './files.ts';
import {
  countOutputs,
  groupOutputs,
  openOutputs,
  partOutputs,
  streamOutputs,
  sumOnto,
  tableOutputs,
} from './outputs.ts';
import type { Found } from './outputs.ts';
import { tableSuites } from './peer.ts';
import type { TablePeer, TableSession } from './peer.ts';
import { predicateOf, predicateOfHalf } from './question.ts';

type Columns = Record<string, Found>;
type InputColumn = RawArray | (string | null)[] | TypedValues;

export function columnaSuites(backend: 'native' | 'js', variants: TablePeer['variants']): Record<string, PeerSuite> {
  return tableSuites({
    variants,
    async build({ variant, context, rawColumns }) {
      if (variant.endsWith('-sync')) return; // reads the other variant's file
      await write(tablePath(context, variant), inputOf(rawColumns()), { mode: modeOf(variant), overwrite: true });
    },
    prepare: (session) => {
      setDefaultBackend(backend);
      return prepare(session);
    },
  });
}

function prepare(session: TableSession): Workload {
  const { variant, context } = session;
  const path = tablePath(context, variant);
  let opened: Table | undefined;
  const table = (): Table => opened as Table;
  return {
    files: [path],
    load: async () => {
      opened = await open(path);
    },
    tasks: {
      ...writeTasks(session),
      ...textTasks(session, table),
      ...(variant.endsWith('-sync') ? syncTasks(session, path, table) : asyncTasks(session, path, table)),
    },
    close: () => opened?.close(),
  };
}

function asyncTasks({ inputs }: TableSession, path: string, table: () => Table): Record<string, Task> {
  const {
    question: { pair, filter, group, computed, either, month, parts, product },
    slice,
  } = inputs;
  const columns = (found: object): ReturnType<typeof tableOutputs> => tableOutputs(inputs, found as Columns, 1000);
  const { where, params } = predicateOf(filter);
  return {
    open: asyncTask(
      async () => describe(await open(path)),
      ({ rowCount, names }) => openOutputs(rowCount, names),
    ),
    pair: asyncTask(
      () =>
        table()
          .select(...pair)
          .toColumns(),
      columns,
    ),
    all: asyncTask(() => table().toColumns(), columns),
    dense: asyncTask(() => table().toColumns({ strings: 'dictionary', nulls: 'bitmap' }), columns),
    slice: asyncTask(() => table().slice(slice.start, slice.end).toColumns(), columns),
    take: asyncTask(() => table().take(inputs.take).toColumns(), columns),
    filter: asyncTask(
      () =>
        table()
          .where(where, params)
          .select(...filter.project)
          .toColumns(),
      columns,
    ),
    stream: asyncTask(() => sumOf(table().select(...pair), pair[1]), streamOutputs),
    match: asyncTask(() => sumOf(halfOf(table(), inputs), pair[1]), streamOutputs),
    computed: asyncTask(() => table().where(computed).count(), countOutputs),
    either: asyncTask(() => table().where(either).count(), countOutputs),
    month: asyncTask(() => table().where(month).count(), countOutputs),
    parts: asyncTask(
      () => byPart(table(), parts).agg({ total: { sum: parts.sum } }),
      ({ columns: found }) => partsOf(found, parts.by),
    ),
    product: asyncTask(() => withProduct(table(), product).column('product').sum(), countOutputs),
    order: asyncTask(() => inOrder(table(), inputs).toColumns(), columns),
    group: asyncTask(
      () =>
        scan(path)
          .groupBy(group.by)
          .agg({ sum: { sum: group.sum } }),
      ({ columns: found }) => groupOutputs(inputs, sumsOf(found, group.by)),
    ),
  };
}

function syncTasks({ inputs }: TableSession, path: string, table: () => Table): Record<string, Task> {
  const {
    question: { pair, filter, group, computed, either, month, parts, product },
    slice,
  } = inputs;
  const columns = (found: object): ReturnType<typeof tableOutputs> => tableOutputs(inputs, found as Columns, 1000);
  const { where, params } = predicateOf(filter);
  return {
    open: syncTask(
      () => describe(openSync(path)),
      ({ rowCount, names }) => openOutputs(rowCount, names),
    ),
    pair: syncTask(
      () =>
        table()
          .select(...pair)
          .toColumnsSync(),
      columns,
    ),
    all: syncTask(() => table().toColumnsSync(), columns),
    dense: syncTask(() => table().toColumnsSync({ strings: 'dictionary', nulls: 'bitmap' }), columns),
    slice: syncTask(() => table().slice(slice.start, slice.end).toColumnsSync(), columns),
    take: syncTask(() => table().take(inputs.take).toColumnsSync(), columns),
    filter: syncTask(
      () =>
        table()
          .where(where, params)
          .select(...filter.project)
          .toColumnsSync(),
      columns,
    ),
    stream: syncTask(() => sumOfSync(table().select(...pair), pair[1]), streamOutputs),
    match: syncTask(() => sumOfSync(halfOf(table(), inputs), pair[1]), streamOutputs),
    computed: syncTask(() => table().where(computed).countSync(), countOutputs),
    either: syncTask(() => table().where(either).countSync(), countOutputs),
    month: syncTask(() => table().where(month).countSync(), countOutputs),
    parts: syncTask(
      () => byPart(table(), parts).aggSync({ total: { sum: parts.sum } }),
      ({ columns: found }) => partsOf(found, parts.by),
    ),
    product: syncTask(() => withProduct(table(), product).column('product').sumSync(), countOutputs),
    order: syncTask(() => inOrder(table(), inputs).toColumnsSync(), columns),
    group: syncTask(
      () =>
        scan(path)
          .groupBy(group.by)
          .aggSync({ sum: { sum: group.sum } }),
      ({ columns: found }) => groupOutputs(inputs, sumsOf(found, group.by)),
    ),
  };
}

function byPart(table: Table, { by, part }: TableInputs['question']['parts']): ReturnType<Table['groupBy']> {
  return edit(table).assign({ part }).table.groupBy(by, 'part');
}

function partsOf(found: object, by: string): ReturnType<typeof partOutputs> {
  const columns = found as Readonly<Record<string, ArrayLike<unknown>>>;
  return partOutputs(columns[by] ?? [], columns['part'] ?? [], columns['total'] ?? []);
}

/** Two columns of all rows, which are in the order of two. */
function inOrder(table: Table, { question: { order, pair } }: TableInputs): Table {
  return table.orderBy(...order).select(...pair);
}

function withProduct(table: Table, product: string): Table {
  return edit(table).assign({ product }).table;
}

/** Two columns of the rows that are some half of all. */
function halfOf(table: Table, { question: { half, pair } }: TableInputs): Table {
  const { where, params } = predicateOfHalf(half);
  return table.where(where, params).select(...pair);
}

/** A column's sum, from batches that hold others too. */
async function sumOf(table: Table, name: string): Promise<number> {
  let sum = 0;
  for await (const batch of table.batches()) sum = sumOnto(sum, (batch as Columns)[name] as ArrayLike<number>);
  return sum;
}

function sumOfSync(table: Table, name: string): number {
  let sum = 0;
  for (const batch of table.batchesSync()) sum = sumOnto(sum, (batch as Columns)[name] as ArrayLike<number>);
  return sum;
}

function writeTasks(session: TableSession): Record<string, Task> {
  const { variant, inputs } = session;
  if (variant.endsWith('-sync')) return {};
  const options = { mode: modeOf(variant), durability: 'none' } as const;
  const written = (path: string): ReturnType<typeof tableOutputs> =>
    tableOutputs(inputs, readSync(path, { columns: inputs.question.pair }) as unknown as Columns, 1000);
  return {
    write: asyncTask(async () => {
      const path = session.temporary('.cna');
      await write(
        path,
        session.once('input', () => inputOf(session.rawColumns())),
        options,
      );
      return path;
    }, written),
  };
}

function textTasks(session: TableSession, table: () => Table): Record<string, Task> {
  const { variant, context, inputs } = session;
  if (variant.endsWith('-sync') || context.parameters['csv'] !== 1) return {};
  const options = { mode: modeOf(variant), durability: 'none' } as const;
  const written = (path: string): ReturnType<typeof tableOutputs> =>
    tableOutputs(inputs, readSync(path, { columns: inputs.question.pair }) as unknown as Columns, 1000);
  const fromCsv = async (csv: string, path: string): Promise<string> => {
    await writeCsv(csv, path, { ...options, overwrite: true });
    return path;
  };
  const fromJson = async (json: string, path: string): Promise<string> => {
    await using input = await readJson(json);
    await write(path, input, { ...options, overwrite: true });
    return path;
  };
  const csv = asyncTask(() => fromCsv(csvPath(context), session.temporary('.cna')), written);
  if (context.parameters['json'] !== 1) return { csv };
  // Of what was written as text: the next temporary file takes the place of the last one.
  const readBack = join(context.ownDirectory, 'read-back.cna');
  const out = (ending: string, put: (sink: JsonSink) => Promise<unknown>) => async (): Promise<string> => {
    const path = session.temporary(ending);
    await using file = await openFile(path, 'w');
    await put({ write: (bytes) => file.write(bytes) });
    return path;
  };
  return {
    csv,
    'csv-out': asyncTask(
      out('.csv', (sink) => toCsv(table(), sink)),
      async (path) => written(await fromCsv(path, readBack)),
    ),
    json: asyncTask(() => fromJson(jsonPath(context), session.temporary('.cna')), written),
    'json-out': asyncTask(
      out('.jsonl', (sink) => toJson(table(), sink)),
      async (path) => written(await fromJson(path, readBack)),
    ),
  };
}

/** Integers, floats and texts say their type by their array; moments need a word. */
function inputOf(columns: readonly RawColumn[]): Record<string, InputColumn> {
  return Object.fromEntries(
    columns.map((raw) => {
      const { name, dtype } = raw.column;
      if (dtype === 'string') return [name, textsOf(raw)];
      return [name, dtype === 'datetime64[ms]' ? typed(dtype, raw.values as BigInt64Array) : raw.values] as [
        string,
        InputColumn,
      ];
    }),
  );
}

function describe(table: Table): { rowCount: number; names: readonly string[] } {
  const found = { rowCount: table.rowCount, names: table.columnNames };
  table.close();
  return found;
}

function sumsOf(columns: Readonly<Record<string, readonly unknown[]>>, by: string): Map<string, number> {
  return new Map((columns[by] ?? []).map((text, i) => [text as string, Number(columns['sum']?.[i])]));
}

function modeOf(variant: string): WriteMode {
  const modes: readonly WriteMode[] = ['fast', 'smallest', 'plain'];
  return modes.find((mode) => variant.startsWith(mode)) ?? 'default';
}

function tablePath({ ownDirectory }: SuiteContext, variant: string): string {
  return join(ownDirectory, `${variant.replace(/-sync$/, '')}.cna`);
}
