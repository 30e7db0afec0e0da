// Items of one value a key are the rows of a table, and rows are such items: the way between .syr files and the others.
import { ArgumentError, dtypeFacts, isBinary, isMoment, isTime, isVariableText, parseDType } from '@colkit/io';
import { toISO, typed } from '@colkit/table';
import type { ColumnInput, Field, Table } from '@colkit/table';
import { create } from 'columna';
import type { CreateOptions, DType, WriteReport } from 'columna';
import type { KeySpec, SyrahFile, SyrahInput } from 'syrah';
import { columnDType, isText, isUnreadable, keyDType } from '../items/dtypes.ts';
import type { ItemReader, KeyNote } from '../items/item-exchange.ts';
import { itemEntries, itemsInTurn } from '../items/read-items.ts';
import { keyFacts, readable } from '../show/show-items.ts';
import { UsageError } from '../terminal/verb.ts';

/** Items that become rows at once. */
const ITEMS_AT_ONCE = 4096;

/** The items of a .syr file. @throws UsageError where they have no common schema. */
export function itemsOfFile(file: SyrahFile, keys: readonly string[]): ItemReader {
  const fields = file.schema.filter(({ name }) => keys.includes(name));
  const schema = fields.map(({ name, dtype }): KeySpec => {
    if (dtype !== null) return { name, dtype: isText(dtype) ? 'str' : dtype };
    throw new UsageError(`key ${JSON.stringify(name)} of ${file.path} has several dtypes; one a key is needed`);
  });
  return {
    schema,
    itemCount: file.itemCount,
    items: () => itemsInTurn(file, keys, (item) => itemEntries(file, item, keys)),
  };
}

/** The keys that every item has one value of: what the columns of a table can be. */
export function scalarKeys(file: SyrahFile): readonly string[] {
  return keyFacts(file)
    .filter(
      ({ dtype, shortest, longest, missing }) =>
        dtype !== null && missing === 0 && (isText(dtype) || (shortest === 1 && longest === 1)),
    )
    .map(({ name }) => name);
}

/** The same for people and for tables: float128, which neither knows, as float64. */
export function readableItemsOfFile(file: SyrahFile, keys: readonly string[]): ItemReader {
  const { schema, itemCount } = itemsOfFile(file, keys);
  return {
    schema: schema.map(({ name, dtype }) => ({ name, dtype: isUnreadable(dtype) ? 'float64' : dtype })),
    itemCount,
    items: () => itemsInTurn(file, keys, (item) => readable(file, item, keys)),
  };
}

/** The rows of a table as items. @throws ArgumentError ERR_VALUE (while they are read) for a null. */
export function itemsOfTable(table: Table, rowCount: number): ItemReader {
  const fields = table.schema;
  const keys = fields.map(keyOf);
  return {
    schema: keys.map(({ name, dtype }) => ({ name, dtype })),
    itemCount: rowCount,
    notes: keys.flatMap(({ note }) => note ?? []),
    async *items() {
      let row = 0;
      for await (const each of table.rows()) {
        const values = each as Readonly<Record<string, unknown>>;
        const at = row;
        yield fields.map((field) => [field.name, inputOf(values[field.name], field, at)] as const);
        row += 1;
      }
    },
  };
}

function keyOf({ name, dtype }: Field): KeySpec & { readonly note?: KeyNote } {
  const key = { name, dtype: keyDType(dtype) };
  const info = parseDType(dtype);
  if (!isTime(info)) return key;
  const note = isMoment(info) ? 'moments became text in ISO 8601' : `became the ticks of ${dtype}`;
  return { ...key, note: { key: name, note } };
}

function inputOf(value: unknown, { name, dtype }: Field, row: number): SyrahInput {
  if (value === null || value === undefined) {
    const where = `row ${row}: column ${JSON.stringify(name)}`;
    throw new ArgumentError('ERR_VALUE', where, `${dtype} (.syr files have no nulls)`, 'null');
  }
  const info = parseDType(dtype);
  if (isBinary(info)) return value as Uint8Array;
  if (isMoment(info)) return toISO(value as bigint, dtype);
  return isText(keyDType(dtype)) ? textOf(value) : ([value] as readonly unknown[] as SyrahInput);
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array
    ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value)
    : String(value);
}

/** Writes items of one value a key as rows of a .cna file. @throws ArgumentError ERR_VALUE for several; as `create`. */
export async function writeItems(
  reader: ItemReader,
  path: string,
  options: CreateOptions,
  onRows: (rows: number) => void,
): Promise<WriteReport> {
  const schema = reader.schema.map(({ name, dtype }) => ({ name, dtype: columnDType(dtype), nullable: false }));
  const writer = await create(path, { ...options, schema });
  let rows = 0;
  let columns: unknown[][] = schema.map(() => []);
  const flush = async (): Promise<void> => {
    if (columns[0] === undefined || columns[0].length === 0) return;
    await writer.write(schema.map(({ name, dtype }, at) => [name, columnOf(dtype, columns[at] ?? [])] as const));
    columns = schema.map(() => []);
    onRows(rows);
  };
  try {
    for await (const entries of reader.items()) {
      const values = new Map(entries);
      for (const [at, { name, dtype }] of schema.entries()) {
        columns[at]?.push(cellOf(values.get(name), dtype, `item ${rows}: key ${JSON.stringify(name)}`));
      }
      rows += 1;
      if (rows % ITEMS_AT_ONCE === 0) await flush();
    }
    await flush();
    return await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

function columnOf(dtype: DType, values: readonly unknown[]): ColumnInput {
  return isVariableText(parseDType(dtype)) ? (values as string[]) : typed(dtype, values as number[]);
}

function cellOf(value: unknown, dtype: DType, where: string): unknown {
  if (typeof value === 'string') return value;
  const elements = (value ?? []) as ArrayLike<unknown>;
  if (elements.length !== 1) {
    throw new ArgumentError('ERR_VALUE', where, 'one value (a table has no lists)', String(elements.length));
  }
  const [element] = Array.from(elements);
  const { domain } = dtypeFacts(parseDType(dtype));
  if (domain === 'bool') return element === true || element === 1;
  return domain === 'wide' && typeof element === 'number' ? BigInt(element) : element;
}
