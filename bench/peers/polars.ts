// Polars (nodejs-polars) over a Parquet file that it wrote with zstd. Values leave it as typed arrays where they are
// numbers, else as JavaScript arrays.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { importInstalled, installedVersion } from '../src/checkouts/installed.ts';
import { asyncTask } from '../src/checkouts/peer.ts';
import type { Peer, SuiteContext, Workload } from '../src/checkouts/peer.ts';
import { csvPath } from '../suites/orders-files.ts';
import { writeTableCsv } from '../suites/table/csv.ts';
import type { TableInputs } from '../suites/table/files.ts';
import { groupOutputs, openOutputs, tableOutputs } from '../suites/table/outputs.ts';
import { tableSuites } from '../suites/table/peer.ts';

/** What is used of the library. */
interface Series {
  toTypedArray(): ArrayLike<unknown>;
  toArray(): unknown[];
  gather(rows: readonly number[]): Series;
}
interface Frame {
  readonly columns: string[];
  readonly height: number;
  getColumn(name: string): Series;
}
interface Expression {
  gt(value: number): Expression;
  eq(value: unknown): Expression;
  and(other: Expression): Expression;
  sum(): Expression;
  cast(dtype: unknown): Expression;
  alias(name: string): Expression;
  readonly str: { strptime(dtype: unknown, format: string): Expression };
}
interface Lazy {
  readonly columns: string[];
  select(...columns: unknown[]): Lazy;
  filter(by: Expression): Lazy;
  slice(offset: number, length: number): Lazy;
  withColumns(...columns: Expression[]): Lazy;
  groupBy(name: string): { agg(...of: Expression[]): Lazy };
  sinkParquet(path: string, options: { compression: 'zstd' }): Lazy;
  collect(): Promise<Frame>;
}
interface Library {
  scanParquet(path: string): Lazy;
  scanCSV(path: string, options: Record<string, unknown>): Lazy;
  col(name: string): Expression;
  lit(value: unknown): Expression;
  readonly Int64: unknown;
  readonly Int32: unknown;
  readonly Int16: unknown;
  readonly Float64: unknown;
  readonly Utf8: unknown;
  Datetime(unit: 'ms'): unknown;
}
type Columns = Record<string, ArrayLike<unknown>>;

const NAME = 'nodejs-polars';
const FILE = 'zstd.parquet';

export const peer: Peer = {
  name: 'polars',
  load: async () => {
    await importInstalled(NAME);
    return { [NAME]: installedVersion(NAME) };
  },
  suites: tableSuites({
    variants: { w2: ['parquet-zstd'] },
    async build({ context, inputs, rawColumns }) {
      const csv = join(context.ownDirectory, 'source.csv');
      writeTableCsv(csv, rawColumns());
      await parquetOf(await library(), inputs, csv, tablePath(context));
      rmSync(csv);
    },
    async prepare(session): Promise<Workload> {
      const pl = await library();
      const { context, inputs } = session;
      const {
        question: { pair, filter, group, columns },
        slice,
        take,
      } = inputs;
      const path = tablePath(context);
      const rows = Array.from(take);
      const numbers = new Set(
        columns.filter(({ dtype }) => dtype !== 'string' && dtype !== 'datetime64[ms]').map(({ name }) => name),
      );
      const outputs = (found: Columns): ReturnType<typeof tableOutputs> => tableOutputs(inputs, found);
      const valuesOf = (series: Series, name: string): ArrayLike<unknown> =>
        numbers.has(name) ? series.toTypedArray() : series.toArray();
      const values = (frame: Frame): Columns =>
        Object.fromEntries(frame.columns.map((name) => [name, valuesOf(frame.getColumn(name), name)]));
      const twoColumns = async (from: string): Promise<Columns> =>
        values(
          await pl
            .scanParquet(from)
            .select(...pair)
            .collect(),
        );
      return {
        files: [path],
        load: () => undefined,
        tasks: {
          ...(context.parameters['csv'] !== 1
            ? {}
            : {
                csv: asyncTask(
                  async () => {
                    const made = session.temporary('.parquet');
                    await parquetOf(pl, inputs, csvPath(context), made);
                    return made;
                  },
                  async (made) => outputs(await twoColumns(made)),
                ),
              }),
          open: asyncTask(
            async () => {
              const lazy = pl.scanParquet(path);
              return { names: lazy.columns, rows: (await lazy.select(pair[0]).collect()).height };
            },
            ({ rows: found, names }) => openOutputs(found, names),
          ),
          pair: asyncTask(() => twoColumns(path), outputs),
          all: asyncTask(async () => values(await pl.scanParquet(path).collect()), outputs),
          slice: asyncTask(
            async () =>
              values(
                await pl
                  .scanParquet(path)
                  .slice(slice.start, slice.end - slice.start)
                  .collect(),
              ),
            outputs,
          ),
          take: asyncTask(async () => {
            const frame = await pl.scanParquet(path).collect();
            return Object.fromEntries(
              frame.columns.map((name) => [name, valuesOf(frame.getColumn(name).gather(rows), name)]),
            );
          }, outputs),
          filter: asyncTask(async () => {
            const matches = pl
              .col(filter.number)
              .gt(filter.above)
              .and(pl.col(filter.text).eq(pl.lit(filter.equals)));
            return values(
              await pl
                .scanParquet(path)
                .filter(matches)
                .select(...filter.project)
                .collect(),
            );
          }, outputs),
          group: asyncTask(
            async () => {
              const frame = await pl
                .scanParquet(path)
                .groupBy(group.by)
                .agg(pl.col(group.sum).cast(pl.Float64).sum().alias('total'))
                .collect();
              return new Map(
                (frame.getColumn(group.by).toArray() as string[]).map((text, i) => [
                  text,
                  frame.getColumn('total').toArray()[i] as number,
                ]),
              );
            },
            (sums) => groupOutputs(inputs, sums),
          ),
        },
        close: () => undefined,
      };
    },
  }),
};

async function library(): Promise<Library> {
  const module = (await importInstalled(NAME)) as { default: Library };
  return module.default;
}

/** A CSV file -> a Parquet file; moments are parsed by their form, the other columns get the table's own types. */
async function parquetOf(pl: Library, { question }: TableInputs, csv: string, path: string): Promise<void> {
  const types = {
    int64: pl.Int64,
    int32: pl.Int32,
    int16: pl.Int16,
    float64: pl.Float64,
    string: pl.Utf8,
    'datetime64[ms]': pl.Datetime('ms'),
  };
  const parsed = question.columns.map(({ name, dtype }) =>
    dtype === 'datetime64[ms]'
      ? pl.col(name).str.strptime(types[dtype], '%Y-%m-%dT%H:%M:%S')
      : pl.col(name).cast(types[dtype]),
  );
  await pl
    .scanCSV(csv, {})
    .withColumns(...parsed)
    .sinkParquet(path, { compression: 'zstd' })
    .collect();
}

function tablePath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, FILE);
}
