// What append takes rows from and what it adds them to: the sources as tables with the columns that are there.
import { statSync } from 'node:fs';
import type { Field, Table } from '@colkit/table';
import { cstoreParts, edit, open as openColstore } from 'colstore';
import type { DType } from 'colstore';
import { open as openColumna, openDataset } from 'columna';
import { sourceEnd } from '../convert/ends.ts';
import type { End } from '../convert/ends.ts';
import { withFitted } from '../convert/fitted-source.ts';
import type { TextOptions } from '../convert/options.ts';
import { identify } from '../formats/identify.ts';
import { severalFiles } from '../formats/named-files.ts';
import type { SeveralFiles } from '../formats/named-files.ts';
import { fixedTextTypesOfAll } from '../tables/fixed-text.ts';
import type { ShapeOptions } from '../tables/reshaped.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/verb.ts';
import type { JsonOption } from '../terminal/verb.ts';

export interface AppendOptions extends JsonOption, ShapeOptions, TextOptions {
  readonly from?: End;
  readonly statistics?: true;
  readonly name?: string;
  readonly shardRows?: number;
  readonly dryRun?: true;
}

export interface Source {
  readonly path: string;
  readonly end: End;
}

export interface Appending {
  readonly path: string;
  readonly target: Target;
  readonly sources: readonly Source[];
  readonly options: AppendOptions;
  readonly terminal: Terminal;
}

export interface Rows {
  readonly appended: number;
  readonly rowCount: number;
  /** Of a folder, the new ones. */
  readonly files?: readonly string[];
}

export type Target = 'file' | 'folder' | 'columna';

/** All of them looked at before anything is written. */
export async function sourcesOf(words: readonly string[], said: End | undefined): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const word of words) {
    const several = await severalFiles(word);
    // Columns that folders say are columns of all files together.
    if (several !== null && (await haveValues(word, several))) {
      sources.push({ path: word, end: 'cna' });
      continue;
    }
    for (const path of several?.files ?? [word]) {
      const end = await sourceEnd(path, said);
      if (end === 'syr' || end === 'folder')
        throw new UsageError(`${path}: expected a table but found ${end === 'syr' ? 'a .syr file' : 'a folder'}`);
      sources.push({ path, end });
    }
  }
  return sources;
}

/** Whether names of folders say values of the rows of the files in them. */
async function haveValues(word: string, { as, files }: SeveralFiles): Promise<boolean> {
  const mayHave = as === 'dataset' && files.some((path) => /=.*[/\\]/su.test(path));
  if (!mayHave || files.some((path) => !/\.(?:cna|cstore)$/u.test(path))) return false;
  using dataset = await openDataset(word, { formats: [cstoreParts] });
  return dataset.pathColumns.length > 0;
}

type UseTable = (table: Table, source: Source) => Promise<unknown>;

/** One source after another, as a table of the columns that are asked for. */
export async function eachTable(what: Appending, use: UseTable): Promise<void> {
  let known = await before(what.path);
  for (const source of what.sources)
    await withSource(what, source, known, (table) => {
      // The first file of a new folder says what the others are.
      known ??= { path: source.path, rowCount: 0, schema: table.schema };
      return use(table, source);
    });
}

/** All of them at once: what is text has been read as a whole then, and what is wrong with it told. */
export async function allTables(what: Appending, use: (tables: readonly Table[]) => Promise<unknown>): Promise<void> {
  const known = await before(what.path);
  const next = async (tables: readonly Table[]): Promise<void> => {
    const source = what.sources[tables.length];
    if (source === undefined) await use(tables);
    else await withSource(what, source, known ?? first(tables), async (table) => next([...tables, table]));
  };
  const first = ([table]: readonly Table[]): Known | null =>
    table === undefined ? null : { path: what.sources[0]?.path ?? '', rowCount: 0, schema: table.schema };
  await next([]);
}

async function withSource(
  { options, target, terminal }: Appending,
  { path: from, end }: Source,
  known: Known | null,
  use: (table: Table) => Promise<unknown>,
): Promise<void> {
  terminal.progress(`appending ${from}`);
  const job = { from, to: '', source: end, target: 'cna', options, terminal } as const;
  const into = { path: known?.path ?? '', schema: known?.schema ?? null, hasNulls: target === 'columna' };
  await withFitted(job, into, use);
}

interface Known {
  /** Where the columns are as they are. */
  readonly path: string;
  readonly rowCount: number;
  readonly schema: readonly Field[];
}

/** Null: there is nothing yet. */
export async function before(path: string): Promise<Known | null> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  const isColumna = stats.isFile() && (await identify(path)) === 'columna';
  await using table = await (isColumna ? openColumna(path) : openColstore(path));
  // A folder that was made for the first file has no columns yet.
  return table.columnNames.length === 0 ? null : { path, rowCount: table.rowCount, schema: table.schema };
}

/** Of a new folder: all with text of the widths of the widest. */
export async function withWidths(tables: readonly Table[]): Promise<readonly Table[]> {
  const widths = await fixedTextTypesOfAll(tables);
  return tables.map((table) => {
    const own = [...widths].filter(([name]) => table.columnNames.includes(name));
    return edit(table).cast(new Map<string, DType>(own)).table;
  });
}
