// toJson: a table or view -> JSON for a sink, batch by batch in bounded memory: one object for each row, on lines of
// their own or as the elements of one list.
import { checkOptions, option } from '@colkit/io';
import type { DTypeInfo, OptionSet } from '@colkit/io';
import { readBatches } from '../output/batches.ts';
import { jsonCells } from '../output/forms/json.ts';
import type { JsonCell } from '../output/forms/json.ts';
import type { AnyView, TextSink } from '../text-input/text-output.ts';

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

/** Rows that are turned into text at once. */
const BATCH_ROWS = 8192;

/**
 * The rows of a view as texts of JSON, some thousand at a time. Names keep their order, whatever they are. Values as of
 * `toRows({ json: true })`, and -0 as such.
 */
export async function* jsonRows(
  table: AnyView,
  options: JsonRowOptions = {},
): AsyncGenerator<readonly string[], void, undefined> {
  checkOptions('jsonRows', JSON_ROW_OPTIONS, options);
  const { nan = 'text', signal } = options;
  const { columns: stored, names } = table.view.projection;
  const infos = stored.map(({ info }) => info);
  const starts = names.map((name, position) => `${position === 0 ? '' : ','}${JSON.stringify(name)}:`);
  for await (const batch of readBatches(table.view, 'toJson', {
    ...(signal === undefined ? {} : { signal }),
    rows: BATCH_ROWS,
  })) {
    const cells = batch.columns.map((column, position) =>
      jsonCells(infos[position] as DTypeInfo, column, batch.rowCount, nan),
    );
    yield Array.from({ length: batch.rowCount }, (_, row) => {
      let text = '{';
      for (let position = 0; position < cells.length; position += 1)
        text += (starts[position] as string) + cellText((cells[position] as JsonCell[])[row] as JsonCell);
      return `${text}}`;
    });
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
  const { form = 'lines', onRows, ...rows } = options;
  const encoder = new TextEncoder();
  const put = (text: string): Promise<unknown> => sink.write(encoder.encode(text));
  const [open, between, close] = form === 'lines' ? ['', '\n', '\n'] : ['[\n', ',\n', '\n]\n'];
  let rowCount = 0;
  for await (const texts of jsonRows(table, rows)) {
    if (texts.length === 0) continue;
    await put((rowCount === 0 ? open : between) + texts.join(between));
    rowCount += texts.length;
    onRows?.(rowCount);
  }
  if (rowCount > 0) await put(close);
  else if (form === 'list') await put('[]\n');
  return rowCount;
}

function cellText(cell: JsonCell): string {
  if (typeof cell === 'number') return Object.is(cell, -0) ? '-0' : String(cell);
  return typeof cell === 'string' ? JSON.stringify(cell) : String(cell);
}
