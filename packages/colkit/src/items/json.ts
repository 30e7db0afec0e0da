// JSON: one object an item, { key: [values] }, on lines or in one list. Read twice where no schema is given: once for
// the dtypes, once for the items.
import { ArgumentError } from '@colkit/io';
import type { SyrahFile } from 'syrah';
import type { StoredDType } from './dtypes.ts';
import type { KeySpec } from 'syrah';
import { GatheredText } from './gathered-text.ts';
import { SchemaInference } from './infer-schema.ts';
import type { InputEntries, ItemReader, OpenSink, OutputEntries } from './item-exchange.ts';
import { describeJson, fromJsonValue, toJsonValue } from './json-values.ts';
import { jsonTexts } from '@colkit/table/json';

export async function openJson(path: string, schema: readonly KeySpec[] | null): Promise<ItemReader> {
  let itemCount: number | null = null;
  let known = schema;
  if (known === null) {
    const inference = new SchemaInference();
    itemCount = 0;
    for await (const [item, line] of objectsOf(path)) {
      inference.observe(item, `${path}: line ${String(line)}`);
      itemCount += 1;
    }
    known = inference.schema();
  }
  const keys = known;
  return {
    schema: keys,
    itemCount,
    async *items() {
      for await (const [item, line] of objectsOf(path)) yield entriesOf(item, keys, `${path}: line ${String(line)}`);
    },
  };
}

/** The entries of one item in the order of the schema. @throws ArgumentError ERR_SCHEMA, ERR_VALUE. */
export function entriesOf(item: ReadonlyMap<string, unknown>, schema: readonly KeySpec[], where: string): InputEntries {
  const names = new Set(schema.map(({ name }) => name));
  const extra = [...item.keys()].find((key) => !names.has(key));
  if (extra !== undefined)
    throw new ArgumentError(
      'ERR_SCHEMA',
      where,
      `the keys ${[...names].map((name) => JSON.stringify(name)).join(', ')}`,
      JSON.stringify(extra),
    );
  return schema.map(({ name, dtype }) => {
    if (!item.has(name)) throw new ArgumentError('ERR_SCHEMA', where, `a key ${JSON.stringify(name)}`, 'none');
    return [name, fromJsonValue(item.get(name), dtype, `${where}: key ${JSON.stringify(name)}`)];
  });
}

/**
 * An object's members in their order; integer-like keys come first in every JavaScript object, in ascending order.
 * @throws ArgumentError ERR_VALUE.
 */
export function membersOf(text: string, where: string): Map<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArgumentError('ERR_VALUE', where, 'a JSON object', error instanceof Error ? error.message : 'other text');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ArgumentError('ERR_VALUE', where, 'a JSON object', describeJson(value));
  return new Map(Object.entries(value));
}

async function* objectsOf(path: string): AsyncGenerator<[Map<string, unknown>, number]> {
  for await (const { text, line } of jsonTexts(path)) yield [membersOf(text, `${path}: line ${String(line)}`), line];
}

/** An item as JSON text; keys keep their order, whatever they are. */
export function itemText(entries: OutputEntries, dtypeOf: (key: string) => StoredDType): string {
  const texts = entries.map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(toJsonValue(value, dtypeOf(key)))}`,
  );
  return `{${texts.join(',')}}`;
}

/** The dtype that values of a key are read as here: float128 as float64. */
export function jsonDTypes(file: SyrahFile): (key: string) => StoredDType {
  const known = new Map(file.schema.map(({ name, dtype }) => [name, dtype ?? 'float64']));
  return (key) => known.get(key) ?? 'float64';
}

/** Items on lines, or in one list. */
export function openJsonSink(form: 'lines' | 'list'): OpenSink {
  const [open, between, close] = form === 'lines' ? ['', '\n', '\n'] : ['[\n', ',\n', '\n]\n'];
  return async (target, file) => {
    const sink = new GatheredText(await target.open());
    const dtypeOf = jsonDTypes(file);
    return {
      put: (entries, item) => sink.add((item === 0 ? open : between) + itemText(entries, dtypeOf)),
      async finish() {
        const end = file.itemCount > 0 ? close : form === 'list' ? '[]\n' : '';
        await sink.add(end);
        await sink.finish();
      },
      abort: () => sink.abort(),
    };
  };
}
