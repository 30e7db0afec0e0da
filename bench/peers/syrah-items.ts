// This repository's syrah holding a table: an item is 1,024 rows, each of its arrays a column's part; texts are codes,
// their distinct values lie beside it. A format for items, not for tables: what that costs is what is measured.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSync, openSync } from 'syrah';
import type { SyrahFile } from 'syrah';
import { versionOf } from '../src/checkouts/package-version.ts';
import { syncTask } from '../src/checkouts/peer.ts';
import type { Outputs, Peer, SuiteContext, Workload } from '../src/checkouts/peer.ts';
import type { RawArray, RawColumn, TableInputs } from '../suites/table/files.ts';
import { groupOutputs, openOutputs, sumsByCode, tableOutputs } from '../suites/table/outputs.ts';
import type { Found } from '../suites/table/outputs.ts';
import { tableSuites } from '../suites/table/peer.ts';

type Columns = Record<string, Found>;

/** A power of two: a row's item is a shift away. */
const ITEM_BITS = 10;
const ITEM_ROWS = 1 << ITEM_BITS;

export const peer: Peer = {
  name: 'syrah-items',
  load: () => Promise.resolve({ syrah: versionOf('syrah') }),
  suites: tableSuites({
    variants: { 'formats-flights': ['items'], 'formats-orders': ['items'] },
    build: ({ context, inputs, rawColumns }) => writeItems(tablePath(context), inputs, rawColumns()),
    prepare(session): Workload {
      const { context, inputs } = session;
      const {
        question: { pair, filter, group, columns },
        slice,
        take,
        rowCount,
      } = inputs;
      const path = tablePath(context);
      const names = columns.map(({ name }) => name);
      let opened: SyrahFile | undefined;
      const file = (): SyrahFile => opened as SyrahFile;
      const outputs = (found: Columns): Outputs => tableOutputs(inputs, found);
      const values = (name: string, array: RawArray): Found => {
        const dictionary = inputs.dictionaries.get(name);
        return dictionary === undefined ? array : Array.from(array as Uint16Array, (code) => dictionary[code] ?? null);
      };
      const coded = (name: string, array: RawArray): Found =>
        array instanceof Uint16Array ? { codes: array, dictionary: inputs.dictionaries.get(name) ?? [] } : array;
      const read = (wanted: readonly string[], form: typeof values, start = 0, end = rowCount): Columns =>
        Object.fromEntries(wanted.map((name) => [name, form(name, readRows(file(), name, start, end))]));
      return {
        files: [path, textsPath(path)],
        load: () => {
          opened = openSync(path);
        },
        tasks: {
          write: syncTask(
            () => {
              const made = session.temporary('.syr');
              writeItems(made, inputs, session.rawColumns());
              rmSync(textsPath(made));
              return made;
            },
            (made) => {
              const written = openSync(made);
              const found = Object.fromEntries(pair.map((name) => [name, readRows(written, name, 0, rowCount)]));
              written.close();
              return outputs(found);
            },
          ),
          open: syncTask(
            () => {
              const found = openSync(path);
              // Rows are no notion of the format: what its items hold together is counted by the last one.
              const rows =
                (found.itemCount - 1) * ITEM_ROWS +
                (found.getArraySync(found.itemCount - 1, pair[0]) as RawArray).length;
              found.close();
              return rows;
            },
            (rows) => openOutputs(rows, names),
          ),
          pair: syncTask(() => read(pair, coded), outputs),
          all: syncTask(() => read(names, values), outputs),
          dense: syncTask(() => read(names, coded), outputs),
          slice: syncTask(() => read(names, values, slice.start, slice.end), outputs),
          take: syncTask(
            () =>
              Object.fromEntries(
                names.map((name) => {
                  const dictionary = inputs.dictionaries.get(name);
                  return [
                    name,
                    Array.from(take, (row) => {
                      const value = partOf(file(), row >> ITEM_BITS, name)[row & (ITEM_ROWS - 1)] as number;
                      return dictionary === undefined ? value : (dictionary[value] ?? null);
                    }),
                  ];
                }),
              ),
            outputs,
          ),
          filter: syncTask(() => {
            const wanted = (inputs.dictionaries.get(filter.text) ?? []).indexOf(filter.equals);
            const [numbers, codes] = [filter.number, filter.text].map((name) =>
              readRows(file(), name, 0, rowCount),
            ) as [Float64Array, Uint16Array];
            const rows: number[] = [];
            for (let i = 0; i < numbers.length; i++)
              if ((numbers[i] as number) > filter.above && codes[i] === wanted) rows.push(i);
            return Object.fromEntries(
              filter.project.map((name) => [
                name,
                rows.map((row) => partOf(file(), row >> ITEM_BITS, name)[row & (ITEM_ROWS - 1)]),
              ]),
            );
          }, outputs),
          group: syncTask(
            () => {
              const codes = readRows(file(), group.by, 0, rowCount) as Uint16Array;
              return sumsByCode(readRows(file(), group.sum, 0, rowCount) as Float64Array, {
                codes,
                dictionary: inputs.dictionaries.get(group.by) ?? [],
              });
            },
            (sums) => groupOutputs(inputs, sums),
          ),
        },
        close: () => opened?.close(),
      };
    },
  }),
};

/** Item i: rows i * 1,024 on. The texts of all text columns as JSON beside it: keys hold numbers of one type each. */
function writeItems(path: string, { dictionaries, rowCount }: TableInputs, columns: readonly RawColumn[]): void {
  const writer = createSync(path, { align: 8, durability: 'none', overwrite: true });
  for (let start = 0; start < rowCount; start += ITEM_ROWS) {
    writer.addItemSync(
      Object.fromEntries(
        columns.map(({ column: { name }, values }) => [
          name,
          values.subarray(start, Math.min(rowCount, start + ITEM_ROWS)),
        ]),
      ),
    );
  }
  writer.closeSync();
  writeFileSync(textsPath(path), JSON.stringify([...dictionaries]));
}

function partOf(file: SyrahFile, item: number, name: string): RawArray {
  return file.getArraySync(item, name) as RawArray;
}

/** Rows of a column, put together from its items' parts. */
function readRows(file: SyrahFile, name: string, start: number, end: number): RawArray {
  const first = partOf(file, start >> ITEM_BITS, name);
  const out = new (first.constructor as Float64ArrayConstructor)(end - start);
  for (let item = start >> ITEM_BITS; item * ITEM_ROWS < end; item++) {
    const [from, to] = [Math.max(start, item * ITEM_ROWS), Math.min(end, (item + 1) * ITEM_ROWS)];
    out.set(
      (partOf(file, item, name) as Float64Array).subarray(from - item * ITEM_ROWS, to - item * ITEM_ROWS),
      from - start,
    );
  }
  return out;
}

function tablePath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'items.syr');
}

function textsPath(path: string): string {
  return `${path}.texts.json`;
}
