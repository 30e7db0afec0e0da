// Items as lines for people, and as lines of JSON.
import { visibleText } from '@colkit/io';
import { UsageError } from '@colkit/io/command';
import type { Terminal } from '@colkit/io/command';
import type { SyrahFile } from '../items/file.ts';
import type { StoredDType, SyrahValue } from '../layout/dtype.ts';
import { itemText, jsonDTypes } from '../convert/json-lines.ts';
import { toJsonValue } from '../convert/json-values.ts';

const SHOWN_VALUES = 8;
const SHOWN_CHARACTERS = 60;

/** The arrays of an item, float128 as float64 (its raw bytes say nothing to anybody). */
export async function readable(file: SyrahFile, item: number | string, keys: readonly string[]): Promise<[string, SyrahValue][]> {
  const dtypes = new Map(file.schema.map(({ name, dtype }) => [name, dtype]));
  const wide = keys.filter((key) => dtypes.get(key) === 'float128');
  const entries = await file.getEntries(item, keys.length === file.keys.length ? {} : { keys });
  for (const entry of entries) if (wide.includes(entry[0])) entry[1] = await file.getArray(item, entry[0], { dtype: 'float64' });
  return entries;
}

export async function printItem(file: SyrahFile, item: number | string, options: { keys: readonly string[]; json: boolean; whole: boolean }, terminal: Terminal): Promise<void> {
  const entries = await readable(file, item, options.keys);
  const dtypeOf = jsonDTypes(file);
  if (options.json) {
    terminal.print(itemText(entries, dtypeOf));
    return;
  }
  terminal.print(`item ${String(item)}`);
  const width = entries.reduce((widest, [key]) => Math.max(widest, visibleText(key).length), 0);
  for (const [key, value] of entries) terminal.print(`  ${visibleText(key).padEnd(width)}  ${describe(value, dtypeOf(key), options.whole)}`);
}

/** The keys that were asked for, or all. @throws UsageError for one that the file does not have. */
export function chosenKeys(file: SyrahFile, text: string | undefined): readonly string[] {
  if (text === undefined) return file.keys;
  const keys = file.keys.includes(text) ? [text] : text.split(',');
  const unknown = keys.find((key) => !file.keys.includes(key));
  if (unknown !== undefined) throw new UsageError(`--keys: expected keys of ${file.path} (${file.keys.join(', ')}) but found ${JSON.stringify(unknown)}`);
  return keys;
}

function describe(value: SyrahValue, dtype: StoredDType, whole: boolean): string {
  if (typeof value === 'string') return `str  ${JSON.stringify(whole || value.length <= SHOWN_CHARACTERS ? value : `${value.slice(0, SHOWN_CHARACTERS)}…`)}`;
  const { length } = value;
  const shown = toJsonValue(whole ? value : value.slice(0, SHOWN_VALUES), dtype) as readonly unknown[];
  return `${dtype}[${String(length)}]  ${shown.map((element) => (typeof element === 'string' ? element : JSON.stringify(element))).join(' ')}${!whole && length > SHOWN_VALUES ? ' …' : ''}`;
}
