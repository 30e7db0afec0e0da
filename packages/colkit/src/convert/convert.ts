// The routes of a conversion. Tables of all kinds meet in a lazy table, items in a reader; what is neither yet becomes
// a .cna file first, at TO or in a folder for the time of the conversion, so that memory stays bounded.
import { openSource } from '@colkit/io';
import { temporaryFolder } from '@colkit/io/durable';
import type { DType } from '@colkit/io';
import type { ArrowTableLike, Table } from '@colkit/table';
import { toCsv } from '@colkit/table/csv';
import type { RejectedRow } from '@colkit/table/csv';
import { readJson, toJson } from '@colkit/table/json';
import { edit as editColstore, open as openColstore, write as writeColstore } from 'colstore';
import { open as openColumna, write as writeColumna, writeCsv } from 'columna';
import type { ColumnNote, CreateOptions } from 'columna';
import { join } from 'node:path';
import { create as createSyrah, open as openSyrah } from 'syrah';
import { opened } from '../formats/opened.ts';
import { ITEM_FORMS, isItemForm } from '../items/forms.ts';
import { parseSchema } from '../items/infer-schema.ts';
import type { ItemReader } from '../items/item-exchange.ts';
import { JoinedTexts } from '../items/joined-texts.ts';
import { itemsInTurn } from '../items/read-items.ts';
import { readable } from '../show/show-items.ts';
import { arrowBatches } from '../tables/arrow-file.ts';
import { arrowTicks } from '../tables/columns/arrow-ticks.ts';
import { checkRows } from '../tables/columns/checked-rows.ts';
import { missingTimes } from '../tables/columns/missing-times.ts';
import { fixedTextTypes } from '../tables/fixed-text.ts';
import { chosenFromParquet } from '../tables/from-parquet.ts';
import { numpyTable, writeNumpy } from '../tables/numpy-file.ts';
import { reshaped } from '../tables/reshaped.ts';
import type { ShapeOptions } from '../tables/reshaped.ts';
import { toArrowBatches } from '../tables/to-arrow.ts';
import { toParquet } from '../tables/to-parquet.ts';
import { isStreamed, targetOf } from '../terminal/output.ts';
import type { Output } from '../terminal/output.ts';
import { count } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { chosenNames } from '../terminal/verb.ts';
import { selected } from '../tables/selected.ts';
import type { End } from './ends.ts';
import { originalOf } from './original.ts';
import { csvInput, csvOutput, encodingOptions, jsonInput, saidTypes } from './options.ts';
import type { ConvertOptions } from './options.ts';
import { inputOf, isPiped } from './piped-input.ts';
import { expectationFault, restoredColumns, stagedTypes } from './staged-types.ts';
import type { Expected, StagedTypes } from './staged-types.ts';
import { itemsOfFile, itemsOfTable, readableItemsOfFile, writeItems } from './rows-and-items.ts';

export interface Job {
  readonly from: string;
  readonly to: string;
  readonly source: End;
  readonly target: End;
  readonly options: ConvertOptions;
  readonly terminal: Terminal;
  /** Of text: the types of a file that its rows are added to. */
  readonly expected?: Expected;
}

export interface Done {
  readonly rowCount?: number;
  readonly items?: number;
  readonly byteLength?: number;
  /** What became of values that could not stay as they were. */
  readonly notes?: readonly { readonly column?: string; readonly key?: string; readonly note: string }[];
}

/** Rejected rows on the terminal; a report as JSON has up to a thousand. */
const MOST_TOLD = 20;

/** @throws errors of the family; UsageError. */
export async function convert(job: Job): Promise<Done> {
  const { source, target, to, options } = job;
  if (target === 'syr') return intoSyrah(job);
  if (source === 'syr' && isItemForm(target)) {
    return options.columns === undefined
      ? outOfSyrah(job)
      : viaSyrah(job, (staged) => intoSyrah({ ...job, to: staged }));
  }
  const isShaped = (options.rename ?? options.dtype) !== undefined;
  if (target === 'cna' && !isShaped && !isNumpy(source))
    return intoColumna(job, to, { ...encodingOptions(options), overwrite: isForced(job), ...(await originalOf(job)) });
  let notes: Done['notes'] = [];
  const done = await withTable(
    job,
    async (table, doubtful) => {
      const shaped = reshaped(table, shapeOf(options));
      // A text that is no moment is told with its row, before anything is written.
      if (doubtful.length > 0) await checkRows(table, doubtful, job.from);
      return fromTable(job, shaped);
    },
    (told) => (notes = told ?? []),
  );
  const all = [...notes, ...(done.notes ?? [])];
  return { ...done, ...(all.length === 0 ? {} : { notes: all }) };
}

const isNumpy = (end: End): end is 'npz' | 'npy' => end === 'npz' || end === 'npy';

/** The columns are chosen already. */
function shapeOf({ rename, dtype }: ConvertOptions): ShapeOptions {
  return { ...(rename === undefined ? {} : { rename }), ...(dtype === undefined ? {} : { dtype }) };
}

const isForced = ({ options }: Job): boolean => options.overwrite === true;

/** The rows of FROM as a lazy table, of which some columns may hold what their type does not. */
export async function withTable<T>(
  job: Job,
  use: (table: Table, doubtful: readonly string[]) => Promise<T>,
  onNotes: (notes: Done['notes']) => void = () => undefined,
): Promise<T> {
  const { from, source, options } = job;
  if (source === 'cna' || source === 'cstore') {
    return opened(from, (file) => {
      if (file.kind === 'items') throw new TypeError('a table was opened as items');
      return use(selected(file.table, options.columns), []);
    });
  }
  if (isNumpy(source)) {
    await using table = await openColstore(await numpyTable(from, (known) => chosenNames(options.columns, known)));
    return await use(selected(table, options.columns), []);
  }
  using folder = temporaryFolder('colkit-');
  const staged = join(folder.path, 'staged.cna');
  const types = stagedTypes(source, saidTypes(options), job.expected?.types);
  onNotes((await intoColumna(job, staged, { mode: 'plain' }, types)).notes);
  using table = await openColumna(staged);
  const restored = restoredColumns(table, types.restored);
  const isThere = (name: string): boolean => restored.columnNames.includes(name);
  return await use(restored, types.doubtful.filter(isThere));
}

/** @param staged where the file is there for a while, and its columns become what they were. */
async function intoColumna(
  job: Job,
  to: string,
  writing: Omit<CreateOptions, 'schema'>,
  staged: StagedTypes | null = null,
): Promise<Done> {
  const { from, source, options, terminal } = job;
  const choose = (known: readonly string[]): readonly string[] | undefined => chosenNames(options.columns, known);
  const progress = (rows: number, total: number | null): void =>
    terminal.progress(`${count(rows)}${total === null ? '' : ` of ${count(total)}`} rows`);
  switch (source) {
    case 'cna':
    case 'cstore':
      return withTable(job, (table) =>
        writeColumna(to, table, {
          ...writing,
          onProgress: ({ writtenRows, totalRows }) => progress(writtenRows, totalRows),
        }),
      );
    case 'parquet':
      return chosenFromParquet(from, to, choose, {
        ...writing,
        nested: options.nested === 'text' ? 'text' : 'refuse',
        onProgress: ({ rows, totalRows }) => progress(rows, totalRows),
      });
    case 'arrow': {
      const opened = await openSource(from);
      try {
        const notes: ColumnNote[] = [];
        const batches = arrowBatches(opened, { columns: choose, nested: options.nested === 'text' }, notes);
        const written = await writeColumna(to, staged === null ? batches : ticksOf(batches, staged.restored), {
          ...writing,
          onProgress: ({ writtenRows }) => progress(writtenRows, null),
        });
        return { ...written, notes };
      } finally {
        opened.close();
      }
    }
    case 'csv':
    case 'tsv':
      return intoColumnaFromCsv(job, to, writing, progress, staged);
    case 'syr': {
      using file = await openSyrah(from);
      const reader = readableItemsOfFile(file, choose(file.keys) ?? file.keys);
      return await writeItems(reader, to, writing, (rows) => progress(rows, reader.itemCount));
    }
    case 'npz':
    case 'npy':
      return withTable(job, (table) => writeColumna(to, table, writing));
    case 'json':
    case 'jsonl': {
      terminal.progress('reading types');
      const optional = [...(staged?.reading.keys() ?? [])].filter((name) => job.expected?.nullable.has(name));
      const input = await asExpected(job, () =>
        readJson(inputOf(from), { ...jsonInput(options, staged?.reading), optional }),
      );
      try {
        const written = await writeColumna(to, input, {
          ...writing,
          onProgress: ({ writtenRows, totalRows }) => progress(writtenRows, totalRows),
        });
        return { ...written, ...tellRejected(job, input) };
      } finally {
        await input.close();
      }
    }
    case 'folder': {
      const reader = await readerOfForm(job, source);
      return writeItems(reader, to, writing, (rows) => progress(rows, reader.itemCount));
    }
  }
}

async function intoColumnaFromCsv(
  job: Job,
  to: string,
  writing: Omit<CreateOptions, 'schema'>,
  progress: (rows: number, total: number) => void,
  staged: StagedTypes | null,
): Promise<Done> {
  const { from, source, options, terminal } = job;
  const csv = csvInput(options, source === 'tsv', staged?.reading);
  terminal.progress('reading types');
  const report = await asExpected(job, () =>
    writeCsv(inputOf(from), to, {
      ...writing,
      ...csv,
      onProgress: ({ writtenRows, totalRows }) => progress(writtenRows, totalRows),
    }),
  );
  const { rejected, rejectedCount, ...written } = report;
  return { ...written, ...tellRejected(job, { rejected, rejectedCount }) };
}

async function asExpected<T>({ from, expected }: Job, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw expected === undefined ? error : expectationFault(error, from, expected);
  }
}

async function* ticksOf(
  batches: AsyncIterable<ArrowTableLike>,
  types: Map<string, DType>,
): AsyncGenerator<ArrowTableLike, void, undefined> {
  for await (const batch of batches) yield arrowTicks(batch, types);
}

/** Rows that were left out: on the terminal, and for a report. */
function tellRejected(
  { options, terminal }: Job,
  { rejected, rejectedCount }: { readonly rejected: readonly RejectedRow[]; readonly rejectedCount: number },
): object {
  terminal.progress(null);
  for (const { line, reason } of rejected.slice(0, MOST_TOLD)) {
    terminal.note(`line ${count(line)} left out: ${reason}`);
  }
  if (rejectedCount > MOST_TOLD) terminal.note(`and ${count(rejectedCount - MOST_TOLD)} more`);
  return options.skipRejected === true ? { rejectedCount, rejected } : {};
}

async function fromTable(job: Job, table: Table): Promise<Done> {
  const { to, source, target, options, terminal } = job;
  const overwrite = isForced(job);
  const onRows = ({ rows }: { readonly rows: number }): void => terminal.progress(`${count(rows)} rows`);
  switch (target) {
    case 'cstore': {
      const layout = options.layout === undefined ? {} : { layout: options.layout };
      const types = await fixedTextTypes(table);
      const writing = { overwrite, ...layout };
      const whole = missingTimes(table);
      const done = await (types.size === 0
        ? writeColstore(to, whole.table, writing)
        : editColstore(whole.table).cast(types).write(to, writing));
      const notes = [
        ...Array.from(types, ([column, dtype]) => ({ column, note: `text became ${dtype}` })),
        ...whole.filled().map((column) => ({ column, note: 'nulls became NaT' })),
      ];
      return notes.length === 0 ? done : { ...done, notes };
    }
    case 'parquet':
      return toParquet(table, to, { overwrite, onProgress: onRows });
    case 'csv':
    case 'tsv':
      return intoOutput(job, (output) => toCsv(table, output, csvOutput(options, target === 'tsv', source)));
    case 'arrow':
      return intoOutput(job, (output) =>
        toArrowBatches(table, output, isStreamed(to) ? 'stream' : 'file', (rows) => onRows({ rows })),
      );
    case 'json':
    case 'jsonl':
      return intoOutput(job, (output) => toJson(table, output, { form: target === 'json' ? 'list' : 'lines' }));
    case 'folder': {
      const reader = itemsOfTable(table, await table.count());
      return viaSyrah(job, (staged) => writeSyrah(reader, staged, { overwrite: false }, terminal));
    }
    case 'npz':
    case 'npy':
      return { rowCount: table.rowCount, byteLength: await writeNumpy(table, to, overwrite) };
    case 'cna':
      return writeColumna(to, table, { ...encodingOptions(options), overwrite, ...(await originalOf(job)) });
    case 'syr':
      throw new TypeError(`${target} has a route of its own`);
  }
}

/** @param write gives the count of rows. */
async function intoOutput(job: Job, write: (output: Pick<Output, 'write'>) => Promise<number>): Promise<Done> {
  const { to, terminal } = job;
  const output = await targetOf(to, isForced(job), terminal).open();
  try {
    const rowCount = await write({
      write: async (bytes) => {
        await output.write(bytes);
        terminal.progress(`${count(output.position)} bytes`);
      },
    });
    await output.finish();
    return { rowCount, byteLength: output.position };
  } catch (error) {
    await output.abort();
    throw error;
  }
}

async function intoSyrah(job: Job): Promise<Done> {
  const { from, to, source, options, terminal } = job;
  const writing = { overwrite: isForced(job), ...(options.align === undefined ? {} : { align: options.align }) };
  if (source === 'syr') {
    using file = await openSyrah(from);
    const reader = itemsOfFile(file, chosenNames(options.columns, file.keys) ?? file.keys);
    return await writeSyrah(reader, to, writing, terminal);
  }
  if (isItemForm(source) && !isPiped(from) && options.columns === undefined) {
    return writeSyrah(await readerOfForm(job, source), to, writing, terminal);
  }
  return withTable(job, async (table) => writeSyrah(itemsOfTable(table, await table.count()), to, writing, terminal));
}

async function readerOfForm({ from, options }: Job, form: keyof typeof ITEM_FORMS): Promise<ItemReader> {
  return ITEM_FORMS[form].openReader(from, options.schema === undefined ? null : parseSchema(options.schema));
}

async function writeSyrah(
  reader: ItemReader,
  to: string,
  writing: { readonly align?: number; readonly overwrite: boolean },
  terminal: Terminal,
): Promise<Done> {
  const schema = reader.schema.map(({ name, dtype }) => [name, dtype] as const);
  const writer = await createSyrah(to, { ...writing, ...(schema.length === 0 ? {} : { schema }) });
  const joined = new JoinedTexts();
  try {
    for await (const entries of reader.items()) {
      joined.see(entries);
      await writer.addItem(entries);
      terminal.progress(itemsText(writer.itemCount, reader.itemCount));
    }
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.close();
  const notes = [...(reader.notes ?? []), ...joined.notes()];
  return { items: writer.itemCount, ...(notes.length === 0 ? {} : { notes }) };
}

/** By way of a .syr file that is there for the time of the conversion. */
async function viaSyrah(job: Job, make: (staged: string) => Promise<Done>): Promise<Done> {
  using folder = temporaryFolder('colkit-');
  const from = join(folder.path, 'staged.syr');
  const made = await make(from);
  return { ...made, ...(await outOfSyrah({ ...job, from, source: 'syr' })) };
}

async function outOfSyrah(job: Job): Promise<Done> {
  const { from, to, target, terminal } = job;
  if (!isItemForm(target)) throw new TypeError(`${target} is no form of items`);
  using file = await openSyrah(from);
  const sink = await ITEM_FORMS[target].openSink(targetOf(to, isForced(job), terminal), file);
  try {
    let items = 0;
    for await (const entries of itemsInTurn(file, file.keys, (item) => readable(file, item, file.keys))) {
      await sink.put(entries, items);
      items += 1;
      terminal.progress(itemsText(items, file.itemCount));
    }
    await sink.finish();
  } catch (error) {
    await sink.abort();
    throw error;
  }
  return { items: file.itemCount };
}

function itemsText(done: number, total: number | null): string {
  return `${count(done)}${total === null ? '' : ` of ${count(total)}`} items`;
}
