// toCsv: a table or view -> CSV bytes for a sink, batch by batch in bounded memory. Given the same types, readCsv reads
// back what was there: what would read as null, or holds a separator, a quote or a line break, is quoted.
import { ArgumentError, UnsupportedError, checkOptions, dtypeFacts, isMoment, option } from '@colkit/io';
import type { DTypeInfo, OptionSet } from '@colkit/io';
import { rowPieces } from '../text-output/row-pieces.ts';
import { TextBytes } from '../text-output/text-bytes.ts';
import { checkTextOutput } from '../text-output/text-sink.ts';
import type { AnyView, TextSink } from '../text-output/text-sink.ts';
import { parseCsvOptions } from './file/csv-options.ts';
import { CsvStyle } from './csv-style.ts';

export interface ToCsvOptions {
  /** One ASCII character; default ','. */
  readonly separator?: string;
  /** What stands for null; default the empty cell. */
  readonly nullWord?: string;
  /** Whether the first row holds the names; default true. */
  readonly header?: boolean;
  /** Called after every batch of rows, with those so far. What it throws ends the writing. */
  readonly onRows?: (rows: number) => void;
  /** Ends the writing with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const TO_CSV_OPTIONS: OptionSet<ToCsvOptions> = {
  separator: option.text,
  nullWord: option.text,
  header: option.flag,
  onRows: option.callback(),
  signal: option.signal,
};

/**
 * Writes a table as CSV (UTF-8, LF): numbers in the shortest form that reads back the same, `true`/`false`, moments in
 * ISO 8601, NaN as nan, infinities as inf, nulls and NaT as the null word. Does not finish the sink.
 * @returns how many rows. @throws UnsupportedError ERR_DTYPE for binary, timedelta64 and float128, before anything is
 * written; what reading and the sink throw.
 */
export async function toCsv(table: AnyView, sink: TextSink, options: ToCsvOptions = {}): Promise<number> {
  checkOptions('toCsv', TO_CSV_OPTIONS, options);
  checkTextOutput(table, sink);
  const { separator = ',', nullWord = '', header = true, signal } = options;
  parseCsvOptions({ separator, header, nullWords: [nullWord] });
  if (/["\n\r]/u.test(nullWord) || nullWord.includes(separator))
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'nullWord',
      'a word without separators, quotes and line breaks',
      JSON.stringify(nullWord),
    );
  const { view } = table;
  for (const { info, field } of view.projection.columns) checkCsvType(info, field.name);
  const style = new CsvStyle(separator, nullWord);
  const encoder = new TextEncoder();
  const { names } = view.projection;
  if (header) {
    const head = new TextBytes();
    for (const [position, name] of names.entries()) {
      if (position > 0) head.text(separator);
      style.name(head, name);
    }
    head.text('\n');
    await sink.write(head.take());
  }
  const starts = names.map((_, position) => encoder.encode(position === 0 ? '' : separator));
  const form = { starts, end: encoder.encode('\n'), between: new Uint8Array(0), style };
  let total = 0;
  for await (const { bytes, rowCount } of rowPieces(view, 'toCsv', form, signal)) {
    await sink.write(bytes);
    total = rowCount;
    options.onRows?.(total);
  }
  return total;
}

function checkCsvType(info: DTypeInfo, name: string): void {
  if (dtypeFacts(info).inCsv && !(isMoment(info) && info.unit === null)) return;
  throw new UnsupportedError(
    'ERR_DTYPE',
    info.name,
    `toCsv: column ${JSON.stringify(name)} is ${info.name}, which has no form as text; drop() it`,
  );
}
