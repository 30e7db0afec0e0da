// Apache Arrow JS over an IPC file of a table: it reads the whole file, then gives vectors; text columns are
// dictionaries.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Arrow from 'apache-arrow';
import { versionOf } from '../../src/checkouts/package-version.ts';
import { syncTask } from '../../src/checkouts/peer.ts';
import type { Peer, SuiteContext, Workload } from '../../src/checkouts/peer.ts';
import { arrowTableOf, codedOf, numbersOf, valuesOf } from '../../suites/table/arrow.ts';
import { groupOutputs, openOutputs, sumsByCode, tableOutputs } from '../../suites/table/outputs.ts';
import type { Found } from '../../suites/table/outputs.ts';
import { tableSuites } from '../../suites/table/peer.ts';

type Columns = Record<string, Found>;

export const peer: Peer = {
  name: 'arrow-table',
  load: async () => {
    await import('apache-arrow');
    return { 'apache-arrow': versionOf('apache-arrow') };
  },
  suites: tableSuites({
    variants: { 'formats-flights': ['file'], 'formats-orders': ['file'] },
    async build({ context, rawColumns }) {
      const arrow = await import('apache-arrow');
      writeFileSync(tablePath(context), arrow.tableToIPC(arrowTableOf(arrow, rawColumns()), 'file'));
    },
    async prepare(session): Promise<Workload> {
      const arrow = await import('apache-arrow');
      const { context, inputs } = session;
      const {
        question: { pair, filter, group, columns },
        slice,
        take,
      } = inputs;
      const path = tablePath(context);
      const read = (from: string): Arrow.Table => arrow.tableFromIPC(readFileSync(from));
      let loaded: Arrow.Table | undefined;
      const table = (): Arrow.Table => loaded as Arrow.Table;
      const outputs = (found: Columns): ReturnType<typeof tableOutputs> => tableOutputs(inputs, found);
      const twoColumns = (from: Arrow.Table): Columns =>
        Object.fromEntries(pair.map((name) => [name, numbersOf(from, name)]));
      const dense = (): Columns =>
        Object.fromEntries(
          columns.map(({ name, dtype }) => [
            name,
            dtype === 'string' ? codedOf(table(), name) : numbersOf(table(), name),
          ]),
        );
      return {
        files: [path],
        load: () => {
          loaded = read(path);
        },
        tasks: {
          write: syncTask(
            () => {
              const made = session.temporary('.arrow');
              const columnsOf = session.once('table', () => arrowTableOf(arrow, session.rawColumns()));
              writeFileSync(made, arrow.tableToIPC(columnsOf, 'file'));
              return made;
            },
            (made) => outputs(twoColumns(read(made))),
          ),
          open: syncTask(
            () => read(path),
            ({ numRows, schema }) =>
              openOutputs(
                numRows,
                schema.fields.map(({ name }) => name),
              ),
          ),
          // Copies: what lies in the file's bytes is no array of one's own.
          pair: syncTask(
            () => Object.fromEntries(pair.map((name) => [name, (numbersOf(table(), name) as Float64Array).slice()])),
            outputs,
          ),
          all: syncTask(() => valuesOf(table(), inputs), outputs),
          dense: syncTask(dense, outputs),
          slice: syncTask(() => valuesOf(table().slice(slice.start, slice.end), inputs), outputs),
          take: syncTask(
            () => Object.fromEntries(Object.entries(dense()).map(([name, found]) => [name, taken(found, take)])),
            outputs,
          ),
          filter: syncTask(() => {
            const [numbers, { codes, dictionary }] = [
              numbersOf(table(), filter.number) as Float64Array,
              codedOf(table(), filter.text),
            ];
            const wanted = dictionary.indexOf(filter.equals);
            const rows: number[] = [];
            for (let i = 0; i < numbers.length; i++)
              if ((numbers[i] as number) > filter.above && codes[i] === wanted) rows.push(i);
            return Object.fromEntries(filter.project.map((name) => [name, taken(numbersOf(table(), name), rows)]));
          }, outputs),
          group: syncTask(
            () => sumsByCode(numbersOf(table(), group.sum) as Float64Array, codedOf(table(), group.by)),
            (sums) => groupOutputs(inputs, sums),
          ),
        },
        close: () => {
          loaded = undefined;
        },
      };
    },
  }),
};

function taken(found: Found, rows: ArrayLike<number>): unknown[] {
  if (!('codes' in found)) return Array.from(rows, (row) => found[row]);
  return Array.from(rows, (row) => found.dictionary[found.codes[row] as number] ?? null);
}

function tablePath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'table.arrow');
}
