// hyparquet and hyparquet-writer: Parquet in pure JavaScript. `snappy` is a file of its writer, with its defaults;
// `shipped` reads the flights as their package ships them.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead, parquetScan } from 'hyparquet';
import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { parquetWriteFile } from 'hyparquet-writer';
import { versionOf } from '../src/checkouts/package-version.ts';
import { asyncTask } from '../src/checkouts/peer.ts';
import type { Peer, PeerSuite, SuiteContext, Workload } from '../src/checkouts/peer.ts';
import { flightsParquetPath, flightsRows } from '../suites/flights.ts';
import { textsOf } from '../suites/table/files.ts';
import type { RawArray, RawColumn, TableInputs } from '../suites/table/files.ts';
import {
  groupOutputs,
  openOutputs,
  streamOutputs,
  sumOnto,
  sumsByText,
  tableOutputs,
} from '../suites/table/outputs.ts';
import { columnOf } from '../suites/table/question.ts';
import type { RawDType } from '../suites/table/question.ts';
import { tableSuites } from '../suites/table/peer.ts';
import type { TableSession } from '../suites/table/peer.ts';
import { wideTable } from '../suites/wide.ts';

type Values = unknown[] | RawArray;
type Columns = Record<string, Values>;

interface Opened {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
}

export const peer: Peer = {
  name: 'hyparquet',
  load: () => Promise.resolve({ hyparquet: versionOf('hyparquet'), 'hyparquet-writer': versionOf('hyparquet-writer') }),
  suites: {
    wide: wideSuite(),
    ...tableSuites({
      variants: { w2: ['snappy'], 'formats-flights': ['snappy', 'shipped'], 'formats-orders': ['snappy'] },
      build({ variant, context, rawColumns }) {
        if (variant === 'shipped') copyFileSync(flightsParquetPath(), tablePath(context, variant));
        else parquetWriteFile({ filename: tablePath(context, variant), columnData: sourcesOf(rawColumns()) });
      },
      prepare,
    }),
  },
};

function prepare(session: TableSession): Workload {
  const { variant, context, inputs } = session;
  const {
    question: { pair, filter, half, group, columns },
    slice,
    take,
    rowCount,
  } = inputs;
  // The shipped file of all flights answers only where all of them are asked for.
  const path = tablePath(context, variant);
  const names = columns.map(({ name }) => name);
  let opened: Opened | undefined;
  const current = (): Opened => opened as Opened;
  const outputs = (found: Columns): ReturnType<typeof tableOutputs> => tableOutputs(inputs, found);
  const typedPair = (from: Opened): Promise<Columns> =>
    readInto(
      from,
      Object.fromEntries(pair.map((name) => [name, emptyArray(columnOf(inputs.question, name).dtype, rowCount)])),
    );
  const write = asyncTask(
    () => {
      const filename = session.temporary('.parquet');
      parquetWriteFile({ filename, columnData: session.once('sources', () => sourcesOf(session.rawColumns())) });
      return Promise.resolve(filename);
    },
    async (filename) => outputs(await typedPair(await openFile(filename))),
  );
  return {
    files: [path],
    load: async () => {
      opened = await openFile(path);
    },
    tasks:
      variant === 'shipped' && rowCount < flightsRows
        ? {}
        : {
            ...(variant === 'shipped' ? {} : { write }),
            // It reads no CSV: this is the writing alone.
            ...(context.parameters['csv'] === 1 ? { csv: write } : {}),
            open: asyncTask(
              () => openFile(path),
              ({ metadata }) =>
                openOutputs(
                  Number(metadata.num_rows),
                  metadata.schema.slice(1).map(({ name }) => name),
                ),
            ),
            pair: asyncTask(() => typedPair(current()), outputs),
            all: asyncTask(() => readValues(current(), names, 0, rowCount), outputs),
            slice: asyncTask(() => readValues(current(), names, slice.start, slice.end), outputs),
            take: asyncTask(async () => {
              const all = await readValues(current(), names, 0, rowCount);
              return Object.fromEntries(
                names.map((name) => [name, Array.from(take, (row) => (all[name] as Values)[row])]),
              );
            }, outputs),
            filter: asyncTask(() => matching(current(), filter), outputs),
            stream: asyncTask(async () => {
              let sum = 0;
              const { file, metadata } = current();
              let rowStart = 0;
              // Row group by row group: of several, chunks come in any order, and a sum's last bit depends on it.
              for (const { num_rows: rows } of metadata.row_groups) {
                const rowEnd = rowStart + Number(rows);
                await parquetRead({
                  file,
                  metadata,
                  compressors,
                  columns: [...pair],
                  rowStart,
                  rowEnd,
                  onChunk: ({ columnName, columnData }) => {
                    if (columnName === pair[1]) sum = sumOnto(sum, columnData as ArrayLike<number>);
                  },
                });
                rowStart = rowEnd;
              }
              return sum;
            }, streamOutputs),
            match: asyncTask(() => sumOfMatches(current(), half, pair), streamOutputs),
            group: asyncTask(
              async () => {
                const found = await readValues(current(), [group.sum, group.by], 0, rowCount);
                return sumsByText(
                  numbersOf(found[group.sum] as readonly unknown[]),
                  found[group.by] as ArrayLike<unknown>,
                );
              },
              (sums) => groupOutputs(inputs, sums),
            ),
          },
    close: () => undefined,
  };
}

/** More column chunks than these take it most of a minute to open. */
const MOST_CHUNKS = 20_000;

/** The wide table: the footer is read whole, whatever is asked of it, so that the full table is not offered. */
function wideSuite(): PeerSuite {
  const pathOf = ({ ownDirectory }: SuiteContext): string => join(ownDirectory, 'wide.parquet');
  const isTooWide = ({ parameters: { columns = 0, groups = 0 } }: SuiteContext): boolean =>
    columns * groups > MOST_CHUNKS;
  return {
    variants: ['snappy'],
    build(context) {
      const { names, column, groupRows } = wideTable(context.parameters);
      if (isTooWide(context)) return;
      parquetWriteFile({
        filename: pathOf(context),
        columnData: names.map((name, number) => ({ name, data: column(number), type: 'INT32', nullable: false })),
        rowGroupSize: groupRows,
      });
    },
    prepare(_variant, context) {
      const table = wideTable(context.parameters);
      const path = pathOf(context);
      if (isTooWide(context)) return { files: [], load: () => undefined, tasks: {}, close: () => undefined };
      return {
        files: [path],
        load: () => undefined,
        tasks: {
          open: asyncTask(
            async () => Number((await openFile(path)).metadata.num_rows),
            (rows) => ({ rows: Int32Array.of(rows) }),
          ),
          two: asyncTask(
            async (i) => {
              const names = table.pair(i).map((number) => table.names[number] ?? '');
              return readInto(
                await openFile(path),
                Object.fromEntries(names.map((name) => [name, new Int32Array(table.rowCount)])),
              );
            },
            (found) =>
              Object.fromEntries(
                Object.values(found).map((values, i) => [`column ${String(i)}`, values as Int32Array]),
              ),
          ),
        },
        close: () => undefined,
      };
    },
  };
}

async function openFile(path: string): Promise<Opened> {
  const file = await asyncBufferFromFile(path);
  return { file, metadata: await parquetMetadataAsync(file) };
}

/** Whole columns into arrays that are there already. */
async function readInto({ file, metadata }: Opened, into: Columns): Promise<Columns> {
  await parquetRead({
    file,
    metadata,
    compressors,
    columns: Object.keys(into),
    onChunk: ({ columnName, columnData, rowStart }) => {
      const target = into[columnName] as Values;
      const wide = target instanceof BigInt64Array;
      if (!Array.isArray(columnData) && !Array.isArray(target) && columnData instanceof BigInt64Array === wide)
        (target as Float64Array).set(columnData as Float64Array, rowStart);
      // The flights as they are shipped have 64-bit integers for what the raw columns have in fewer bits.
      else
        for (let i = 0; i < columnData.length; i++)
          target[rowStart + i] = (Array.isArray(target) || wide ? columnData[i] : Number(columnData[i])) as never;
    },
  });
  return into;
}

/** Rows of columns as arrays of values; chunks may begin before the first row and end behind the last. */
async function readValues(
  { file, metadata }: Opened,
  columns: string[],
  rowStart: number,
  rowEnd: number,
): Promise<Columns> {
  const found: Record<string, unknown[]> = Object.fromEntries(
    columns.map((name) => [name, new Array<unknown>(rowEnd - rowStart)]),
  );
  await parquetRead({
    file,
    metadata,
    compressors,
    columns,
    rowStart,
    rowEnd,
    onChunk: (chunk) => {
      const target = found[chunk.columnName] as unknown[];
      const [start, end] = [Math.max(rowStart, chunk.rowStart), Math.min(rowEnd, chunk.rowEnd)];
      for (let row = start; row < end; row++) target[row - rowStart] = chunk.columnData[row - chunk.rowStart];
    },
  });
  return found;
}

function numbersOf(values: readonly unknown[]): ArrayLike<number> {
  return typeof values[0] === 'bigint' ? values.map(Number) : (values as readonly number[]);
}

/** The second column of the rows of `pair` with a number above a bound, summed range by range as they are read. */
async function sumOfMatches(
  { file, metadata }: Opened,
  { number, above }: TableInputs['question']['half'],
  pair: readonly [string, string],
): Promise<number> {
  const names = [...new Set([number, ...pair])];
  const pruningFilter = { [number]: { $gt: above } };
  const scan = await parquetScan({ file, metadata, compressors, columns: names, pruningFilter });
  let sum = 0;
  for (const range of scan.ranges) {
    const read = await Promise.all(names.map((column) => scan.readColumn({ ...range, column })));
    const numbers = read[0] as ArrayLike<number>;
    const summed = read[names.indexOf(pair[1])] as ArrayLike<number>;
    for (let i = 0; i < numbers.length; i++) if ((numbers[i] as number) > above) sum += summed[i] as number;
  }
  return sum;
}

/**
 * Row groups that statistics cannot rule out, and of them the rows that match: its own scan, the comparison by hand,
 * which is quicker than its filter over row objects.
 */
async function matching(
  { file, metadata }: Opened,
  { number, above, text, equals, project }: TableInputs['question']['filter'],
): Promise<Columns> {
  const found: Record<string, unknown[]> = Object.fromEntries(project.map((name) => [name, []]));
  const scan = await parquetScan({
    file,
    metadata,
    compressors,
    columns: [...new Set([number, text, ...project])],
    pruningFilter: { [number]: { $gt: above }, [text]: { $eq: equals } },
  });
  for (const range of scan.ranges) {
    const [numbers, texts] = await Promise.all([
      scan.readColumn({ ...range, column: number }),
      scan.readColumn({ ...range, column: text }),
    ]);
    const rows: number[] = [];
    for (let i = 0; i < numbers.length; i++) if ((numbers[i] as number) > above && texts[i] === equals) rows.push(i);
    if (rows.length === 0) continue;
    for (const name of project) {
      const values = name === number ? numbers : await scan.readColumn({ ...range, column: name });
      for (const row of rows) found[name]?.push(values[row]);
    }
  }
  return found;
}

function sourcesOf(columns: readonly RawColumn[]): Parameters<typeof parquetWriteFile>[0]['columnData'] {
  return columns.map((raw) => {
    const { name, dtype, nullable } = raw.column;
    switch (dtype) {
      case 'int64':
        return { name, data: raw.values as BigInt64Array, type: 'INT64', nullable };
      case 'datetime64[ms]':
        return {
          name,
          data: Array.from(raw.values as BigInt64Array, (ms) => new Date(Number(ms))),
          type: 'TIMESTAMP',
          nullable,
        };
      case 'float64':
        return { name, data: raw.values as Float64Array, type: 'DOUBLE', nullable };
      case 'int16':
      case 'int32':
        return { name, data: Int32Array.from(raw.values as Int32Array), type: 'INT32', nullable };
      case 'string':
        return { name, data: textsOf(raw), type: 'STRING', nullable };
    }
  });
}

function emptyArray(dtype: RawDType, length: number): Values {
  switch (dtype) {
    case 'int64':
      return new BigInt64Array(length);
    case 'float64':
      return new Float64Array(length);
    case 'int16':
      return new Int16Array(length);
    case 'int32':
      return new Int32Array(length);
    case 'datetime64[ms]':
    case 'string':
      return new Array<unknown>(length);
  }
}

function tablePath({ ownDirectory }: SuiteContext, variant: string): string {
  return join(ownDirectory, `${variant}.parquet`);
}
