// The columna part of the demo: CSV and Parquet in, what the files weigh side by side, a projection and a filter with
// what they read, checked against plain JavaScript, and the inspector's page.
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { fromParquet, toCsv } from 'colkit/convert';
import { inspectHtml } from 'colkit/inspect';
import { read, scan, writeCsv } from 'columna';
import pc from 'picocolors';
import { flightsPath, readFlights } from './flights.ts';
import type { Flights } from './flights.ts';
import { startProgress } from './progress.ts';
import { megabytes, print } from './summary.ts';

/** Three hours late or more, out of one airport, in the last weeks of the data. */
const LATE = { minutes: 180, origin: 'ORD', since: '2001-06-01T00:00:00' } as const;

export async function columnaPart(folder: string): Promise<void> {
  print('');
  print(pc.bold('columna: compressed files with statistics'));
  await birdstrikes(folder);
  const path = join(folder, 'flights.cna');
  const writing = startProgress('write flights.cna');
  const report = await fromParquet(flightsPath(), path, {
    onProgress: ({ rows, totalRows }) => writing.update(rows, totalRows),
  });
  writing.end(`${count(report.rowCount)} rows, ${megabytes(report.byteLength)}`);
  const csv = join(folder, 'flights.csv');
  const exporting = startProgress('write flights.csv');
  await toCsv(path, csv);
  exporting.end(megabytes(statSync(csv).size));
  const packing = startProgress('gzip  flights.csv');
  const gzipped = await gzipBytes(csv);
  packing.end(megabytes(gzipped));
  printSizes('flights', megabytes, [
    ['CSV', statSync(csv).size],
    ['CSV, gzip', gzipped],
    ['Parquet, as shipped', statSync(flightsPath()).size],
    ['columna', report.byteLength],
  ]);
  print(
    pc.dim(
      report.columns
        .map(
          ({ name, byteLength, encodings, jointWith }) =>
            `${name} ${byteLength < 1e6 ? kilobytes(byteLength) : megabytes(byteLength)} ` +
            (jointWith.length > 0 ? 'joint dictionary' : [...encodings.keys()].join(', ')),
        )
        .join('; '),
    ),
  );

  const loading = startProgress('read  flights-3m.parquet, for plain JavaScript');
  const plain = await readFlights((rows, rowCount) => loading.update(rows, rowCount));
  loading.end(`${count(plain.rowCount)} rows`);
  await project(path, report.byteLength, plain);
  await filter(path, plain);
  await writePage(path);
}

/** CSV in: types are found out from all values, empty cells are null. */
async function birdstrikes(folder: string): Promise<void> {
  const csv = join(dirname(flightsPath()), 'birdstrikes.csv');
  const path = join(folder, 'birdstrikes.cna');
  const writing = startProgress('write birdstrikes.cna');
  const report = await writeCsv(csv, path);
  writing.end(`${count(report.rowCount)} rows, ${kilobytes(report.byteLength)}`);
  printSizes('birdstrikes', kilobytes, [
    ['CSV, as shipped', statSync(csv).size],
    ['CSV, gzip', await gzipBytes(csv)],
    ['columna', report.byteLength],
  ]);
  const costly = await scan(path, { columns: ['Wildlife Species', 'Cost Total $'], where: '`Cost Total $` > 1000000' });
  const lines = readFileSync(csv, 'utf8').trimEnd().split('\n').slice(1);
  check(
    'the costly strikes',
    costly.rowCount,
    lines.filter((line) => Number(line.split(',').at(-2)) > 1_000_000).length,
  );
  print(`strikes of more than a million dollars: ${costly.summary()}`);
}

/** One column of five. */
async function project(path: string, fileBytes: number, plain: Flights): Promise<void> {
  const start = performance.now();
  const { delay } = await read(path, { columns: ['delay'], nulls: 'bitmap' });
  const milliseconds = performance.now() - start;
  const { bytesRead } = (await scan(path, { columns: ['delay'] })).stats;
  let sum = 0;
  // The Parquet file calls the column optional, and has no null in it.
  const { values } = delay as { readonly values: BigInt64Array };
  for (const minutes of values) sum += Number(minutes);
  check(
    'the sum of delays',
    sum,
    plain.delay.reduce((total, minutes) => total + minutes, 0),
  );
  print('');
  print(
    `${pc.bold('one of five columns')}: ${count(values.length)} delays in ${milliseconds.toFixed(0)} ms, ` +
      `${megabytes(bytesRead)} of ${megabytes(fileBytes)} read`,
  );
}

async function filter(path: string, plain: Flights): Promise<void> {
  const where = `date >= '${LATE.since}' and delay >= ${LATE.minutes} and origin == '${LATE.origin}'`;
  const start = performance.now();
  const late = await scan(path, { columns: ['date', 'delay', 'destination'], where });
  const milliseconds = performance.now() - start;
  const since = BigInt(Date.parse(`${LATE.since}Z`));
  let expected = 0;
  for (let row = 0; row < plain.rowCount; row++)
    if (
      (plain.date[row] ?? 0n) >= since &&
      (plain.delay[row] ?? 0) >= LATE.minutes &&
      plain.origin[row] === LATE.origin
    )
      expected++;
  check('the matches', late.rowCount, expected);
  print(`${pc.bold('a filter')}: ${where}`);
  print(`${late.summary()}, ${milliseconds.toFixed(0)} ms`);
  print(pc.green('both answers are those of plain JavaScript loops over all rows'));
}

async function writePage(path: string): Promise<void> {
  const page = join(tmpdir(), 'colkit-flights.html');
  const sizing = startProgress('inspect flights.cna');
  writeFileSync(
    page,
    await inspectHtml(path, {
      onProgress: ({ rowGroups, totalRowGroups }) => sizing.update(rowGroups, totalRowGroups),
    }),
  );
  sizing.end(megabytes(statSync(page).size));
  print(`${pc.bold('the inspector')}: open ${page} in a browser, and type a predicate`);
}

async function gzipBytes(path: string): Promise<number> {
  let bytes = 0;
  await pipeline(
    createReadStream(path, { highWaterMark: 1 << 20 }),
    createGzip(),
    async (packed: AsyncIterable<Buffer>) => {
      for await (const piece of packed) bytes += piece.length;
    },
  );
  return bytes;
}

function printSizes(
  name: string,
  text: (bytes: number) => string,
  sizes: readonly (readonly [string, number])[],
): void {
  const largest = sizes.reduce((most, [, bytes]) => Math.max(most, bytes), 0);
  print('');
  print(pc.bold(`${name}, sizes`));
  for (const [label, bytes] of sizes)
    print(
      `  ${label.padEnd(20)} ${text(bytes).padStart(10)}  ` +
        '█'.repeat(Math.max(1, Math.round((40 * bytes) / largest))),
    );
}

function check(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: columna ${found}, plain JavaScript ${expected}`);
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1e3).toFixed(1)} kB`;
}
