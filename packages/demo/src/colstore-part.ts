// The colstore part of the demo: the flights written to one .cstore file, then rows and columns of it beside plain
// JavaScript over loaded arrays, each in a process of its own.
import { fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { backendInfo, open, typed, write } from 'colstore';
import pc from 'picocolors';
import { flightsPath, readFlights } from './flights.ts';
import { startProgress } from './progress.ts';
import { megabytes, print, printTable } from './summary.ts';
import type { CandidateReport } from './tasks.ts';

/** @throws Error where the two answers to a question differ. */
export async function colstorePart(folder: string): Promise<void> {
  const path = join(folder, 'flights.cstore');
  await writeFlights(path);
  await showTable(path);
  summarise(await ask('colstore', [path]), await ask('plain', []));
}

async function writeFlights(path: string): Promise<void> {
  const reading = startProgress('read  flights-3m.parquet');
  const flights = await readFlights((rows, rowCount) => reading.update(rows, rowCount));
  reading.end(`${flights.rowCount.toLocaleString('en')} flights, ${megabytes(statSync(flightsPath()).size)}`);
  const writing = startProgress('write flights.cstore');
  const columns = {
    date: typed('datetime64[ms]', flights.date),
    delay: flights.delay,
    distance: flights.distance,
    origin: typed('S3', flights.origin),
    destination: typed('S3', flights.destination),
  };
  await write(path, columns, {
    onProgress: ({ writtenBytes, totalBytes }) => writing.update(writtenBytes, totalBytes),
  });
  writing.end(megabytes(statSync(path).size));
}

async function showTable(path: string): Promise<void> {
  const start = performance.now();
  const table = await open(path);
  const milliseconds = performance.now() - start;
  const info = backendInfo();
  print('');
  print(pc.bold(`opened in ${milliseconds.toFixed(2)} ms`) + `, backend ${info.backend} (${info.reason})`);
  print(table.schema.map((field) => `${field.name} ${pc.dim(field.dtype)}`).join(', '));
  print(await table.preview());
  table.close();
}

/** Runs one candidate in a process of its own. */
function ask(candidate: string, parameters: string[]): Promise<CandidateReport> {
  const working = startProgress(`ask   ${candidate}`);
  return new Promise((resolve, reject) => {
    let report: CandidateReport | null = null;
    const child = fork(fileURLToPath(new URL('./candidate.js', import.meta.url)), [candidate, ...parameters]);
    child.on('message', (message) => {
      report = message as CandidateReport;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (report === null) {
        reject(new Error(`${candidate} ended with ${String(code)} and no report`));
        return;
      }
      working.end('slice, random rows and mask');
      resolve(report);
    });
  });
}

function summarise(colstore: CandidateReport, arrays: CandidateReport): void {
  const rows = colstore.tasks.map((task, i) => {
    const other = arrays.tasks[i];
    if (other === undefined || other.digest !== task.digest || other.rows !== task.rows)
      throw new Error(`${task.task}: colstore and plain JavaScript differ`);
    return [
      `${task.task} (${task.rows.toLocaleString('en')} rows x 3)`,
      `${task.milliseconds.toFixed(2)} ms`,
      `${other.milliseconds.toFixed(2)} ms`,
      `${(other.milliseconds / task.milliseconds).toFixed(1)}x`,
    ];
  });
  const memory =
    colstore.anonymousBytes === null || arrays.anonymousBytes === null
      ? []
      : [
          [
            'memory of its own after it',
            megabytes(colstore.anonymousBytes),
            megabytes(arrays.anonymousBytes),
            `${(arrays.anonymousBytes / colstore.anonymousBytes).toFixed(1)}x`,
          ],
        ];
  const table = [
    ['', `colstore (${colstore.backend})`, 'plain JavaScript', 'gain'],
    [
      'until the first question',
      `${colstore.readyMilliseconds.toFixed(2)} ms`,
      `${arrays.readyMilliseconds.toFixed(0)} ms (Parquet)`,
      `${(arrays.readyMilliseconds / colstore.readyMilliseconds).toFixed(0)}x`,
    ],
    ...rows,
    ...memory,
  ];
  print('');
  printTable(table);
  print('');
  print(pc.green('all answers are equal, byte for byte'));
}
