// toJson: a table or view -> JSON for a sink, batch by batch in bounded memory: one object for each row, on lines of
// their own or as the elements of one list.
import { checkOptions, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { rowPieces } from '../text-output/row-pieces.ts';
import type { TextPiece } from '../text-output/row-pieces.ts';
import { checkTextOutput } from '../text-output/text-sink.ts';
import type { AnyView, TextSink } from '../text-output/text-sink.ts';
import { JsonStyle } from './json-style.ts';

export interface JsonRowOptions {
  /** NaN and NaT as text (the default), or as null. */
  readonly nan?: 'text' | 'null';
  /** Ends the writing with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ToJsonOptions extends JsonRowOptions {
  /** 'lines', the default: JSON lines (NDJSON); 'list': the elements of one list, each on a line. */
  readonly form?: 'lines' | 'list';
  /** Called after every batch of rows, with those so far. What it throws ends the writing. */
  readonly onRows?: (rows: number) => void;
}

const JSON_ROW_OPTIONS: OptionSet<JsonRowOptions> = { nan: option.word('text', 'null'), signal: option.signal };
export const TO_JSON_OPTIONS: OptionSet<ToJsonOptions> = {
  ...JSON_ROW_OPTIONS,
  form: option.word('lines', 'list'),
  onRows: option.callback(),
};

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** The rows of a view as objects of JSON, in bytes. Names keep their order, whatever they are. */
function jsonPieces(
  { view }: AnyView,
  { nan = 'text', signal }: JsonRowOptions,
  between: string,
): AsyncGenerator<TextPiece, void, undefined> {
  const { names } = view.projection;
  const start = (name: string, position: number): string => `${position === 0 ? '{' : ','}${JSON.stringify(name)}:`;
  const form = {
    starts: names.map((name, position) => ENCODER.encode(start(name, position))),
    end: ENCODER.encode(names.length === 0 ? '{}' : '}'),
    between: ENCODER.encode(between),
    style: new JsonStyle(nan),
  };
  return rowPieces(view, 'toJson', form, signal);
}

/**
 * The rows of a view as texts of JSON, some thousand at a time. Names keep their order, whatever they are. Values as of
 * `toRows({ json: true })`, and -0 as such.
 */
export async function* jsonRows(
  table: AnyView,
  options: JsonRowOptions = {},
): AsyncGenerator<readonly string[], void, undefined> {
  checkOptions('jsonRows', JSON_ROW_OPTIONS, options);
  // No text of JSON has a line break.
  for await (const { bytes } of jsonPieces(table, options, '\n')) {
    const rows = DECODER.decode(bytes).split('\n');
    yield rows[0] === '' ? rows.slice(1) : rows;
  }
}

/**
 * Writes a table as JSON (UTF-8): 64-bit integers as numbers within 2^53 and as text beyond, moments in ISO 8601 with a
 * `Z`, bytes in base64, NaN, NaT and infinities as text. Given the same types, `readJson` reads back what was there.
 * Does not finish the sink.
 * @returns how many rows. @throws what reading and the sink throw.
 */
export async function toJson(table: AnyView, sink: TextSink, options: ToJsonOptions = {}): Promise<number> {
  checkOptions('toJson', TO_JSON_OPTIONS, options);
  checkTextOutput(table, sink);
  const { form = 'lines', onRows, ...rows } = options;
  const put = (text: string): Promise<unknown> => sink.write(ENCODER.encode(text));
  const [open, between, close] = form === 'lines' ? ['', '\n', '\n'] : ['[\n', ',\n', '\n]\n'];
  let total = 0;
  for await (const { bytes, rowCount } of jsonPieces(table, rows, between)) {
    if (total === 0 && open !== '') await put(open);
    await sink.write(bytes);
    total = rowCount;
    onRows?.(total);
  }
  if (total > 0) await put(close);
  else if (form === 'list') await put('[]\n');
  return total;
}
