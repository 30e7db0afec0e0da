// toCsv: a table or view -> CSV bytes for a sink, batch by batch in bounded memory. Given the same types, readCsv reads
// back what was there: what would read as null, or holds a separator, a quote or a line break, is quoted.
import { ArgumentError, UnsupportedError, checkOptions, dtypeFacts, isMoment, option } from '@colkit/io';
import type { DTypeInfo, OptionSet } from '@colkit/io';
import { contextOf, run } from '@colkit/io/effects';
import { readBatches } from '../output/batches.ts';
import { cellsOf } from '../output/forms/cells.ts';
import type { Cell } from '../output/forms/convert.ts';
import { settleView } from '../output/settle.ts';
import { NAT } from '../values/nat.ts';
import { isoTexts } from '../values/iso-texts.ts';
import type { AnyView, TextSink } from '../text-input/text-output.ts';
import { parseCsvOptions } from './file/csv-options.ts';

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

/** Rows that are turned into text at once. */
const BATCH_ROWS = 8192;

/**
 * Writes a table as CSV (UTF-8, LF): numbers in the shortest form that reads back the same, `true`/`false`, moments in
 * ISO 8601, NaN as nan, infinities as inf, nulls and NaT as the null word. Does not finish the sink.
 * @returns how many rows. @throws UnsupportedError ERR_DTYPE for binary, timedelta64 and float128, before anything is
 * written; what reading and the sink throw.
 */
export async function toCsv(table: AnyView, sink: TextSink, options: ToCsvOptions = {}): Promise<number> {
  checkOptions('toCsv', TO_CSV_OPTIONS, options);
  const { separator = ',', nullWord = '', header = true, signal } = options;
  parseCsvOptions({ separator, header, nullWords: [nullWord] });
  if (/["\n\r]/u.test(nullWord) || nullWord.includes(separator))
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'nullWord',
      'a word without separators, quotes and line breaks',
      JSON.stringify(nullWord),
    );
  const { projection } = table.view;
  const infos = projection.columns.map(({ info, field }) => csvInfo(info, field.name));
  const view = await run(settleView(table.view, 'toCsv'), contextOf({ signal }));
  const special = new RegExp(`["\\n\\r${escaped(separator)}]`, 'u');
  const quoted = (text: string): string =>
    text === nullWord || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const texts = infos.map((info) => cellTexts(info, nullWord, separator, quoted));
  const encoder = new TextEncoder();
  if (header) await sink.write(encoder.encode(`${projection.names.map(quoted).join(separator)}\n`));
  let rowCount = 0;
  for await (const batch of readBatches(view, 'toCsv', {
    ...(signal === undefined ? {} : { signal }),
    rows: BATCH_ROWS,
  })) {
    const columns = batch.columns.map((column, position) =>
      cellsOf(infos[position] as DTypeInfo, column, batch.rowCount),
    );
    let text = '';
    for (let row = 0; row < batch.rowCount; row += 1) {
      for (let position = 0; position < columns.length; position += 1) {
        if (position > 0) text += separator;
        const cell = columns[position]?.[row] ?? null;
        text += cell === null ? nullWord : (texts[position] as CellText)(cell);
      }
      text += '\n';
    }
    await sink.write(encoder.encode(text));
    rowCount += batch.rowCount;
    options.onRows?.(rowCount);
  }
  return rowCount;
}

function csvInfo(info: DTypeInfo, name: string): DTypeInfo {
  if (!dtypeFacts(info).inCsv || (isMoment(info) && info.unit === null)) {
    throw new UnsupportedError(
      'ERR_DTYPE',
      info.name,
      `toCsv: column ${JSON.stringify(name)} is ${info.name}, which has no form as text; drop() it`,
    );
  }
  return info;
}

type CellText = (cell: NonNullable<Cell>) => string;

/** Characters that cells are made of; null: any. */
function charactersOf(info: DTypeInfo): RegExp | null {
  switch (dtypeFacts(info).value) {
    case 'bool':
      return /^[truefals]+$/u;
    case 'int':
      return /^[-\d]+$/u;
    case 'float':
      return /^[-+.\denaif]+$/u;
    case 'moment':
      return /^[-+:.\dTZ]+$/u;
    default:
      return null;
  }
}

function cellTexts(info: DTypeInfo, nullWord: string, separator: string, quoted: (text: string) => string): CellText {
  const plain = plainTexts(info, nullWord, quoted);
  const characters = charactersOf(info);
  // With the usual settings no number, bool or moment has to be quoted, and none is looked at.
  if (characters === null || !(characters.test(separator) || characters.test(nullWord))) return plain;
  if (!isMoment(info)) return (cell) => quoted(plain(cell));
  return (cell) => (cell === NAT ? nullWord : quoted(plain(cell)));
}

function plainTexts(info: DTypeInfo, nullWord: string, quoted: (text: string) => string): CellText {
  const momentText = isMoment(info) ? isoTexts(info.name) : null;
  return (cell) => {
    if (typeof cell === 'string') return quoted(cell);
    if (typeof cell === 'bigint' && momentText !== null) return cell === NAT ? nullWord : momentText(cell);
    if (typeof cell !== 'number' || Number.isFinite(cell)) return Object.is(cell, -0) ? '-0' : String(cell);
    return Number.isNaN(cell) ? 'nan' : cell < 0 ? '-inf' : 'inf';
  };
}

function escaped(character: string): string {
  return /[\^\]\\-]/u.test(character) ? `\\${character}` : character;
}
