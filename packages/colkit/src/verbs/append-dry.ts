// append --dry-run: everything that append refuses is refused, and nothing is written: what it would write is made and
// thrown away.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { IoError, UnsupportedError } from '@colkit/io';
import { temporaryFolder } from '@colkit/io/durable';
import type { Table } from '@colkit/table';
import { appendAll, info, write as writeColstore } from 'colstore';
import { write as writeColumna } from 'columna';
import { ForwardSink } from '../exchange/forward-sink.ts';
import { identify } from '../formats/identify.ts';
import { allTables, before, eachTable, withWidths } from './append-sources.ts';
import type { Appending, Rows } from './append-sources.ts';

/** What would be added. @throws as append. */
export async function dryRun(what: Appending): Promise<Rows> {
  const { path, target, options } = what;
  await requireGrowing(path);
  const known = await before(path);
  let schema = known?.schema ?? null;
  let appended = 0;
  const add = async (table: Table): Promise<void> => {
    await (target === 'columna' ? writeColumna : writeColstore)(
      new Nowhere(),
      table,
      schema === null ? {} : { schema },
    );
    schema ??= table.schema;
    appended += table.rowCount;
  };
  if (target === 'folder' && options.shardRows === undefined)
    await allTables(what, async (tables) => {
      const shards = known === null ? await withWidths(tables) : tables;
      for (const shard of shards) await add(shard);
      if (options.name !== undefined) await requireNames(path, options.name, shards);
    });
  else await eachTable(what, add);
  return { appended, rowCount: (known?.rowCount ?? 0) + appended };
}

/** A sink that keeps nothing. */
class Nowhere extends ForwardSink {
  constructor() {
    super('<dry run>');
  }

  override writeAt(): Promise<void> {
    return Promise.resolve();
  }

  protected put(): Promise<void> {
    return Promise.resolve();
  }

  protected end(): Promise<void> {
    return Promise.resolve();
  }

  protected drop(): Promise<void> {
    return Promise.resolve();
  }
}

/** Files without rows by these names, in a folder that is there for it. @throws as `appendAll`. */
async function requireNames(folder: string, name: string, tables: readonly Table[]): Promise<void> {
  using elsewhere = temporaryFolder('colkit-');
  await appendAll(
    elsewhere.path,
    tables.map((table) => table.slice(0, 0)),
    { name, durability: 'none' },
  );
  const path = join(folder, name);
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) throw nameTaken(path);
}

/** Nothing is replaced in a folder that grows. */
export function nameTaken(path: string): IoError {
  return new IoError('ERR_EXISTS', 'append', path, 'it exists already; another --name, or one with {index}, is free');
}

/** What `update` requires of a file, which a dry run does not lock. @throws UnsupportedError ERR_FEATURE. */
async function requireGrowing(path: string): Promise<void> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile || (await identify(path)) !== 'colstore') return;
  const { wire } = await info(path);
  if (wire === 'records-64') return;
  throw new UnsupportedError(
    'ERR_FEATURE',
    `update of ${wire}`,
    `${path}: only files of today's records layout grow, and this is one of ${wire}; ` +
      "upgrade(path, { layout: 'records' }) makes it one",
  );
}
