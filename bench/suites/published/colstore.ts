// The suite `published` for this repository's colstore: the table as one record, as many, and as many files.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSync, recreateSync, writeSync } from 'colstore';
import type { ColStore } from 'colstore';
import { syncTask } from '../../src/checkouts/peer.ts';
import type { Outputs, PeerSuite, SuiteContext, Workload } from '../../src/checkouts/peer.ts';
import { parameter, readPublished, readPublishedInputs, rowsOf } from './data.ts';
import type { PublishedColumns } from './data.ts';

/** How the table is cut, and how many threads read it. */
export interface PublishedUse {
  readonly cut: 'one' | 'records' | 'files';
  readonly maxWorkers: number;
  readonly backend: 'native' | 'js';
}

export function publishedColstore(uses: Readonly<Record<string, PublishedUse>>): PeerSuite {
  return {
    variants: Object.keys(uses),
    build: buildFiles,
    prepare(variant, context) {
      const use = uses[variant];
      if (use === undefined) throw new Error(`unknown variant ${variant}`);
      return prepare(use, context);
    },
  };
}

function buildFiles(context: SuiteContext): void {
  const columns = readPublished(context);
  writeSync(pathOf(context, 'one'), { ...columns }, { overwrite: true });
  mkdirSync(pathOf(context, 'files'), { recursive: true });
  const writer = recreateSync(pathOf(context, 'records'));
  const pieces = parameter(context, 'pieces');
  const rows = parameter(context, 'rows') / pieces;
  for (let piece = 0; piece < pieces; piece += 1) {
    const some = { ...rowsOf(columns, piece * rows, (piece + 1) * rows) };
    writer.writeSync(some);
    writeSync(pieceOf(pathOf(context, 'files'), piece), some, { overwrite: true });
  }
  writer.closeSync();
}

function prepare({ cut, maxWorkers, backend }: PublishedUse, context: SuiteContext): Workload {
  const { ids, random } = readPublishedInputs(context);
  const path = pathOf(context, cut);
  let opened: ColStore | undefined;
  const table = (): ColStore => opened as ColStore;
  let small: readonly PublishedColumns[] = [];
  const streamed = join(context.ownDirectory, `small-${cut}-${String(maxWorkers)}-${backend}.cstore`);
  const tasks = {
    columns: syncTask(() => table().take(ids).toColumnsSync(), outputs),
    records: syncTask(
      () => table().take(ids).toRecordsSync(),
      ({ bytes }) => ({ bytes }),
    ),
    random: syncTask(() => table().take(random).toColumnsSync(), outputs),
  };
  const writing = syncTask(
    () => {
      const writer = recreateSync(streamed);
      for (const record of small) writer.writeSync({ ...record });
      writer.closeSync();
      return streamed;
    },
    (written) => {
      using again = openSync(written);
      return again.toColumnsSync() as unknown as Outputs;
    },
    () => {
      small = smallRecords(context);
    },
  );
  return {
    files:
      cut === 'files'
        ? Array.from({ length: parameter(context, 'pieces') }, (_, piece) => pieceOf(path, piece))
        : [path],
    load: () => {
      opened = openSync(path, { maxWorkers, backend });
    },
    // Writing is the same however the table that is read was cut.
    tasks: cut === 'one' ? { ...tasks, 'write-small': writing } : tasks,
    release: () => {
      small = [];
    },
    close: () => opened?.close(),
  };
}

function smallRecords(context: SuiteContext): readonly PublishedColumns[] {
  const columns = readPublished(context);
  const rows = parameter(context, 'smallRows');
  return Array.from({ length: parameter(context, 'smallRecords') }, (_, record) =>
    rowsOf(columns, record * rows, (record + 1) * rows),
  );
}

function outputs(columns: object): Outputs {
  return columns as Outputs;
}

function pieceOf(folder: string, piece: number): string {
  return join(folder, `part_${String(piece)}.cstore`);
}

function pathOf({ ownDirectory }: SuiteContext, cut: PublishedUse['cut']): string {
  return join(ownDirectory, cut === 'files' ? 'published' : `published-${cut}.cstore`);
}
