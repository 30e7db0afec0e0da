// CSV (RFC 4180): the first record names the keys, each other record is an item. A cell is an array of one element, or JSON text of a list ("[1,2,3]"), or text.
import { ArgumentError, openFileSink } from '@colkit/io';
import { createReadStream } from 'node:fs';
import type { SyrahFile } from '../items/file.ts';
import { isText } from '../layout/dtype.ts';
import type { SyrahDType } from '../layout/dtype.ts';
import type { KeySpec } from '../write/item-encoder.ts';
import { CsvRecords } from './csv-records.ts';
import { SchemaInference } from './infer-schema.ts';
import type { ItemReader, ItemSink } from './item-exchange.ts';
import { entriesOf, jsonDTypes } from './json-lines.ts';
import { isNonFiniteText, toJsonValue } from './json-values.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WHOLE_NUMBER = /^[+-]?\d+$/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

export async function openCsv(path: string, schema: readonly KeySpec[] | null): Promise<ItemReader> {
  let known = schema;
  let itemCount: number | null = null;
  if (known === null) {
    const inference = new CsvInference();
    itemCount = 0;
    for await (const [cells, where] of recordsOf(path)) {
      inference.observe(cells, where);
      itemCount += 1;
    }
    known = inference.schema();
  }
  const keys = known;
  const dtypes = new Map(keys.map(({ name, dtype }) => [name, dtype]));
  return {
    schema: keys,
    itemCount,
    async *items() {
      for await (const [cells, where] of recordsOf(path)) {
        yield entriesOf(new Map([...cells].map(([name, cell]) => [name, valueOf(cell, dtypes.get(name) ?? 'str', `${where}: column ${JSON.stringify(name)}`)])), keys, where);
      }
    },
  };
}

/** Text decides the dtype of a column as a whole: one cell that is no number makes it text. */
class CsvInference {
  readonly #values = new SchemaInference();
  readonly #text = new Set<string>();
  #names: readonly string[] = [];

  observe(cells: ReadonlyMap<string, string>, where: string): void {
    this.#names = [...cells.keys()];
    const item = new Map<string, unknown>();
    for (const [name, cell] of cells) {
      const value = guess(cell);
      if (value === undefined) this.#text.add(name);
      // Columns that are text anyway stand still for the inference.
      item.set(name, this.#text.has(name) ? [] : value);
    }
    this.#values.observe(item, where);
  }

  schema(): KeySpec[] {
    const guessed = new Map(this.#values.schema().map(({ name, dtype }) => [name, dtype]));
    return this.#names.map((name) => ({ name, dtype: this.#text.has(name) ? 'str' : (guessed.get(name) ?? 'float64') }));
  }
}

/** A number, a boolean, a list; undefined for text. Whole numbers beyond 2^53 stay text: only a schema can say what they are. */
function guess(cell: string): unknown {
  if (cell === 'true' || cell === 'false') return cell === 'true';
  if (NUMBER.test(cell)) return WHOLE_NUMBER.test(cell) && !Number.isSafeInteger(Number(cell)) ? undefined : Number(cell);
  if (isNonFiniteText(cell)) return Number(cell);
  if (!cell.startsWith('[')) return undefined;
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return undefined;
  }
}

function valueOf(cell: string, dtype: SyrahDType, where: string): unknown {
  if (isText(dtype)) return cell;
  if (WHOLE_NUMBER.test(cell) && (dtype === 'int64' || dtype === 'uint64')) return cell.replace('+', '');
  const value = guess(cell);
  if (value === undefined) throw new ArgumentError('ERR_VALUE', where, `${dtype} values`, cell === '' ? 'an empty cell' : JSON.stringify(cell));
  return value;
}

async function* recordsOf(path: string): AsyncGenerator<[Map<string, string>, string]> {
  const records = new CsvRecords(path);
  const stream = createReadStream(path, 'utf8');
  let names: readonly string[] | null = null;
  try {
    for await (const chunk of stream) yield* named(records.push(chunk as string));
    yield* named(records.end());
  } finally {
    stream.destroy();
  }

  function* named(found: Iterable<{ cells: readonly string[]; line: number }>): Generator<[Map<string, string>, string]> {
    for (const { cells, line } of found) {
      const where = `${path}: line ${String(line)}`;
      if (names === null) {
        names = cells;
        if (new Set(names).size !== names.length) throw new ArgumentError('ERR_SCHEMA', where, 'different column names', 'one of them twice');
        continue;
      }
      if (cells.length !== names.length) throw new ArgumentError('ERR_VALUE', where, `${String(names.length)} cells`, String(cells.length));
      yield [new Map(names.map((name, k) => [name, cells[k] ?? ''])), where];
    }
  }
}

export async function openCsvSink(path: string, file: SyrahFile, options: { readonly overwrite: boolean }): Promise<ItemSink> {
  const sink = await openFileSink(path, options);
  const encoder = new TextEncoder();
  const dtypeOf = jsonDTypes(file);
  const line = (cells: readonly string[]): Promise<void> => sink.write(encoder.encode(`${cells.map(quote).join(',')}\r\n`));
  await line(file.keys);
  return {
    put: (entries) => line(entries.map(([key, value]) => {
      const json = toJsonValue(value, dtypeOf(key));
      return typeof json === 'string' ? json : Array.isArray(json) && json.length === 1 ? String(json[0]) : JSON.stringify(json);
    })),
    finish: () => sink.finish(),
    abort: () => sink.abort(),
  };
}

function quote(cell: string): string {
  return cell === '' || NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
