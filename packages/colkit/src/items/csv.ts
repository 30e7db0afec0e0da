// CSV <-> items: the header names the keys, each row is an item. A cell is an array of one element, or JSON text of a
// list ("[1,2,3]"), or text. Rows and the types of plain columns come from the reader of `@colkit/table`; what a list
// or a value of a given dtype is, is decided here.
import { ArgumentError, isVariableText, parseDType } from '@colkit/io';
import { WorkContext } from '@colkit/io/effects';
import { isValid, valuesOf } from '@colkit/table';
import type { InputColumn } from '@colkit/table';
import { readCsv } from '@colkit/table/csv';
import type { Target } from '../terminal/output.ts';
import type { SyrahFile } from 'syrah';
import { isText, keyDType } from './dtypes.ts';
import type { SyrahDType } from './dtypes.ts';
import type { KeySpec } from 'syrah';
import { GatheredText } from './gathered-text.ts';
import { SchemaInference } from './infer-schema.ts';
import type { InputEntries, ItemReader, ItemSink } from './item-exchange.ts';
import { jsonDTypes } from './json.ts';
import { fromJsonValue, toJsonValue } from './json-values.ts';

/** Rows whose cells are there at once. */
const ROWS_AT_ONCE = 4096;
/** As the reader of CSV finds numbers. */
const NUMBER = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, boolean | number> = new Map<string, boolean | number>([
  ['true', true],
  ['false', false],
  ['nan', NaN],
  ['-nan', NaN],
  ['inf', Infinity],
  ['infinity', Infinity],
  ['-inf', -Infinity],
  ['-infinity', -Infinity],
]);
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

export async function openCsv(path: string, schema: readonly KeySpec[] | null): Promise<ItemReader> {
  const known = schema === null ? await inferSchema(path) : { schema, itemCount: null };
  return { ...known, items: () => itemsOf(path, known.schema) };
}

async function inferSchema(path: string): Promise<Pick<ItemReader, 'schema' | 'itemCount' | 'notes'>> {
  await using input = await readCsv(path);
  const schema: KeySpec[] = [];
  for (const column of input.columns)
    schema.push({ name: column.field.name, dtype: await inferDType(path, column, input.columns.length === 1) });
  const hasEmptyLines = input.columns.length === 1 && input.fields[0]?.nullable === true;
  return {
    schema,
    itemCount: hasEmptyLines ? null : input.rowCount,
    notes: input.notes.map(({ column, note }) => ({ key: column, note })),
  };
}

/**
 * Text decides the dtype of a column as a whole: one cell that is neither a value nor a list makes it text, so does an
 * empty one, and so do moments, which the format does not have.
 */
async function inferDType(path: string, column: InputColumn, alone: boolean): Promise<SyrahDType> {
  const { name, dtype, nullable } = column.field;
  if (nullable && !alone) return 'str';
  const key = keyDType(dtype);
  if (!isText(key) || !isVariableText(parseDType(dtype))) return key;
  const inference = new SchemaInference();
  for await (const [row, [cell = '']] of rowsOf([column], column.rowCount)) {
    const value = parseCell(cell);
    if (value === undefined) return 'str';
    inference.observe(new Map([[name, value]]), `${path}: row ${String(row)}`);
  }
  return inference.schema()[0]?.dtype ?? 'str';
}

/** @throws ArgumentError ERR_SCHEMA for other columns than the keys, ERR_VALUE. */
async function* itemsOf(path: string, keys: readonly KeySpec[]): AsyncGenerator<InputEntries> {
  await using input = await readCsv(path, { types: new Map(keys.map(({ name }) => [name, 'string'] as const)) });
  const indexes = new Map(input.fields.map(({ name }, index) => [name, index]));
  const extra = input.fields.find(({ name }) => !keys.some((key) => key.name === name));
  if (extra !== undefined)
    throw new ArgumentError(
      'ERR_SCHEMA',
      path,
      `the keys ${keys.map(({ name }) => JSON.stringify(name)).join(', ')}`,
      JSON.stringify(extra.name),
    );
  for await (const [row, cells] of rowsOf(input.columns, input.rowCount)) {
    yield keys.map(({ name, dtype }) => {
      const where = `${path}: row ${String(row)}: column ${JSON.stringify(name)}`;
      return [name, fromJsonValue(valueOf(cells[indexes.get(name) ?? 0] ?? '', dtype, where), dtype, where)] as const;
    });
  }
}

/**
 * The rows of text columns, with their numbers from 0. A row of nothing but one empty cell without quotes is an empty
 * line and is passed over.
 */
async function* rowsOf(columns: readonly InputColumn[], rowCount: number): AsyncGenerator<[number, string[]]> {
  for (let start = 0; start < rowCount; start += ROWS_AT_ONCE) {
    const end = Math.min(start + ROWS_AT_ONCE, rowCount);
    const chunks = [];
    for (const column of columns) chunks.push(await column.read(start, end).run(new WorkContext()));
    const validity = columns.length === 1 ? (chunks[0]?.validity ?? null) : null;
    const texts = chunks.map((chunk) => valuesOf(chunk));
    for (let row = 0; row < end - start; row += 1) {
      if (isValid(validity, row)) yield [start + row, texts.map((values) => String(values[row]))];
    }
  }
}

function valueOf(cell: string, dtype: SyrahDType, where: string): unknown {
  if (isText(dtype)) return cell;
  if (cell === '') throw new ArgumentError('ERR_VALUE', where, `${dtype} values`, 'an empty cell');
  // Text is taken for a value of the dtype where all values are made.
  return cell.startsWith('[') ? (parseCell(cell) ?? cell) : cell;
}

/** A number, a boolean, a list; undefined for text. Words in any case, as the reader of CSV takes them. */
function parseCell(cell: string): unknown {
  const word = WORDS.get(cell.toLowerCase());
  if (word !== undefined) return word;
  if (NUMBER.test(cell)) return Number(cell);
  try {
    const value = JSON.parse(cell) as unknown;
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export async function openCsvSink(target: Target, file: SyrahFile): Promise<ItemSink> {
  const sink = new GatheredText(await target.open());
  const dtypeOf = jsonDTypes(file);
  const line = (cells: readonly string[]): Promise<void> => sink.add(`${cells.map(quote).join(',')}\r\n`);
  await line(file.keys);
  return {
    put: (entries) =>
      line(
        entries.map(([key, value]) => {
          const json = toJsonValue(value, dtypeOf(key));
          return typeof json === 'string'
            ? json
            : Array.isArray(json) && json.length === 1
              ? String(json[0])
              : JSON.stringify(json);
        }),
      ),
    finish: () => sink.finish(),
    abort: () => sink.abort(),
  };
}

function quote(cell: string): string {
  return cell === '' || NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
