// The routes of a conversion. Tables of all kinds meet in a lazy table, items in a reader; what is neither yet becomes
// a .cna file first, at TO or in a folder for the time of the conversion, so that memory stays bounded.
import { openFileSink } from '@colkit/io';
import type { Table } from '@colkit/table';
import { open as openColstore, write as writeColstore } from 'colstore';
import { open as openColumna, write as writeColumna, writeCsv } from 'columna';
import type { CreateOptions } from 'columna';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create as createSyrah, open as openSyrah } from 'syrah';
import { opened } from '../formats/opened.ts';
import { peers } from '../formats/peers.ts';
import { ITEM_FORMS, isItemForm } from '../items/forms.ts';
import { parseSchema } from '../items/infer-schema.ts';
import type { ItemReader } from '../items/item-exchange.ts';
import { rowLines } from '../show/rows.ts';
import { readable } from '../show/show-items.ts';
import { readArrow } from '../tables/arrow-file.ts';
import { fromParquet } from '../tables/from-parquet.ts';
import { numpyTable, writeNumpy } from '../tables/numpy-file.ts';
import { reshaped } from '../tables/reshaped.ts';
import type { ShapeOptions } from '../tables/reshaped.ts';
import { toCsv } from '../tables/to-csv.ts';
import { toParquet } from '../tables/to-parquet.ts';
import { count } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { chosenNames } from '../terminal/verb.ts';
import { selected } from '../tables/selected.ts';
import type { End } from './ends.ts';
import { csvInput, csvOutput, encodingOptions } from './options.ts';
import type { ConvertOptions } from './options.ts';
import { itemsOfFile, itemsOfTable, readableItemsOfFile, writeItems } from './rows-and-items.ts';

export interface Job {
  readonly from: string;
  readonly to: string;
  readonly source: End;
  readonly target: End;
  readonly options: ConvertOptions;
  readonly terminal: Terminal;
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
    return intoColumna(job, to, { ...encodingOptions(options), overwrite: isForced(job) });
  let notes: Done['notes'];
  const done = await withTable(
    job,
    (table) => fromTable(job, reshaped(table, shapeOf(options))),
    (told) => (notes = told),
  );
  return { ...done, ...(notes === undefined ? {} : { notes }) };
}

const isNumpy = (end: End): end is 'npz' | 'npy' => end === 'npz' || end === 'npy';

/** The columns are chosen already. */
function shapeOf({ rename, dtype }: ConvertOptions): ShapeOptions {
  return { ...(rename === undefined ? {} : { rename }), ...(dtype === undefined ? {} : { dtype }) };
}

const isForced = ({ options }: Job): boolean => options.overwrite === true;

/** The rows of FROM as a lazy table. */
export async function withTable<T>(
  job: Job,
  use: (table: Table) => Promise<T>,
  onNotes: (notes: Done['notes']) => void = () => undefined,
): Promise<T> {
  const { from, source, options } = job;
  if (source === 'cna' || source === 'cstore') {
    return opened(from, (file) => {
      if (file.kind === 'items') throw new TypeError('a table was opened as items');
      return use(selected(file.table, options.columns));
    });
  }
  if (isNumpy(source)) {
    await using table = await openColstore(await numpyTable(from));
    return await use(selected(table, options.columns));
  }
  const folder = mkdtempSync(join(tmpdir(), 'colkit-'));
  try {
    const staged = join(folder, 'staged.cna');
    onNotes((await intoColumna(job, staged, { mode: 'plain' })).notes);
    const table = await openColumna(staged);
    try {
      return await use(table);
    } finally {
      table.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function intoColumna(job: Job, to: string, writing: Omit<CreateOptions, 'schema'>): Promise<Done> {
  const { from, source, options, terminal } = job;
  const names = options.columns;
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
      return fromParquet(from, to, {
        ...writing,
        ...(names === undefined ? {} : { columns: names.split(',') }),
        onProgress: ({ rows, totalRows }) => progress(rows, totalRows),
      });
    case 'arrow': {
      const table = await readArrow(from);
      const chosen = chosenNames(
        names,
        table.schema.fields.map(({ name }) => name),
      );
      return writeColumna(to, chosen === undefined ? table : table.select([...chosen]), writing);
    }
    case 'csv':
    case 'tsv':
      return intoColumnaFromCsv(job, to, writing, progress);
    case 'syr': {
      using file = await openSyrah(from);
      const reader = readableItemsOfFile(file, chosenNames(names, file.keys) ?? file.keys);
      return await writeItems(reader, to, writing, (rows) => progress(rows, reader.itemCount));
    }
    case 'npz':
    case 'npy':
      return withTable(job, (table) => writeColumna(to, table, writing));
    case 'jsonl':
    case 'folder': {
      const reader = await readerOfForm(job, source);
      return writeItems(reader, to, writing, (rows) => progress(rows, reader.itemCount));
    }
  }
}

async function intoColumnaFromCsv(
  { from, source, options, terminal }: Job,
  to: string,
  writing: Omit<CreateOptions, 'schema'>,
  progress: (rows: number, total: number) => void,
): Promise<Done> {
  const csv = csvInput(options, source === 'tsv');
  terminal.progress('reading types');
  const report = await writeCsv(from === '-' ? process.stdin : from, to, {
    ...writing,
    ...csv,
    onProgress: ({ writtenRows, totalRows }) => progress(writtenRows, totalRows),
  });
  const { rejected, rejectedCount, ...written } = report;
  terminal.progress(null);
  for (const { line, reason } of rejected.slice(0, MOST_TOLD)) {
    terminal.note(`line ${count(line)} left out: ${reason}`);
  }
  if (rejectedCount > MOST_TOLD) terminal.note(`and ${count(rejectedCount - MOST_TOLD)} more`);
  return { ...written, ...(options.skipRejected === true ? { rejectedCount, rejected } : {}) };
}

async function fromTable(job: Job, table: Table): Promise<Done> {
  const { to, target, options, terminal } = job;
  const overwrite = isForced(job);
  const onBytes = ({ bytes }: { readonly bytes: number }): void => terminal.progress(`${count(bytes)} bytes`);
  const onRows = ({ rows }: { readonly rows: number }): void => terminal.progress(`${count(rows)} rows`);
  switch (target) {
    case 'cstore': {
      const layout = options.layout === undefined ? {} : { layout: options.layout };
      return writeColstore(to, table, { overwrite, ...layout });
    }
    case 'parquet':
      return toParquet(table, to, { overwrite, onProgress: onRows });
    case 'csv':
    case 'tsv':
      return toCsv(table, to, { overwrite, ...csvOutput(options, target === 'tsv'), onProgress: onBytes });
    case 'arrow': {
      const { tableToIPC } = await peers.arrow();
      const arrow = await table.toArrow<Parameters<typeof tableToIPC>[0]>();
      const byteLength = await writePieces(to, overwrite, [tableToIPC(arrow, 'file')]);
      return { rowCount: arrow.numRows, byteLength };
    }
    case 'jsonl': {
      let rowCount = 0;
      const encoder = new TextEncoder();
      async function* lines(): AsyncGenerator<Uint8Array> {
        for await (const line of rowLines(table)) {
          rowCount += 1;
          onRows({ rows: rowCount });
          yield encoder.encode(`${line}\n`);
        }
      }
      const byteLength = await writePieces(to, overwrite, lines());
      return { rowCount, byteLength };
    }
    case 'folder': {
      const reader = itemsOfTable(table, await table.count());
      return viaSyrah(job, (staged) => writeSyrah(reader, staged, { overwrite: false }, terminal));
    }
    case 'npz':
    case 'npy':
      return { rowCount: table.rowCount, byteLength: await writeNumpy(table, to, overwrite) };
    case 'cna':
      return writeColumna(to, table, { ...encodingOptions(options), overwrite });
    case 'syr':
      throw new TypeError(`${target} has a route of its own`);
  }
}

async function writePieces(
  to: string,
  overwrite: boolean,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const sink = await openFileSink(to, { overwrite });
  try {
    for await (const piece of pieces) await sink.write(piece);
    await sink.finish();
  } catch (error) {
    await sink.abort();
    throw error;
  }
  return sink.position;
}

async function intoSyrah(job: Job): Promise<Done> {
  const { from, to, source, options, terminal } = job;
  const writing = { overwrite: isForced(job), ...(options.align === undefined ? {} : { align: options.align }) };
  if (source === 'syr') {
    using file = await openSyrah(from);
    const reader = itemsOfFile(file, chosenNames(options.columns, file.keys) ?? file.keys);
    return await writeSyrah(reader, to, writing, terminal);
  }
  if (isItemForm(source) && from !== '-' && options.columns === undefined) {
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
  try {
    for await (const entries of reader.items()) {
      await writer.addItem(entries);
      terminal.progress(itemsText(writer.itemCount, reader.itemCount));
    }
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.close();
  return { items: writer.itemCount, ...((reader.notes ?? []).length === 0 ? {} : { notes: reader.notes ?? [] }) };
}

/** By way of a .syr file that is there for the time of the conversion. */
async function viaSyrah(job: Job, make: (staged: string) => Promise<Done>): Promise<Done> {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-'));
  try {
    const from = join(folder, 'staged.syr');
    const made = await make(from);
    return { ...made, ...(await outOfSyrah({ ...job, from, source: 'syr' })) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function outOfSyrah({ from, to, target, options, terminal }: Job): Promise<Done> {
  if (!isItemForm(target)) throw new TypeError(`${target} is no form of items`);
  using file = await openSyrah(from);
  const sink = await ITEM_FORMS[target].openSink(to, file, { overwrite: options.overwrite === true });
  try {
    for (let item = 0; item < file.itemCount; item += 1) {
      await sink.put(await readable(file, item, file.keys), item);
      terminal.progress(itemsText(item + 1, file.itemCount));
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
