// Paths -> the form that lies or is to lie there, and who reads and writes it.
import { ArgumentError } from '@colkit/io';
import { statSync } from 'node:fs';
import { openCsv, openCsvSink } from './csv.ts';
import { openFolder, openFolderSink } from './folder.ts';
import type { OpenReader, OpenSink } from './item-exchange.ts';
import { openJsonLines, openJsonLinesSink } from './json-lines.ts';
import { openParquet } from './parquet-reader.ts';
import { openParquetSink } from './parquet-writer.ts';

export type Format = 'syr' | 'folder' | 'csv' | 'jsonl' | 'parquet';

export const FORMATS: readonly Format[] = ['syr', 'folder', 'csv', 'jsonl', 'parquet'];

export const EXCHANGES: Readonly<Record<Exclude<Format, 'syr'>, { readonly openReader: OpenReader; readonly openSink: OpenSink }>> = {
  folder: { openReader: openFolder, openSink: openFolderSink },
  csv: { openReader: openCsv, openSink: openCsvSink },
  jsonl: { openReader: openJsonLines, openSink: openJsonLinesSink },
  parquet: { openReader: openParquet, openSink: openParquetSink },
};

const ENDINGS: readonly (readonly [RegExp, Format])[] = [[/\.syr$/i, 'syr'], [/\.csv$/i, 'csv'], [/\.(?:jsonl|ndjson)$/i, 'jsonl'], [/\.parquet$/i, 'parquet'], [/[/\\]$/, 'folder']];

/** @throws ArgumentError where neither the name nor what lies there tells. */
export function formatOf(path: string, said: string | undefined, option: string): Format {
  if (said !== undefined) {
    const format = FORMATS.find((each) => each === said);
    if (format === undefined) throw new ArgumentError('ERR_ARGUMENT', option, `one of ${FORMATS.join(', ')}`, JSON.stringify(said));
    return format;
  }
  if (isFolder(path)) return 'folder';
  const known = ENDINGS.find(([ending]) => ending.test(path));
  if (known !== undefined) return known[1];
  throw new ArgumentError('ERR_ARGUMENT', option, `a path that ends in .syr, .csv, .jsonl, .parquet or / (or ${option})`, JSON.stringify(path));
}

/** What cannot be looked at is none; whoever opens it then says why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
