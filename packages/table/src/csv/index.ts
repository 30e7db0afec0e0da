export { CsvInput, readCsv } from './read-csv.ts';
export type { CsvOptions } from './csv-options.ts';
export type { RejectedRow } from './scan-csv.ts';
export { toCsv } from './write-csv.ts';
export type { AnyView, CsvSink, ToCsvOptions } from './write-csv.ts';
