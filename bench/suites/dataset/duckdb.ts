// The thousand files as Parquet through DuckDB.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asyncTask } from '../../src/checkouts/peer.ts';
import type { PeerSuite, SuiteContext } from '../../src/checkouts/peer.ts';
import { datasetSql, narrowRange } from './dataset.ts';
import { countOutputs, groupOutputs, pairOutputs, sumOutputs } from './outputs.ts';

/** A connection to a database in memory. */
export interface DuckdbQueries {
  /** The columns of an answer by their names. */
  values(sql: string): Promise<Record<string, unknown[]>>;
  /** Numbers as typed arrays. */
  arrays(sql: string, rowCount: number): Promise<Record<string, ArrayLike<unknown>>>;
  run(sql: string): Promise<unknown>;
  close(): void;
}

export function datasetDuckdb(connect: () => Promise<DuckdbQueries>): PeerSuite {
  return {
    variants: ['folder', 'uncached'],
    async build(context) {
      const { files = 0, fileRows = 0 } = context.parameters;
      const folder = folderOf(context);
      mkdirSync(folder, { recursive: true });
      const duckdb = await connect();
      for (let file = 0; file < files; file += 1) {
        const path = join(folder, `part-${String(file).padStart(4, '0')}.parquet`);
        const rows = datasetSql(file * fileRows, (file + 1) * fileRows);
        await duckdb.run(`COPY (${rows}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
      }
      duckdb.close();
    },
    async prepare(variant, context) {
      const { files = 0, fileRows = 0 } = context.parameters;
      const folder = folderOf(context);
      const duckdb = await connect();
      // By default it keeps the bytes of files that it has read.
      if (variant === 'uncached') await duckdb.run('SET enable_external_file_cache = false');
      const from = `read_parquet('${folder}/*.parquet')`;
      const single = async (what: string, where = 'true'): Promise<number> =>
        Number((await duckdb.values(`SELECT ${what} AS n FROM ${from} WHERE ${where}`))['n']?.[0]);
      return {
        files: readdirSync(folder).map((name) => join(folder, name)),
        load: () => undefined,
        tasks: {
          count: asyncTask(() => single('count(*)', "price > 990 AND region = 'EMEA'"), countOutputs),
          sum: asyncTask(() => single('sum(price)'), sumOutputs),
          group: asyncTask(
            () => duckdb.values(`SELECT region, sum(quantity)::DOUBLE AS total FROM ${from} GROUP BY region`),
            ({ region, total }) => groupOutputs(region as string[], total as number[]),
          ),
          narrow: asyncTask((iteration) => {
            const [first, last] = narrowRange(iteration, context.parameters);
            return single('count(*)', `id BETWEEN ${String(first)} AND ${String(last)}`);
          }, countOutputs),
          pair: asyncTask(
            () => duckdb.arrays(`SELECT id, price FROM ${from}`, files * fileRows),
            ({ id, price }) => pairOutputs(id as Int32Array, price as Float64Array),
          ),
        },
        close: () => duckdb.close(),
      };
    },
  };
}

const folderOf = ({ ownDirectory }: SuiteContext): string => join(ownDirectory, 'parts');
