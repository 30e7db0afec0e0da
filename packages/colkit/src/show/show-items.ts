// Items as lines for people, and as lines of JSON.
import { visibleText } from '@colkit/io';
import type { SyrahFile } from 'syrah';
import { isText, isUnreadable } from '../items/dtypes.ts';
import type { StoredDType, SyrahValue } from '../items/dtypes.ts';
import { itemText, jsonDTypes } from '../items/json.ts';
import { itemEntries } from '../items/read-items.ts';
import { toJsonValue } from '../items/json-values.ts';
import { count } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';

const SHOWN_VALUES = 8;
const SHOWN_CHARACTERS = 60;

interface ShownItems {
  readonly keys: readonly string[];
  readonly json: boolean;
  /** Or long arrays are cut for people. */
  readonly whole: boolean;
}

/** The arrays of an item, float128 as float64 (its raw bytes say nothing to anybody). */
export async function readable(
  file: SyrahFile,
  item: number | string,
  keys: readonly string[],
): Promise<[string, SyrahValue][]> {
  const entries = await itemEntries(file, item, keys);
  for (const { name, dtype } of file.schema) {
    if (dtype === null || !isUnreadable(dtype)) continue;
    const entry = entries.find(([key]) => key === name);
    if (entry !== undefined) entry[1] = await file.getArray(item, name, { dtype: 'float64' });
  }
  return entries;
}

export async function printItem(
  file: SyrahFile,
  item: number | string,
  { keys, json, whole }: ShownItems,
  terminal: Terminal,
): Promise<void> {
  const entries = await readable(file, item, keys);
  const dtypeOf = jsonDTypes(file);
  if (json) {
    terminal.print(itemText(entries, dtypeOf));
    return;
  }
  terminal.print(`item ${String(item)}`);
  const width = widest(entries.map(([key]) => key));
  for (const [key, value] of entries) {
    terminal.print(`  ${visibleText(key).padEnd(width)}  ${describe(value, dtypeOf(key), whole)}`);
  }
}

interface KeyFacts {
  readonly name: string;
  readonly dtype: StoredDType | null;
  readonly shortest: number | null;
  readonly longest: number | null;
  readonly missing: number;
}

/** Of every key: its dtype and how long its arrays are, without reading one. */
export function keyFacts(file: SyrahFile): KeyFacts[] {
  return file.schema.map(({ name, dtype }) => {
    let [shortest, longest, missing] = [Infinity, -Infinity, 0];
    for (const length of file.lengths(name)) {
      if (Number.isNaN(length)) missing += 1;
      else [shortest, longest] = [Math.min(shortest, length), Math.max(longest, length)];
    }
    const lengths = shortest === Infinity ? { shortest: null, longest: null } : { shortest, longest };
    return { name, dtype, ...lengths, missing };
  });
}

export function keyLines(keys: readonly KeyFacts[]): string[] {
  const width = widest(keys.map(({ name }) => name));
  return keys.map(({ name, dtype, shortest, longest, missing }) => {
    const unit = dtype !== null && isText(dtype) ? ' bytes' : '';
    const lengths =
      shortest === null
        ? 'in no item'
        : `${shortest === longest ? '' : `${count(shortest)} to `}${count(longest ?? 0)}${unit}`;
    const lacking = missing === 0 ? '' : `, missing in ${count(missing)} items`;
    return `  ${visibleText(name).padEnd(width)}  ${(dtype ?? 'differs').padEnd(8)}  ${lengths}${lacking}`;
  });
}

function widest(names: readonly string[]): number {
  return names.reduce((most, name) => Math.max(most, visibleText(name).length), 0);
}

function describe(value: SyrahValue, dtype: StoredDType, whole: boolean): string {
  if (typeof value === 'string') {
    const shown = whole || value.length <= SHOWN_CHARACTERS ? value : `${value.slice(0, SHOWN_CHARACTERS)}…`;
    return `str  ${JSON.stringify(shown)}`;
  }
  const { length } = value;
  const shown = toJsonValue(whole ? value : value.slice(0, SHOWN_VALUES), dtype) as readonly unknown[];
  const elements = shown.map((element) => (typeof element === 'string' ? element : JSON.stringify(element))).join(' ');
  return `${dtype}[${length}]  ${elements}${!whole && length > SHOWN_VALUES ? ' …' : ''}`;
}
