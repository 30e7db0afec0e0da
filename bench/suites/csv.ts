// CSV and JSON lines -> a file in the own format, and back, of a real table: three million flights, two of five columns
// texts. (CSV of the orders is a task of W2.)
import type { Goal, Suite } from '../src/suite.ts';
import { flightsRows, generateFlights } from './flights.ts';
import { csvPath, jsonPath } from './orders-files.ts';
import { writeTableCsv, writeTableJson } from './table/csv.ts';
import { readInputs, readRawColumns, tableParameters } from './table/files.ts';
import { CSV_TASK, TEXT_TASKS } from './table/tasks.ts';

const OURS = 'columna/default';

const ratio = (against: string, atMost: number): Goal => ({
  kind: 'ratio',
  task: CSV_TASK.name,
  subject: OURS,
  against,
  atMost,
});

export const csv: Suite = {
  name: 'csv',
  title: 'CSV and JSON, in and out: 3 M flights (date, delay, distance, origin, destination)',
  baseline: OURS,
  tasks: TEXT_TASKS,
  goals: [ratio('duckdb/parquet-snappy', 0.5), ratio('duckdb/parquet-zstd', 0.5)],
  data(quick) {
    const rows = quick ? 300_000 : flightsRows;
    return { name: `${String(rows / 1000)}k`, parameters: { ...tableParameters(rows), csv: 1, json: 1 } };
  },
  async generate(parameters, directory, progress) {
    await generateFlights(parameters['rows'] ?? 0, parameters['takeRows'] ?? 0, directory, progress);
    const context = { directory, ownDirectory: directory, parameters };
    const columns = readRawColumns(context, readInputs(context));
    writeTableCsv(csvPath(context), columns);
    writeTableJson(jsonPath(context), columns);
  },
};
