// columna convert: another format <-> .cna, by the ends of the names; or .cna -> .cna with other row groups or another mode. CSV may be compressed, or come from standard input.
import { openFileSink, optionalPeer } from '@colkit/io';
import { UsageError, count } from '@colkit/io/command';
import type { Command, Given, Terminal } from '@colkit/io/command';
import type { RejectedRow } from '@colkit/table/csv';
import { ENCODING_NAMES } from '../layout/constants.ts';
import { toArrow } from '../convert/arrow.ts';
import { readArrow } from '../convert/arrow-file.ts';
import { toCsv } from '../convert/csv.ts';
import { withTable } from '../convert/opened-table.ts';
import { fromParquet, toParquet } from '../convert/parquet.ts';
import { CSV_OPTIONS, csvInput, csvOutput, requireNoCsvOptions } from './csv-options.ts';
import { WRITE_MODES } from '../write/modes.ts';
import type { WriteMode } from '../write/modes.ts';
import type { EncodingOptions, ForcedEncoding } from '../write/write-options.ts';
import type { ColumnNote } from '../write/write-report.ts';
import { write } from '../write/write.ts';
import { writeCsv } from '../write/write-csv.ts';

type Format = 'cna' | 'parquet' | 'csv' | 'tsv' | 'arrow';
const ENDINGS: Readonly<Record<string, Format>> = { cna: 'cna', parquet: 'parquet', csv: 'csv', tsv: 'tsv', arrow: 'arrow', feather: 'arrow' };
/** Of CSV files; what is not decompressed is told by what reads them. */
const COMPRESSED = /\.(?:gz|zst|bz2|xz|lz4|zip)$/i;

export const convertCommand: Command = {
  name: 'convert',
  summary: 'write a .cna file from Parquet, CSV or Arrow, or any of them from a .cna file, by the ends of the names; CSV also from .csv.gz, .csv.zst and standard input (-)',
  positionals: ['FROM', 'TO'],
  options: {
    columns: { kind: 'names', value: 'A,B', help: 'which columns' },
    mode: { kind: 'text', value: 'MODE', help: `${WRITE_MODES.join(', ')}: what may cost decoding time for how many bytes` },
    'row-group-size': { kind: 'count', value: 'N', help: 'rows of a row group' },
    'page-rows': { kind: 'count', value: 'N', help: 'most rows of a page, a multiple of 8' },
    encoding: { kind: 'list', value: 'COLUMN=NAME', help: 'force an encoding; may be repeated' },
    ...CSV_OPTIONS,
    overwrite: { kind: 'flag', short: 'f', help: 'replace an existing file' },
    json: { kind: 'flag', help: 'what was written, as JSON' },
  },
  async run(given, terminal) {
    const [from, to] = [given.positional(0), given.positional(1)];
    const [source, target] = [sourceFormat(from, given), formatOf(to)];
    if (![source, target].some((format) => format === 'csv' || format === 'tsv')) requireNoCsvOptions(given);
    if (source !== 'cna' && target !== 'cna') throw new UsageError('expected a .cna file on one side');
    const done = target === 'cna' ? await toColumna(from, to, source, given, terminal) : await fromColumna(from, to, target, given, terminal);
    terminal.progress(null);
    for (const { column, note } of done.notes ?? []) terminal.note(`column ${JSON.stringify(column)}: ${note}`);
    if (given.flag('json')) terminal.json({ from, to, ...done }, 2);
    else terminal.print(`${to}: ${count(done.rowCount)} rows, ${count(done.byteLength)} bytes`);
    return 0;
  },
};

/** Rejected rows on the terminal; a report as JSON has up to a thousand. */
const MOST_TOLD = 20;

interface Done {
  readonly rowCount: number;
  readonly byteLength: number;
  readonly notes?: readonly ColumnNote[];
  readonly rejectedCount?: number;
  readonly rejected?: readonly RejectedRow[];
}

function formatOf(path: string): Format {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const format = ENDINGS[ending];
  if (format === undefined) throw new UsageError(`${path}: expected a name that ends in .${Object.keys(ENDINGS).join(', .')}`);
  return format;
}

/** @throws UsageError. */
function sourceFormat(from: string, given: Given): Format {
  const said = given.text('from');
  if (from !== '-') {
    if (said !== undefined) throw new UsageError('--from: only where FROM is -, standard input');
    const format = formatOf(from.replace(COMPRESSED, ''));
    if (COMPRESSED.test(from) && format !== 'csv' && format !== 'tsv') throw new UsageError(`${from}: only CSV files may be compressed`);
    return format;
  }
  if (said !== undefined && said !== 'csv' && said !== 'tsv') throw new UsageError(`--from: expected csv or tsv but found ${JSON.stringify(said)}`);
  return said ?? 'csv';
}

async function toColumna(from: string, to: string, source: Format, given: Given, terminal: Terminal): Promise<Done> {
  const names = given.names('columns');
  const columns = names === undefined ? {} : { columns: names };
  const options = { ...encodingOptions(given), overwrite: given.flag('overwrite') };
  const progress = (rows: number, totalRows: number) => terminal.progress(`${count(rows)} of ${count(totalRows)} rows`);
  switch (source) {
    case 'parquet': return fromParquet(from, to, { ...options, ...columns, onProgress: ({ rows, totalRows }) => progress(rows, totalRows) });
    case 'cna': return withTable(from, columns, (table) => write(to, table, { ...options, onProgress: ({ writtenRows, totalRows }) => progress(writtenRows, totalRows) }));
    case 'arrow': {
      const table = await readArrow(from);
      return write(to, names === undefined ? table : table.select([...names]), options);
    }
    case 'csv':
    case 'tsv': {
      if (names !== undefined) throw new UsageError('--columns: all columns of a CSV file are read; convert the .cna file once more to leave some out');
      const csv = csvInput(given, source === 'tsv');
      terminal.progress('reading types');
      const report = await writeCsv(from === '-' ? process.stdin : from, to, { ...options, ...csv, onProgress: ({ writtenRows, totalRows }) => progress(writtenRows, totalRows) });
      const { rejected, rejectedCount, ...written } = report;
      terminal.progress(null);
      for (const { line, reason } of rejected.slice(0, MOST_TOLD)) terminal.note(`line ${count(line)} left out: ${reason}`);
      if (rejectedCount > MOST_TOLD) terminal.note(`and ${count(rejectedCount - MOST_TOLD)} more`);
      return { ...written, ...(given.flag('skip-rejected') ? { rejectedCount, rejected } : {}) };
    }
  }
}

async function fromColumna(from: string, to: string, target: Exclude<Format, 'cna'>, given: Given, terminal: Terminal): Promise<Done> {
  const columns = given.names('columns');
  const options = { overwrite: given.flag('overwrite'), ...(columns === undefined ? {} : { columns }) };
  const onBytes = ({ bytes }: { readonly bytes: number }) => terminal.progress(`${count(bytes)} bytes`);
  switch (target) {
    case 'parquet': return toParquet(from, to, { ...options, onProgress: ({ rows }) => terminal.progress(`${count(rows)} rows`) });
    case 'csv':
    case 'tsv': return toCsv(from, to, { ...options, ...csvOutput(given, target === 'tsv'), onProgress: onBytes });
    case 'arrow': {
      const { tableToIPC } = await optionalPeer(() => import('apache-arrow'), 'apache-arrow');
      const table = await toArrow<Parameters<typeof tableToIPC>[0]>(from, columns === undefined ? {} : { columns });
      const sink = await openFileSink(to, { overwrite: options.overwrite });
      try {
        await sink.write(tableToIPC(table, 'file'));
        await sink.finish();
      } catch (error) {
        await sink.abort();
        throw error;
      }
      return { rowCount: table.numRows, byteLength: sink.position };
    }
  }
}

function encodingOptions(given: Given): EncodingOptions {
  const mode = given.text('mode');
  if (mode !== undefined && !(WRITE_MODES as readonly string[]).includes(mode)) throw new UsageError(`--mode: expected ${WRITE_MODES.join(', ')} but found ${JSON.stringify(mode)}`);
  const [rowGroupSize, pageRows] = [given.count('row-group-size'), given.count('page-rows')];
  const encodings = given.list('encoding').map((text) => {
    const at = text.lastIndexOf('=');
    const name = text.slice(at + 1).toUpperCase();
    if (at < 1 || !(ENCODING_NAMES as readonly string[]).includes(name)) throw new UsageError(`--encoding: expected COLUMN=NAME with one of ${ENCODING_NAMES.join(', ')} but found ${JSON.stringify(text)}`);
    return [text.slice(0, at), name as ForcedEncoding] as const;
  });
  return {
    ...(mode === undefined ? {} : { mode: mode as WriteMode }),
    ...(rowGroupSize === undefined ? {} : { rowGroupSize }),
    ...(pageRows === undefined ? {} : { pageRows }),
    ...(encodings.length === 0 ? {} : { encodings: new Map(encodings) }),
  };
}
