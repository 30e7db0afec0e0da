// The tasks of the corpus through the public face of this repository's columna; all answers as Arrow.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import type { Table as ArrowTable } from 'apache-arrow';
import { open, setDefaultBackend, write } from 'columna';
import type { Table, WriteMode } from 'columna';
import { asyncTask } from '../../src/checkouts/peer.ts';
import type { PeerSuite, SuiteContext, Task, Workload } from '../../src/checkouts/peer.ts';
import { CORPUS, suiteName } from './corpus.ts';
import { arrowOutputs, groupOutputs, openOutputs } from './outputs.ts';

/** What prepare.py asks of a table; what no column fits is left out. */
interface CorpusQuestion {
  readonly pair: readonly string[];
  readonly project: readonly string[];
  readonly slice: readonly [start: number, end: number];
  readonly filter?: { readonly column: string; readonly above: number };
  readonly text?: { readonly column: string; readonly equals: string };
  readonly group?: { readonly by: string; readonly sum: string };
}

export function corpusColumna(backend: 'native' | 'js', modes: readonly WriteMode[]): Record<string, PeerSuite> {
  const suite: PeerSuite = {
    variants: [...modes],
    async build(context) {
      setDefaultBackend(backend);
      for (const mode of modes)
        await write(pathOf(context, mode), arrowOf(context), { mode, overwrite: true, durability: 'none' });
    },
    prepare(variant, context) {
      setDefaultBackend(backend);
      return prepare(variant as WriteMode, context);
    },
  };
  return Object.fromEntries(Object.keys(CORPUS).map((table) => [suiteName(table), suite]));
}

function prepare(mode: WriteMode, context: SuiteContext): Workload {
  const path = pathOf(context, mode);
  const question = JSON.parse(readFileSync(join(context.directory, 'question.json'), 'utf8')) as CorpusQuestion;
  const taken = readFileSync(join(context.directory, 'take.bin'));
  const rows = Int32Array.from({ length: taken.length / 4 }, (_, i) => taken.readInt32LE(4 * i)).sort();
  let opened: Table | undefined;
  let input: ArrowTable | undefined;
  const table = (): Table => opened as Table;
  const arrow = (from: Table): Promise<ArrowTable> => from.toArrow<ArrowTable>();
  const { filter, text, group, pair, project, slice } = question;
  const written = join(context.ownDirectory, `written-${mode}-${String(process.pid)}.cna`);
  const tasks: Record<string, Task> = {
    write: asyncTask(
      async () => {
        input ??= arrowOf(context);
        await write(written, input, { mode, overwrite: true, durability: 'none' });
      },
      async () => arrowOutputs(await arrow((await open(written)).select(...pair))),
    ),
    open: asyncTask(
      async () => {
        const file = await open(path);
        file.close();
        return file;
      },
      ({ rowCount, columnNames }) => openOutputs(rowCount, columnNames),
    ),
    pair: asyncTask(() => arrow(table().select(...pair)), arrowOutputs),
    dense: asyncTask(() => arrow(table()), arrowOutputs),
    slice: asyncTask(() => arrow(table().slice(...slice)), arrowOutputs),
    take: asyncTask(() => arrow(table().take(rows)), arrowOutputs),
  };
  const column = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
  if (filter !== undefined)
    tasks['filter'] = asyncTask(
      () =>
        arrow(
          table()
            .where(`${column(filter.column)} > @above`, { above: filter.above })
            .select(...project),
        ),
      arrowOutputs,
    );
  if (text !== undefined)
    tasks['text'] = asyncTask(
      () =>
        arrow(
          table()
            .where(`${column(text.column)} == @equals`, { equals: text.equals })
            .select(...project),
        ),
      arrowOutputs,
    );
  if (group !== undefined)
    tasks['group'] = asyncTask(
      () =>
        table()
          .groupBy(group.by)
          .agg({ total: { sum: group.sum } }),
      ({ columns }) => {
        const { [group.by]: keys = [], total = [] } = columns as Record<string, readonly unknown[]>;
        return groupOutputs(keys, total);
      },
    );
  return {
    files: [path],
    load: async () => {
      opened = await open(path);
    },
    tasks,
    release: () => {
      input = undefined;
    },
    close: () => opened?.close(),
  };
}

const arrowOf = ({ directory }: SuiteContext): ArrowTable =>
  tableFromIPC(readFileSync(join(directory, 'table.arrow'))) as ArrowTable;

const pathOf = ({ ownDirectory }: SuiteContext, mode: WriteMode): string => join(ownDirectory, `${mode}.cna`);
