// parquet-wasm: Parquet by Rust in WebAssembly, over a file that it wrote with zstd; tables come out as Arrow and go on
// as typed arrays and strings. Its writing of five million rows takes half a minute, so that it is left out of the
// tasks that write.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Arrow from 'apache-arrow';
import { importInstalled, installedVersion } from '../src/checkouts/installed.ts';
import { versionOf } from '../src/checkouts/package-version.ts';
import { syncTask } from '../src/checkouts/peer.ts';
import type { Peer, SuiteContext, Workload } from '../src/checkouts/peer.ts';
import { arrowTableOf, numbersOf, stringsOf, valuesOf } from '../suites/table/arrow.ts';
import { groupOutputs, openOutputs, sumsByText, tableOutputs } from '../suites/table/outputs.ts';
import type { Found } from '../suites/table/outputs.ts';
import { tableSuites } from '../suites/table/peer.ts';

/** What is used of the library. */
interface WasmTable {
  intoIPCStream(): Uint8Array;
}
interface Library {
  readonly Table: { fromIPCStream(bytes: Uint8Array): WasmTable };
  readonly Compression: Readonly<Record<'ZSTD', number>>;
  readonly WriterPropertiesBuilder: new () => { setCompression(compression: number): { build(): unknown } };
  readParquet(
    bytes: Uint8Array,
    options?: { columns?: string[]; offset?: number; limit?: number; batchSize?: number },
  ): WasmTable;
  readSchema(bytes: Uint8Array): { intoIPCStream(): Uint8Array };
  writeParquet(table: WasmTable, properties: unknown): Uint8Array;
}

const NAME = 'parquet-wasm';

export const peer: Peer = {
  name: 'parquet-wasm',
  load: async () => {
    await importInstalled(NAME);
    return { [NAME]: installedVersion(NAME), 'apache-arrow': versionOf('apache-arrow') };
  },
  suites: tableSuites({
    variants: { w2: ['zstd'] },
    async build({ context, rawColumns }) {
      const [wasm, arrow] = [(await importInstalled(NAME)) as Library, await import('apache-arrow')];
      const table = wasm.Table.fromIPCStream(arrow.tableToIPC(arrowTableOf(arrow, rawColumns()), 'stream'));
      writeFileSync(
        tablePath(context),
        wasm.writeParquet(table, new wasm.WriterPropertiesBuilder().setCompression(wasm.Compression.ZSTD).build()),
      );
    },
    async prepare({ context, inputs }): Promise<Workload> {
      const [wasm, arrow] = [(await importInstalled(NAME)) as Library, await import('apache-arrow')];
      const {
        question: { pair, filter, group },
        slice,
        take,
      } = inputs;
      const path = tablePath(context);
      const read = (options: { columns?: string[]; offset?: number; limit?: number } = {}): Arrow.Table =>
        arrow.tableFromIPC(wasm.readParquet(readFileSync(path), options).intoIPCStream());
      const outputs = (found: Record<string, Found>): ReturnType<typeof tableOutputs> => tableOutputs(inputs, found);
      return {
        files: [path],
        load: () => undefined,
        tasks: {
          open: syncTask(
            () => ({
              rows: read({ columns: [pair[0]] }).numRows,
              schema: arrow.tableFromIPC(wasm.readSchema(readFileSync(path)).intoIPCStream()).schema,
            }),
            ({ rows, schema }) =>
              openOutputs(
                rows,
                schema.fields.map(({ name }) => name),
              ),
          ),
          pair: syncTask(() => {
            const table = read({ columns: [...pair] });
            return Object.fromEntries(pair.map((name) => [name, numbersOf(table, name)]));
          }, outputs),
          all: syncTask(() => valuesOf(read(), inputs), outputs),
          slice: syncTask(
            () => valuesOf(read({ offset: slice.start, limit: slice.end - slice.start }), inputs),
            outputs,
          ),
          take: syncTask(() => {
            const table = read();
            return Object.fromEntries(
              inputs.question.columns.map(({ name, dtype }) => {
                const vector = table.getChild(name) as Arrow.Vector;
                // Texts one by one: only those that are asked for become strings.
                const values = dtype === 'string' ? null : numbersOf(table, name);
                return [
                  name,
                  Array.from(take, (row) => (values === null ? (vector.get(row) as unknown) : values[row])),
                ];
              }),
            );
          }, outputs),
          filter: syncTask(() => {
            const table = read({ columns: [...new Set([filter.number, filter.text, ...filter.project])] });
            const numbers = numbersOf(table, filter.number) as Float64Array;
            const texts = table.getChild(filter.text) as Arrow.Vector;
            const rows: number[] = [];
            for (let i = 0; i < numbers.length; i++)
              if ((numbers[i] as number) > filter.above && texts.get(i) === filter.equals) rows.push(i);
            return Object.fromEntries(
              filter.project.map((name) => {
                const values = numbersOf(table, name);
                return [name, rows.map((row) => values[row])];
              }),
            );
          }, outputs),
          group: syncTask(
            () => {
              const table = read({ columns: [group.sum, group.by] });
              return sumsByText(numbersOf(table, group.sum) as Float64Array, stringsOf(table, group.by));
            },
            (sums) => groupOutputs(inputs, sums),
          ),
        },
        close: () => undefined,
      };
    },
  }),
};

function tablePath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'zstd.parquet');
}
