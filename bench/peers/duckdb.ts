// DuckDB (@duckdb/node-api): over Parquet files that it wrote (snappy, zstd), and over its own database file. Result
// chunks are copied into typed arrays by their items, its quickest way out.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { importInstalled, installedVersion } from '../src/checkouts/installed.ts';
import { asyncTask } from '../src/checkouts/peer.ts';
import type { Peer, SuiteContext, Task, Workload } from '../src/checkouts/peer.ts';
import { datasetDuckdb } from '../suites/dataset/duckdb.ts';
import type { DuckdbQueries } from '../suites/dataset/duckdb.ts';
import { csvPath, jsonPath } from '../suites/orders-files.ts';
import { writeTableCsv } from '../suites/table/csv.ts';
import { countOutputs, groupOutputs, openOutputs, partOutputs, tableOutputs } from '../suites/table/outputs.ts';
import type { RawDType, TableColumn } from '../suites/table/question.ts';
import { tableSuites } from '../suites/table/peer.ts';
import type { TableSession } from '../suites/table/peer.ts';

/** What is used of the library. */
interface Vector {
  readonly items?: ArrayLike<unknown>;
  getItem(index: number): unknown;
}
interface Chunk {
  readonly rowCount: number;
  getColumnVector(column: number): Vector;
}
interface Result {
  columnNames(): string[];
  fetchAllChunks(): Promise<Chunk[]>;
  getColumnsObjectJS(): Promise<Record<string, unknown[]>>;
}
interface Connection {
  run(sql: string): Promise<Result>;
  closeSync(): void;
}
interface Library {
  readonly DuckDBInstance: {
    create(
      path: string,
      options?: Record<string, string>,
    ): Promise<{ connect(): Promise<Connection>; closeSync(): void }>;
  };
}
type Columns = Record<string, ArrayLike<unknown>>;

const NAME = '@duckdb/node-api';
const SQL_TYPES: Readonly<Record<RawDType, string>> = {
  int64: 'BIGINT',
  'datetime64[ms]': 'TIMESTAMP',
  float64: 'DOUBLE',
  int32: 'INTEGER',
  int16: 'SMALLINT',
  string: 'VARCHAR',
};

export const peer: Peer = {
  name: 'duckdb',
  load: async () => {
    await importInstalled(NAME);
    return { [NAME]: installedVersion(NAME) };
  },
  suites: {
    dataset: datasetDuckdb(queries),
    ...tableSuites({
      variants: {
        w2: ['parquet-snappy', 'parquet-zstd', 'own'],
        csv: ['parquet-snappy', 'parquet-zstd'],
        'formats-flights': ['parquet-zstd'],
        'formats-orders': ['parquet-zstd'],
      },
      async build(session) {
        const { variant, context } = session;
        const csv = join(context.ownDirectory, 'source.csv');
        writeTableCsv(csv, session.rawColumns());
        const source = sourceOf(session, csv);
        const { connection, close } = await connect(variant === 'own' ? tablePath(context, 'own') : ':memory:');
        await connection.run(
          variant === 'own' ? `CREATE TABLE t AS ${source}` : copyTo(source, tablePath(context, variant), variant),
        );
        close();
        rmSync(csv);
      },
      prepare,
    }),
  },
};

/** Of a database in memory: the threads that DuckDB takes by itself. */
async function queries(): Promise<DuckdbQueries> {
  const { connection, close } = await connect(':memory:');
  const columns = [
    { name: 'id', dtype: 'int32' },
    { name: 'price', dtype: 'float64' },
  ] as const;
  return {
    values: async (sql) => (await connection.run(sql)).getColumnsObjectJS(),
    arrays: (sql, rowCount) => typedColumns(connection, sql, columns, rowCount),
    run: (sql) => connection.run(sql),
    close,
  };
}

async function prepare(session: TableSession): Promise<Workload> {
  const { variant, context, inputs } = session;
  const {
    question: { pair, filter, group, columns, computed, either, month, parts, product, order },
    slice,
    take,
    rowCount,
  } = inputs;
  const path = tablePath(context, variant);
  const own = variant === 'own';
  const { connection, close } = await connect(':memory:');
  // The rows to take are a table, made before anything is timed.
  await connection.run(
    `CREATE TABLE picked AS SELECT * FROM (VALUES ${Array.from(take, (row, i) => `(${row}, ${i})`).join(', ')}) ` +
      'AS v(file_row_number, position)',
  );
  const from = own ? 'stored.t' : `read_parquet('${path}')`;
  const numbered = own
    ? '(SELECT *, rowid AS file_row_number FROM stored.t)'
    : `read_parquet('${path}', file_row_number = true)`;
  const names = columns.map(({ name }) => name).join(', ');
  const outputs = (found: Columns): ReturnType<typeof tableOutputs> => tableOutputs(inputs, found);
  const twoColumns = (source: string): Promise<Columns> =>
    typedColumns(connection, `SELECT ${pair.join(', ')} FROM ${source}`, columns, rowCount);
  const written = (made: string): Promise<ReturnType<typeof tableOutputs>> =>
    twoColumns(`read_parquet('${made}')`).then(outputs);
  const values = async (sql: string): Promise<Columns> => (await connection.run(sql)).getColumnsObjectJS();
  const numberOf = async (what: string, where: string): Promise<number> =>
    Number((await values(`SELECT ${what} AS n FROM ${from} WHERE ${where}`))['n']?.[0]);
  const countOf = (where: string): Promise<number> => numberOf('count(*)', where);
  const textOut = (format: 'csv' | 'json', rowsOf: typeof sourceOf): Task =>
    asyncTask(
      async () => {
        const made = session.temporary(`.${format}`);
        await connection.run(`COPY (SELECT * FROM ${from}) TO '${made}' (FORMAT ${format})`);
        return made;
      },
      (made) => twoColumns(`(${rowsOf(session, made)})`).then(outputs),
    );
  return {
    files: [path],
    load: async () => {
      if (own) await connection.run(`ATTACH '${path}' AS stored (READ_ONLY)`);
      else await connection.run(`SELECT * FROM ${from} LIMIT 0`);
    },
    tasks: {
      ...(own || context.parameters['csv'] !== 1
        ? {}
        : {
            csv: asyncTask(async () => {
              const made = session.temporary('.parquet');
              await connection.run(copyTo(sourceOf(session, csvPath(context)), made, variant));
              return made;
            }, written),
          }),
      ...(context.parameters['json'] !== 1
        ? {}
        : {
            'csv-out': textOut('csv', sourceOf),
            json: asyncTask(async () => {
              const made = session.temporary('.parquet');
              await connection.run(copyTo(sourceOfJson(session, jsonPath(context)), made, variant));
              return made;
            }, written),
            'json-out': textOut('json', sourceOfJson),
          }),
      open: asyncTask(
        async () => {
          const names = (await connection.run(`SELECT * FROM ${from} LIMIT 0`)).columnNames();
          const counted = await (await connection.run(`SELECT count(*) AS n FROM ${from}`)).getColumnsObjectJS();
          return { rows: Number(counted['n']?.[0]), names };
        },
        ({ rows, names: found }) => openOutputs(rows, found),
      ),
      pair: asyncTask(() => twoColumns(from), outputs),
      all: asyncTask(() => values(`SELECT ${names} FROM ${from}`), outputs),
      slice: asyncTask(
        () =>
          values(
            `SELECT ${names} FROM ${numbered} WHERE file_row_number >= ${slice.start} AND file_row_number < ` +
              `${slice.end}`,
          ),
        outputs,
      ),
      take: asyncTask(
        () => values(`SELECT ${names} FROM ${numbered} JOIN picked USING (file_row_number) ORDER BY position`),
        outputs,
      ),
      filter: asyncTask(
        () =>
          typedColumns(
            connection,
            `SELECT ${filter.project.join(', ')} FROM ${from} WHERE ${filter.number} > ${filter.above} AND ` +
              `${filter.text} = '${filter.equals}'`,
            columns,
            null,
          ),
        outputs,
      ),
      computed: asyncTask(() => countOf(computed), countOutputs),
      either: asyncTask(() => countOf(either), countOutputs),
      month: asyncTask(() => countOf(month), countOutputs),
      parts: asyncTask(
        () =>
          values(
            `SELECT ${parts.by} AS text, ${parts.part} AS part, sum(${parts.sum}) AS total FROM ${from} GROUP BY ALL`,
          ),
        ({ text = [], part = [], total = [] }) => partOutputs(text, part, total),
      ),
      product: asyncTask(() => numberOf(`sum(${product})`, 'true'), countOutputs),
      order: asyncTask(() => twoColumns(`${from} ORDER BY ${order.join(', ')}`), outputs),
      group: asyncTask(
        () =>
          values(`SELECT ${group.by} AS text, sum(${group.sum})::DOUBLE AS total FROM ${from} GROUP BY ${group.by}`),
        (found) =>
          groupOutputs(
            inputs,
            new Map(Array.from(found['text'] as string[], (text, i) => [text, found['total']?.[i] as number])),
          ),
      ),
    },
    close,
  };
}

async function connect(path: string): Promise<{ connection: Connection; close: () => void }> {
  const { DuckDBInstance } = (await importInstalled(NAME)) as Library;
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  return {
    connection,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/**
 * The columns of a query as typed arrays (strings as arrays). `rowCount`: how many rows come; null where it is not
 * known before.
 */
async function typedColumns(
  connection: Connection,
  sql: string,
  columns: readonly Pick<TableColumn, 'name' | 'dtype'>[],
  rowCount: number | null,
): Promise<Columns> {
  const result = await connection.run(sql);
  const chunks = await result.fetchAllChunks();
  const rows = rowCount ?? chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0);
  return Object.fromEntries(
    result.columnNames().map((name, c) => {
      const dtype = columns.find((column) => column.name === name)?.dtype ?? 'string';
      const out =
        dtype === 'int64' || dtype === 'datetime64[ms]'
          ? new BigInt64Array(rows)
          : dtype === 'float64'
            ? new Float64Array(rows)
            : dtype === 'int32'
              ? new Int32Array(rows)
              : new Int16Array(rows);
      let at = 0;
      for (const chunk of chunks) {
        (out as Float64Array).set(chunk.getColumnVector(c).items as Float64Array, at);
        at += chunk.rowCount;
      }
      return [name, out];
    }),
  );
}

/** A CSV file's rows as a query. */
function sourceOf(session: TableSession, csv: string): string {
  return `SELECT * FROM read_csv('${csv}', header = true, columns = ${typesOf(session)})`;
}

function sourceOfJson(session: TableSession, json: string): string {
  return `SELECT * FROM read_json('${json}', format = 'newline_delimited', columns = ${typesOf(session)})`;
}

function typesOf({ inputs }: TableSession): string {
  return `{${inputs.question.columns.map(({ name, dtype }) => `'${name}': '${SQL_TYPES[dtype]}'`).join(', ')}}`;
}

function copyTo(source: string, path: string, variant: string): string {
  return `COPY (${source}) TO '${path}' (FORMAT parquet, COMPRESSION ${variant.replace('parquet-', '')})`;
}

function tablePath({ ownDirectory }: SuiteContext, variant: string): string {
  return join(ownDirectory, variant === 'own' ? 'orders.duckdb' : `${variant}.parquet`);
}
