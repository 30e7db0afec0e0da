// Items of many keys: what an item costs grows with their number, not with its square.
import { expect, test } from 'vitest';
import { open } from 'columna';
import { writeItems } from '../../src/convert/rows-and-items.ts';
import type { InputEntries } from '../../src/items/item-exchange.ts';
import { entriesOf } from '../../src/items/json.ts';
import { temporaryFolder } from '../support/folder.ts';

const KEYS = Array.from({ length: 300 }, (_, k) => `key${String(k)}`);
const folder = temporaryFolder();

/** Counts how often names are asked for. */
class Counted {
  reads = 0;

  entry(name: string, value: readonly number[]): readonly [string, readonly number[]] {
    const entry: [string, readonly number[]] = [name, value];
    Object.defineProperty(entry, 0, { get: () => this.#told(name) });
    return entry;
  }

  key(name: string): { readonly name: string; readonly dtype: 'int32' } {
    return Object.defineProperty({ name, dtype: 'int32' as const }, 'name', { get: () => this.#told(name) });
  }

  #told(name: string): string {
    this.reads += 1;
    return name;
  }
}

test('as rows of a table', async () => {
  const counted = new Counted();
  const path = folder.path('wide.cna');
  const reader = {
    schema: KEYS.map((name) => ({ name, dtype: 'int32' as const })),
    itemCount: 5,
    async *items(): AsyncGenerator<InputEntries> {
      for (let item = 0; item < 5; item += 1)
        yield await Promise.resolve(KEYS.map((name, k) => counted.entry(name, [item * k])).reverse());
    },
  };
  await writeItems(reader, path, {}, () => undefined);
  using table = await open(path);
  expect([...((await table.column('key299').toArray()) as Int32Array)]).toEqual([0, 299, 598, 897, 1196]);
  expect(counted.reads).toBeLessThanOrEqual(5 * KEYS.length * 2);
});

test('of JSON', () => {
  const counted = new Counted();
  const item = new Map(KEYS.map((name, k) => [name, k]));
  const schema = KEYS.map((name) => counted.key(name));
  expect(entriesOf(item, schema, 'items.jsonl: line 1')).toHaveLength(KEYS.length);
  expect(counted.reads).toBeLessThanOrEqual(KEYS.length * 4);
});
